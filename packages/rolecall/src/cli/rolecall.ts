import { PromptError } from '@rolecall/core/internal/errors'
import { Command, CommanderError, Help, type Option } from 'commander'
import { hubUse } from '../node/hub/hub-use.ts'
import { ownVersion } from '../node/own-files.ts'
import { commands } from './commands.ts'
import { exitCodes, exitList, setExitCode } from './exit-codes.ts'
import { withHarnessWords } from './harness-words.ts'
import { useHubNames } from './hub-names.ts'
import { withMode } from './open-compass-words.ts'
import { ownCommandWords } from './words/command-words.ts'
import { guardRepeats, withListWords } from './words/list-words.ts'
import { overview } from './words/overview.ts'
import { withSameFlags } from './words/same-flags.ts'

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
    // Mistakes are printed in the form of every error.
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', '`rolecall <command> --help` shows its flags, with examples; `--help all` every one.')
    .addHelpText('after', exitList())

  if (args.every((word) => word === '--no-color')) return void process.stdout.write(overview)
  const isAll = helpAsked(args) === 'all'
  if (isAll) args = args.filter((word, index) => !(word === 'all' && isHelpFlag(args[index - 1])))
  try {
    const { args: words, note } = ownCommandWords(args)
    args = words
    const inMode = withMode(args)
    args = inMode.words
    await printNotes([note, inMode.note].flatMap((text) => text ?? []))
  } catch (error) {
    return (await import('./report-error.ts')).reportError(error, args.includes('--json'))
  }
  const help = isAll ? 'all' : helpAsked(args)
  const [named = ''] = args.filter((word) => !word.startsWith('-'))
  if (named === '' && help === 'short') return void process.stdout.write(overview)
  let loaded: Command | undefined
  for (const { name, task, does, load } of commands) {
    // Only the requested command is loaded, for a fast start.
    const command = name === named ? (await load()).copyInheritedSettings(program) : new Command(name)
    if (name === named) {
      loaded = command
      try {
        const { words, notes } = await withHarnessWords(withSameFlags(args, command), command)
        await printNotes(notes)
        args = withListWords(words, command)
        guardRepeats(command)
      } catch (error) {
        return (await import('./report-error.ts')).reportError(error, args.includes('--json'))
      }
    }
    for (const part of command.commands) part.copyInheritedSettings(command).helpOption('-h, --help', 'show help')
    program.addCommand(command.summary(does).helpGroup(`${task}:`))
  }
  if (loaded && help === 'short') {
    const [, part = ''] = args.filter((word) => !word.startsWith('-'))
    const named = loaded.commands.find((one) => one.name() === part)
    return void (await printShortHelp(named ?? loaded, named && loaded))
  }

  program.hook('preAction', (_, command) => useHubNames(command))
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (thrown) {
    const isHelpShown = thrown instanceof CommanderError && thrown.exitCode === exitCodes.ok.code
    const error =
      thrown instanceof CommanderError && !isHelpShown ? (await import('./words/usage-error.ts')).usageError(thrown, loaded) : thrown
    // `--help` and `--version` also end here.
    if (isHelpShown) setExitCode({ exit_code: exitCodes.ok.code })
    else {
      const { failureOfError, reportError } = await import('./report-error.ts')
      reportError(error, args.includes('--json'))
      // Other errors of `run` come after its events were opened.
      if (error instanceof PromptError && error.code === 'usage' && named === 'run') {
        const { finishEvents } = await import('./run/event-log.ts')
        finishEvents(args, failureOfError(error))
      }
    }
  } finally {
    hubUse.memory = undefined
  }
}

async function printNotes(notes: readonly string[]): Promise<void> {
  if (notes.length === 0) return
  const { colors } = await import('./terminal.ts')
  for (const note of notes) process.stderr.write(`${colors.yellow('note')} ${note}\n`)
}

function isHelpFlag(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}

/** Whether help is asked for, and how much: `--help all` is every flag. */
function helpAsked(args: readonly string[]): 'short' | 'all' | undefined {
  const end = args.indexOf('--')
  const words = end < 0 ? args : args.slice(0, end)
  const at = words.findIndex(isHelpFlag)
  if (at < 0) return undefined
  return words[at + 1] === 'all' ? 'all' : 'short'
}

async function printShortHelp(command: Command, parent?: Command): Promise<void> {
  const { shortHelp } = await import('./words/short-help.ts')
  const { screenWidth } = await import('./terminal.ts')
  let full = ''
  command.configureOutput({ writeOut: (text) => (full += text), writeErr: () => {} })
  command.outputHelp()
  command.configureOutput({ writeOut: (text) => process.stdout.write(text) })
  process.stdout.write(`${shortHelp(command, full, screenWidth(), parent)}\n`)
}

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
