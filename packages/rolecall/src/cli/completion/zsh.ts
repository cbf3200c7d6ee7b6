import { type DescribedCommand, type DescribedFlag, shellQuote } from './described-commands.ts'

/** A completion script for zsh, with descriptions. */
export function zshCompletion(commands: readonly DescribedCommand[]): string {
  return `#compdef rolecall
# Completion of rolecall for zsh. Load it in ~/.zshrc, after compinit:  eval "$(rolecall completion zsh)"
_rolecall() {
  local line state
  local -a commands
  _arguments -C '--version[print the version]' '--no-color[print without colours]' '1: :->command' '*:: :->rest'
  case "$state" in
    command)
      commands=(
${commands.map(({ name, does }) => `        ${shellQuote(`${name}:${does}`)}`).join('\n')}
      )
      _describe command commands ;;
    rest)
      case "$line[1]" in
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
}
compdef _rolecall rolecall
`
}

function commandCase({ name, flags, values }: DescribedCommand): string {
  const rest = values.length > 0 ? `'*: :(${values.join(' ')})'` : `'*:file:_files'`
  return `        ${name}) _arguments ${[...flags.flatMap(flagWords), rest].join(' ')} ;;`
}

function flagWords({ names, does, takesValue, values }: DescribedFlag): string[] {
  const value = !takesValue ? '' : values.length > 0 ? `: :(${values.join(' ')})` : ':value:_files'
  // Brackets and colons are special here.
  return names.map((name) => shellQuote(`${name}[${does.replace(/[[\]:]/g, '\\$&')}]${value}`))
}
