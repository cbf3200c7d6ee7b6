import type { DescribedCommand, DescribedFlag } from './described-commands.ts'
import { quoted } from './quoted.ts'

/** The completion of bash; it needs neither the package bash-completion nor a start of Node. */
export function bashCompletion(commands: readonly DescribedCommand[]): string {
  return `# Completion of rolecall for bash. Load it in ~/.bashrc:  eval "$(rolecall completion bash)"
_rolecall() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" one
  COMPREPLY=()
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$one" in -*) ;; *) command="$one"; break ;; esac
  done
  case "$command" in
    "") words=${quoted(`${commands.map(({ name }) => name).join(' ')} --help --version --no-color`)} ;;
${commands.map(commandCase).join('\n')}
    *) return ;;
  esac
  if [ -n "$words" ]; then
    local IFS=$' \\n'
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -o bashdefault -o default -F _rolecall rolecall
`
}

function commandCase({ name, flags, values }: DescribedCommand): string {
  const cases = flags.filter(({ takesValue }) => takesValue).map(valueCase)
  const names = flags.flatMap((flag) => flag.names)
  // A word that begins with no dash is a value, where these are known, or a file.
  const rest = `case "$word" in -*) words=${quoted(names.join(' '))} ;; *) words=${quoted(values.join(' '))} ;; esac`
  if (cases.length === 0) return `    ${name}) ${rest} ;;`
  return `    ${name})
      case "$before" in
${cases.join('\n')}
        *) ${rest} ;;
      esac ;;`
}

function valueCase({ names, values }: DescribedFlag): string {
  return `        ${names.join('|')}) words=${quoted(values.join(' '))} ;;`
}
