import { Command, CommanderError, Help, type Option } from 'commander'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { ownVersion } from '../node/own-files.ts'
import { colors, printable } from './terminal.ts'

/** A command is a file and a line here. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run/run-command.ts')).runCommand,
  compare: async () => (await import('./compare/compare-command.ts')).compareCommand,
  score: async () => (await import('./score-command.ts')).scoreCommand,
  merge: async () => (await import('./merge-command.ts')).mergeCommand,
  worker: async () => (await import('./queue/worker-command.ts')).workerCommand,
  queue: async () => (await import('./queue/queue-command.ts')).queueCommand,
  render: async () => (await import('./render/render-command.ts')).renderCommand,
  view: async () => (await import('./view/view-command.ts')).viewCommand,
  chat: async () => (await import('./chat/chat-command.ts')).chatCommand,
  serve: async () => (await import('./serve/serve-command.ts')).serveCommand,
  tokens: async () => (await import('./tokens/tokens-command.ts')).tokensCommand,
  export: async () => (await import('./export/export-command.ts')).exportCommand,
  diff: async () => (await import('./diff/diff-command.ts')).diffCommand,
  lint: async () => (await import('./lint/lint-command.ts')).lintCommand,
  init: async () => (await import('./init/init-command.ts')).initCommand,
  import: async () => (await import('./import/import-command.ts')).importCommand,
  formats: async () => (await import('./formats-command.ts')).formatsCommand,
  convert: async () => (await import('./convert/convert-command.ts')).convertCommand,
  verify: async () => (await import('./verify/verify-command.ts')).verifyCommand,
  presets: async () => (await import('./presets-command.ts')).presetsCommand,
  completion: async () => (await import('./completion/completion-command.ts')).completionCommand(allCommands),
}

async function allCommands(): Promise<Command[]> {
  const all: Command[] = []
  for (const load of Object.values(commands)) all.push(await load())
  return all
}

/** Runs `rolecall ARGS` in this process and leaves its exit code in `process.exitCode`: it never ends the process that called it. */
export async function rolecall(args: readonly string[]): Promise<void> {
  const program = new Command('rolecall')
    .description('The exact prompt, for every model.')
    .version(ownVersion())
    .option('--no-color', 'print without colours')
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')

  // Only the command that is asked for is loaded: what the others need takes time.
  const [asked = ''] = args.filter((word) => !word.startsWith('-'))
  const isVersion = args.some((word) => word === '--version' || word === '-V')
  const names = Object.hasOwn(commands, asked) ? [asked] : isVersion ? [] : Object.keys(commands)
  for (const name of names) program.addCommand((await commands[name]!()).copyInheritedSettings(program))

  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // Wrong flags are a user's mistake like any other, and commander has told them; `--help` and `--version` end here, too.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      process.stderr.write(`${explain(error)}\n`)
      // As shells have it for a program that Ctrl-C ended.
      const isStopped = error instanceof PromptError && error.code === 'stopped'
      process.exitCode = isStopped ? 130 : error instanceof PromptError ? 2 : 1
    }
  }
}

/** What an option does. That a switch is off unless it is given goes without saying. */
function describeOption(option: Option): string {
  const isSwitch = typeof option.defaultValue === 'boolean'
  const usual = new Help().optionDescription(option)
  return isSwitch
    ? usual.replace(/ \((?:default: (?:true|false)(?:, )?)(.*)\)$/, (_, rest: string) => (rest === '' ? '' : ` (${rest})`))
    : usual
}

/** A user's mistake: place, problem and fix. Anything else is ours or the machine's; `DEBUG=1` shows where it happened. */
function explain(error: unknown): string {
  if (error instanceof PromptError) {
    const [where, problem, fix] = [error.where, error.problem, error.fix].map(printable)
    return `${colors.red('error')} ${where}\n  ${problem}\n  ${colors.dim('→')} ${fix}`
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return `${colors.red('failed')} ${process.env.DEBUG ? stack : message}`
}
