import { type DescribedCommand, type DescribedFlag, shellQuote } from './described-commands.ts'

/** A completion script for bash, without bash-completion and without starting Node. */
export function bashCompletion(commands: readonly DescribedCommand[]): string {
  return `# Completion of rolecall for bash. Load it in ~/.bashrc:  eval "$(rolecall completion bash)"
_rolecall() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" one
  COMPREPLY=()
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$one" in -*) ;; *) command="$one"; break ;; esac
  done
  case "$command" in
    "") words=${shellQuote(`${commands.map(({ name }) => name).join(' ')} --help --version --no-color`)} ;;
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
  // A word without a dash is a known value or a file.
  const rest = `case "$word" in -*) words=${shellQuote(names.join(' '))} ;; *) words=${shellQuote(values.join(' '))} ;; esac`
  if (cases.length === 0) return `    ${name}) ${rest} ;;`
  return `    ${name})
      case "$before" in
${cases.join('\n')}
        *) ${rest} ;;
      esac ;;`
}

function valueCase({ names, values }: DescribedFlag): string {
  return `        ${names.join('|')}) words=${shellQuote(values.join(' '))} ;;`
}
