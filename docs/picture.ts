import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import stringWidth from 'string-width'

/**
 * `npm run proof -- pictures`: runs the built command line and draws its terminal output as SVG, colours included, so that the
 * README shows what really comes out.
 */
const pictures: readonly { file: string; args: readonly string[] }[] = [
  { file: 'run.svg', args: ['run'] },
  // Narrow enough to read on a phone.
  { file: 'run-table.svg', args: ['run', '--datasets', 'sums'] },
  { file: 'chat.svg', args: ['chat', '我想了解今天上海的天气', '--show-prompt'] },
  { file: 'render.svg', args: ['render', '--datasets', 'sums', '--models', 'chatml,api', '--show-whitespace'] },
]

const cell = { width: 8.4, height: 19 }
const margin = 18
const palette: Readonly<Record<number, string>> = {
  31: '#e06c75',
  32: '#7fd88f',
  33: '#e5c07b',
  34: '#74a8f7',
  35: '#d58fe8',
  36: '#5cc8d6',
}
const plainColor = '#d7dae0'
const dimColor = '#7d8593'

type Style = { color: string; bold: boolean; dim: boolean }

// Answers of earlier runs are not for pictures: they show what a new user sees.
const cache = mkdtempSync(join(tmpdir(), 'rolecall-pictures-'))

for (const { file, args } of pictures) {
  const main = fileURLToPath(new URL('../packages/rolecall/bin/rolecall.mjs', import.meta.url))
  const { stdout, status, stderr } = spawnSync(process.execPath, [main, ...args], {
    env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '100', ROLECALL_CACHE: cache },
    // Where there is no config, as in a fresh clone.
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const shown = stdout.trimEnd()
  writeFileSync(new URL(file, import.meta.url), drawTerminal(`$ npx rolecall ${args.join(' ')}\n\n${shown}`))
}
rmSync(cache, { recursive: true, force: true })

function drawTerminal(text: string): string {
  const lines = text.split('\n')
  const columns = Math.max(...lines.map((line) => stringWidth(line)))
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = lines.length * cell.height + 2 * margin
  const drawn = lines.map((line, index) => drawLine(line, margin + (index + 0.75) * cell.height)).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Output of ${escapeXml(lines[0]!.slice(2))}">
<rect width="100%" height="100%" rx="8" fill="#1e2127"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace" font-size="14" xml:space="preserve">
${drawn}
</g>
</svg>
`
}

/** Each stretch is put at its own column, so that the grid holds whatever font draws it. */
function drawLine(line: string, y: number): string {
  let column = 0
  let style: Style = { color: plainColor, bold: false, dim: false }
  const parts: string[] = []
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1]
    if (code !== undefined) style = restyle(style, Number(code))
    else {
      const fill = style.dim ? dimColor : style.color
      // Browsers differ in what becomes of several spaces, so that each word is put at its own column, too.
      for (const word of part.split(/( +)/)) {
        const length = stringWidth(word)
        const x = (margin + column * cell.width).toFixed(1)
        const size = `textLength="${(length * cell.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`
        if (word.trim() !== '')
          parts.push(
            `<text x="${x}" y="${y.toFixed(1)}" fill="${fill}"${style.bold ? ' font-weight="bold"' : ''} ${size}>${escapeXml(word)}</text>`,
          )
        column += length
      }
    }
  }
  return parts.join('')
}

function restyle(style: Style, code: number): Style {
  if (code === 0) return { color: plainColor, bold: false, dim: false }
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  return { ...style, color: palette[code] ?? plainColor }
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}
