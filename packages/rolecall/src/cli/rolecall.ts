import { Command, CommanderError, Help, type Option } from 'commander'
import { hubUse } from '../node/hub/hub-use.ts'
import { ownVersion } from '../node/own-files.ts'
import { commands } from './commands.ts'
import { exitCodes, exitList, setExitCode } from './exit-codes.ts'
import { withHarnessWords } from './harness-words.ts'
import { useHubNames } from './hub-names.ts'
import { withMode } from './open-compass-words.ts'

/** Runs `rolecall ARGS` in this process; sets `process.exitCode` instead of exiting. */
export async function rolecall(given: readonly string[]): Promise<void> {
  const { rest, language } = withoutLanguage(given)
  let args: readonly string[] = rest
  if (!/^en\b/i.test(language)) process.stderr.write('note the command line speaks English; docs and viewer are also in Chinese\n')
  const program = new Command('rolecall')
    .usage('<command> [options]')
    .description('The exact prompt, for every model.')
    .version(ownVersion())
    .option('--no-color', 'disable colours')
    .helpOption('-h, --help', 'show help')
    .configureHelp({
      optionDescription: describeOption,
      subcommandTerm: (command) => command.name(),
      visibleCommands: (command) => new Help().visibleCommands(command).filter((one) => one.name() !== 'help'),
    })
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .addHelpText('after', '`rolecall <command> --help` shows its flags, with examples.')
    .addHelpText('after', exitList())

  if (args.every((word) => word === '--no-color')) return void process.stdout.write(firstSteps)
  const inMode = withMode(args)
  args = inMode.words
  if (inMode.note !== undefined) process.stderr.write(`note ${inMode.note}\n`)
  const [requested = '', next = ''] = args.filter((word) => !word.startsWith('-'))
  const named = requested === 'help' ? next : requested
  for (const { name, task, does, load } of commands) {
    // Only the requested command is loaded, for a fast start.
    const command = name === named ? (await load()).copyInheritedSettings(program) : new Command(name)
    if (name === named) {
      try {
        const { words, notes } = await withHarnessWords(args, command)
        if (notes.length > 0) {
          const { colors } = await import('./terminal.ts')
          for (const note of notes) process.stderr.write(`${colors.yellow('note')} ${note}\n`)
        }
        args = words
      } catch (error) {
        return (await import('./report-error.ts')).reportError(error, args.includes('--json'))
      }
    }
    for (const part of command.commands) part.copyInheritedSettings(command).helpOption('-h, --help', 'show help')
    program.addCommand(command.summary(does).helpGroup(`${task}:`))
  }

  program.hook('preAction', (_, command) => useHubNames(command))
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // `--help` and `--version` also end here.
    if (error instanceof CommanderError && error.exitCode === exitCodes.ok.code) setExitCode({ exit_code: exitCodes.ok.code })
    else {
      const { failureOfError, reportError } = await import('./report-error.ts')
      reportError(error, args.includes('--json'))
      // Other errors of `run` come after its events were opened.
      if (error instanceof CommanderError && named === 'run') {
        const { finishEvents } = await import('./run/event-log.ts')
        finishEvents(args, failureOfError(error))
      }
    }
  } finally {
    hubUse.memory = undefined
  }
}

const firstSteps = `The exact prompt, for every model. Three commands to start with:

  rolecall run                     evaluate the embedded model: no network, key or GPU
  rolecall render --format chatml  see a chat as a model receives it
  rolecall init                    write a config for your own data and model

rolecall --help lists all commands.
`

/** The arguments without `--lang LANGUAGE`, which earlier versions had; English by default. */
function withoutLanguage(args: readonly string[]): { rest: string[]; language: string } {
  const at = args.findIndex((word) => /^--lang(=|$)/.test(word))
  if (at < 0) return { rest: [...args], language: 'en' }
  const [, language = args[at + 1]] = args[at]!.split('=')
  return { rest: args.toSpliced(at, args[at]!.includes('=') ? 1 : 2), language: language ?? '' }
}

/** Omits the default of switches. */
function describeOption(option: Option): string {
  const isSwitch = typeof option.defaultValue === 'boolean'
  const description = new Help().optionDescription(option)
  return isSwitch
    ? description.replace(/ \((?:default: (?:true|false)(?:, )?)(.*)\)$/, (_, rest: string) => (rest === '' ? '' : ` (${rest})`))
    : description
}
