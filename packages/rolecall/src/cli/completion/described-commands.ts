import type { Argument, Command, Option } from 'commander'

/** A flag for completion; `values` are its known values. */
export type DescribedFlag = { names: readonly string[]; does: string; takesValue: boolean; values: readonly string[] }

/** A command for completion; `values` are the known values of its arguments, which are files otherwise. */
export type DescribedCommand = { name: string; does: string; flags: readonly DescribedFlag[]; values: readonly string[] }

/** Known values by flag or command: names of formats and benchmarks. */
export type KnownNames = Readonly<Record<string, readonly string[]>>

/** Describes commands for completion from the data behind `--help`. */
export function describeCommands(commands: readonly Command[], known: KnownNames): DescribedCommand[] {
  return commands.map((command) => ({
    name: command.name(),
    does: command.description(),
    flags: [
      ...[command, ...command.commands]
        .flatMap(({ options }) => options)
        .filter(({ hidden }) => !hidden)
        .map((option) => describeFlag(option, known)),
      help,
    ],
    values: [
      ...command.commands.map((one) => one.name()),
      ...command.registeredArguments.flatMap((one) => argumentValues(one, command, known)),
    ],
  }))
}

/** Quotes a word for bash and zsh. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const help: DescribedFlag = { names: ['-h', '--help'], does: 'show help', takesValue: false, values: [] }

function describeFlag(option: Option, known: KnownNames): DescribedFlag {
  const names = [option.short, option.long].filter((name) => name !== undefined)
  const takesValue = option.required || option.optional
  const values = takesValue ? (option.argChoices ?? known[option.long ?? ''] ?? []) : []
  return { names, does: shortDescription(option.description), takesValue, values }
}

function argumentValues(argument: Argument, command: Command, known: KnownNames): readonly string[] {
  return argument.argChoices ?? known[command.name()] ?? []
}

/** Shells show one line per flag: the text before the first semicolon. */
function shortDescription(description: string): string {
  return description.split(/; | \(by default/)[0]!.replace(/\s+/g, ' ')
}
