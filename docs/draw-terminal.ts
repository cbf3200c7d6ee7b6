import stringWidth from 'string-width'

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

/** What a terminal shows, as SVG: colours and all. The first line is the command. */
export function drawTerminal(text: string): string {
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
