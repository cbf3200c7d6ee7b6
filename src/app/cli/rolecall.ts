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

/** Runs `rolecall ARGS` in this process; sets `process.exitCode` instead of exiting. */
export async function rolecall(args: readonly string[]): Promise<void> {
  const program = new Command('rolecall')
    .description('The exact prompt, for every model.')
    .version(ownVersion())
    .option('--no-color', 'disable colours')
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .showHelpAfterError('(see --help)')

  // Loads only the requested command, for a fast start.
  const [requested = ''] = args.filter((word) => !word.startsWith('-'))
  const isVersion = args.some((word) => word === '--version' || word === '-V')
  const names = Object.hasOwn(commands, requested) ? [requested] : isVersion ? [] : Object.keys(commands)
  for (const name of names) program.addCommand((await commands[name]!()).copyInheritedSettings(program))

  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // Commander has already printed usage errors; `--help` and `--version` also end here.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      process.stderr.write(`${explain(error)}\n`)
      // The shells' exit code for Ctrl-C.
      const isStopped = error instanceof PromptError && error.code === 'stopped'
      process.exitCode = isStopped ? 130 : error instanceof PromptError ? 2 : 1
    }
  }
}

/** Omits the default of switches. */
function describeOption(option: Option): string {
  const isSwitch = typeof option.defaultValue === 'boolean'
  const description = new Help().optionDescription(option)
  return isSwitch
    ? description.replace(/ \((?:default: (?:true|false)(?:, )?)(.*)\)$/, (_, rest: string) => (rest === '' ? '' : ` (${rest})`))
    : description
}

/** User errors with place, problem and fix; for other errors `DEBUG=1` shows the stack. */
function explain(error: unknown): string {
  if (error instanceof PromptError) {
    const [where, problem, fix] = [error.where, error.problem, error.fix].map(printable)
    return `${colors.red('error')} ${where}\n  ${problem}\n  ${colors.dim('→')} ${fix}`
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return `${colors.red('failed')} ${process.env.DEBUG ? stack : message}`
}
