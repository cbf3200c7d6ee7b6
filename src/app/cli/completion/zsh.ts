import type { DescribedCommand, DescribedFlag } from './described-commands.ts'
import { quoted } from './quoted.ts'

/** The completion of zsh, with what each command and flag does. */
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
${commands.map(({ name, does }) => `        ${quoted(`${name}:${does}`)}`).join('\n')}
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
  // In these words brackets and colons have a meaning.
  return names.map((name) => quoted(`${name}[${does.replace(/[[\]:]/g, '\\$&')}]${value}`))
}
