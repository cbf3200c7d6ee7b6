import type { DescribedCommand, DescribedFlag } from './described-commands.ts'

/** A completion script for fish, with descriptions. */
export function fishCompletion(commands: readonly DescribedCommand[]): string {
  const first = commands.map(({ name, does }) => `complete -c rolecall -n __fish_use_subcommand -f -a ${quoted(name)} -d ${quoted(does)}`)
  return `# Completion of rolecall for fish:  rolecall completion fish > ~/.config/fish/completions/rolecall.fish
${first.join('\n')}
${commands.flatMap(commandLines).join('\n')}
`
}

function commandLines({ name, flags, values }: DescribedCommand): string[] {
  const start = `complete -c rolecall -n '__fish_seen_subcommand_from ${name}'`
  const ofArguments = values.length > 0 ? [`${start} -f -a ${quoted(values.join(' '))}`] : []
  return [...ofArguments, ...flags.map((flag) => `${start} ${flagWords(flag)}`)]
}

function flagWords({ names, does, takesValue, values }: DescribedFlag): string {
  const words = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const value = !takesValue ? [] : values.length > 0 ? ['-x', `-a ${quoted(values.join(' '))}`] : ['-r']
  return [...words, ...value, `-d ${quoted(does)}`].join(' ')
}

/** In fish, backslashes are special within single quotes. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}
