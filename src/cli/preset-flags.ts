import { type Command, InvalidArgumentError } from 'commander'

/** The flags that put a known benchmark in place of the config's datasets. */
export function withPresetOptions(command: Command): Command {
  return command
    .option('--preset <name>', 'a known benchmark instead of the datasets of the config; `rolecall presets` lists them')
    .option('--data <folder>', 'with --preset: the folder with its files, as they were downloaded')
    .option('--shots <number>', 'with --preset: how many examples are shown', wholeNumber)
    .option('--subjects <names>', 'with --preset: only these subjects, separated by commas')
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is a whole number, e.g. 5.')
  return Number(text)
}
