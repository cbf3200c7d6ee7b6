import { Command, CommanderError, Help, type Option } from 'commander'
import { ownVersion } from '../node/own-files.ts'
import { commands } from './commands.ts'

/** Runs `rolecall ARGS` in this process; sets `process.exitCode` instead of exiting. */
export async function rolecall(args: readonly string[]): Promise<void> {
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
    .addHelpText('after', '\n`rolecall <command> --help` shows its flags, with examples.')

  if (args.every((word) => word === '--no-color')) return void process.stdout.write(firstSteps)
  const [requested = '', next = ''] = args.filter((word) => !word.startsWith('-'))
  const named = requested === 'help' ? next : requested
  for (const { name, task, does, load } of commands) {
    // Only the requested command is loaded, for a fast start.
    const command = name === named ? (await load()).copyInheritedSettings(program) : new Command(name)
    program.addCommand(command.summary(does).helpGroup(`${task}:`))
  }

  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    // `--help` and `--version` also end here.
    if (error instanceof CommanderError && error.exitCode === 0) process.exitCode = 0
    else (await import('./report-error.ts')).reportError(error, args.includes('--json'))
  }
}

const firstSteps = `The exact prompt, for every model. Three commands to start with:

  rolecall run                     evaluate the embedded model: no network, key or GPU
  rolecall render --format chatml  see a chat as a model receives it
  rolecall init                    write a config for your own data and model

rolecall --help lists all commands.
`

/** Omits the default of switches. */
function describeOption(option: Option): string {
  const isSwitch = typeof option.defaultValue === 'boolean'
  const description = new Help().optionDescription(option)
  return isSwitch
    ? description.replace(/ \((?:default: (?:true|false)(?:, )?)(.*)\)$/, (_, rest: string) => (rest === '' ? '' : ` (${rest})`))
    : description
}
