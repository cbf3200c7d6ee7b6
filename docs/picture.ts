import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawTerminal } from './draw-terminal.ts'

/** The pictures of the README and docs, and the commands that they show at 100 columns. */
export const pictures: Readonly<Record<string, readonly string[]>> = {
  'run.svg': ['run'],
  // Narrow enough to read on a phone.
  'run-table.svg': ['run', '--datasets', 'sums'],
  'chat.svg': ['chat', '我想了解今天上海的天气', '--show-prompt'],
  'render.svg': ['render', '--datasets', 'sums', '--models', 'chatml,api', '--show-whitespace'],
}

const main = fileURLToPath(new URL('../packages/rolecall/dist/js/cli/main.js', import.meta.url))

/** Runs a command of the built command line where there is no config, and draws what it prints, with the commands to continue with. */
export function pictureOf(args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-pictures-'))
  try {
    const { stdout, status, stderr } = spawnSync(process.execPath, [main, ...args], {
      // Answers of earlier runs are not for pictures: they show what a new user sees.
      env: { PATH: process.env.PATH ?? '', FORCE_COLOR: '1', COLUMNS: '100', ROLECALL_CACHE: 'off', npm_command: 'exec' },
      cwd: folder,
      encoding: 'utf8',
      timeout: 300_000,
    })
    if (status !== 0) throw new Error(stderr)
    const at = stderr.search(/^(?:\u001b\[1m)?next/m)
    const shown = [stdout.trimEnd(), ...(at < 0 ? [] : [stderr.slice(at).trimEnd()])].join('\n\n')
    return drawTerminal(`$ npx rolecall ${args.join(' ')}\n\n${withoutTimes(shown)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How long a run took, and when, differs each time. */
function withoutTimes(text: string): string {
  return text.replace(/( rows?) in [\d.:]+(?: s)?/g, '$1 in 26 s').replace(/\b20\d{6}_\d{6}\b/g, '20261119_125158')
}

/** `npm run proof -- pictures`: draws all of them. */
if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [file, args] of Object.entries(pictures)) writeFileSync(new URL(file, import.meta.url), pictureOf(args))
