import type { Argument, Command, Option } from 'commander'

/** A flag as shells complete it. `values` are those it can have where they are known; a flag without either takes none. */
export type DescribedFlag = { names: readonly string[]; does: string; takesValue: boolean; values: readonly string[] }

/** A command as shells complete it; `values` are those its arguments can have where they are known, else they are files. */
export type DescribedCommand = { name: string; does: string; flags: readonly DescribedFlag[]; values: readonly string[] }

/** Names that are written in other tables than the commands': of formats, of benchmarks. */
export type KnownNames = Readonly<Record<string, readonly string[]>>

/** What completion needs to know of commands: their flags and values, from the tables that `--help` is made of. */
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

const help: DescribedFlag = { names: ['-h', '--help'], does: 'show what the command does', takesValue: false, values: [] }

function describeFlag(option: Option, known: KnownNames): DescribedFlag {
  const names = [option.short, option.long].filter((name) => name !== undefined)
  const takesValue = option.required || option.optional
  const values = takesValue ? (option.argChoices ?? known[option.long ?? ''] ?? []) : []
  return { names, does: firstWords(option.description), takesValue, values }
}

function argumentValues(argument: Argument, command: Command, known: KnownNames): readonly string[] {
  return argument.argChoices ?? known[command.name()] ?? []
}

/** A shell has a line for a flag: what stands before the first semicolon is enough. */
function firstWords(description: string): string {
  return description.split(/; | \(by default/)[0]!.replace(/\s+/g, ' ')
}
