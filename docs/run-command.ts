import { stripVTControlCharacters } from 'node:util'
import type { Command } from 'commander'
import { chatCommand } from '../src/cli/chat/chat-command.ts'
import { compareCommand } from '../src/cli/compare/compare-command.ts'
import { formatsCommand } from '../src/cli/formats-command.ts'
import { importCommand } from '../src/cli/import/import-command.ts'
import { mergeCommand } from '../src/cli/merge-command.ts'
import { presetsCommand } from '../src/cli/presets-command.ts'
import { renderCommand } from '../src/cli/render/render-command.ts'
import { runCommand as rolecallRun } from '../src/cli/run/run-command.ts'
import { scoreCommand } from '../src/cli/score-command.ts'
import { tokensCommand } from '../src/cli/tokens/tokens-command.ts'
import { PromptError } from '../src/prompt-error.ts'

const commands: Record<string, Command> = {
  chat: chatCommand,
  run: rolecallRun,
  compare: compareCommand,
  score: scoreCommand,
  merge: mergeCommand,
  render: renderCommand,
  tokens: tokensCommand,
  formats: formatsCommand,
  import: importCommand,
  presets: presetsCommand,
}

/** Runs `rolecall WORDS` in a folder, in this process; hands back what a terminal without colours would show. */
export async function runCommand([name, ...args]: readonly string[], folder: string): Promise<string> {
  const command = commands[name ?? '']
  if (!command) throw new Error(`no command is called ${name} (there are: ${Object.keys(commands).join(', ')})`)
  const { write, columns } = process.stdout
  const before = process.cwd()
  const { ROLECALL_CACHE: cache } = process.env
  process.env.ROLECALL_CACHE = 'off'
  let printed = ''
  process.chdir(folder)
  process.stdout.columns = 100
  process.stdout.write = (text: string | Uint8Array) => {
    printed += String(text)
    return true
  }
  try {
    await command.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    printed += `error ${error.where}\n  ${error.problem}\n  → ${error.fix}\n`
  } finally {
    process.stdout.write = write
    process.stdout.columns = columns
    process.chdir(before)
    if (cache === undefined) delete process.env.ROLECALL_CACHE
    else process.env.ROLECALL_CACHE = cache
  }
  return withoutTimes(stripVTControlCharacters(printed))
}

/** How long a run took and when it began differ each time. */
function withoutTimes(printed: string): string {
  return printed.replace(/ rows in [\d.]+ s\. Results: \S+/g, ' rows in 1.2 s. Results: outputs/my-folder/20261115_090000')
}
