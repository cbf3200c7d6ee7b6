import { nearestName, PromptError, suggestName } from '@rolecall/core/internal/errors'
import type { Command, CommanderError, Option } from 'commander'
import { shownCommand } from './command-words.ts'

/** What other programs call our flags; a name counts where the command has ours. */
const otherFlags: Readonly<Record<string, string>> = {
  '--repeat': '--epochs',
  '--repeats': '--epochs',
  '--num-repeats': '--epochs',
  '--max-token': '--max-out-len',
  '--max-tokens': '--max-out-len',
  '--max-new-tokens': '--max-out-len',
  '--max-gen-toks': '--max-out-len',
  '--max-concurrency': '--max-num-workers',
  '--concurrency': '--max-num-workers',
  '--max-connections': '--max-num-workers',
  '--output': '--work-dir',
  '--output-dir': '--work-dir',
  '--resume': '--reuse',
  '--temp': '--temperature',
  '--model-name': '--models',
  '--dataset': '--datasets',
  '--task': '--tasks',
  '--dry': '--dry-run',
}

/** A mistake in the command line, in the form of every error: place, cause, fix. */
export function usageError(error: CommanderError, command: Command | undefined): PromptError {
  const shown = command ? `rolecall ${shownCommand(command.name())}` : 'rolecall'
  const options = command ? [command, ...command.commands].flatMap((part) => part.options) : []
  const message = error.message.replace(/^error: /, '')
  const flagOf = (pattern: RegExp) => {
    const flags = pattern.exec(message)?.[1] ?? ''
    return options.find((option) => option.flags === flags)
  }
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownFlag(/'(-[^']*)'/.exec(message)?.[1] ?? '', shown, options)
    case 'commander.optionMissingArgument': {
      const option = flagOf(/^option '(.+)' argument missing/)
      return usage(option?.long ?? shown, 'it takes a value', about(option))
    }
    case 'commander.invalidArgument': {
      const choice = /^command-argument value '([^']*)' is invalid for argument '([^']*)'\. Allowed choices are (.*?)\.?$/.exec(message)
      if (choice) {
        const [, value = '', name = '', choices = ''] = choice
        return usage(`${shown} ${value}`, `"${value}" is no ${name.toUpperCase()} of it`, suggestName(value, choices.split(', ')))
      }
      const [, , value = '', why = ''] =
        /^(option|command-argument value) .* (?:argument )?'([^']*)'(?: from env .*)? is invalid\. ?(.*)$/s.exec(message) ?? []
      const option = flagOf(/^option '(.+)' argument '/)
      return usage(option ? `${option.long ?? option.short} ${value}` : shown, why === '' ? message : why.replace(/\.$/, ''), about(option))
    }
    case 'commander.missingArgument': {
      const name = /'([^']+)'/.exec(message)?.[1] ?? ''
      const argument = command?.registeredArguments.find((one) => one.name() === name)
      // The config behind `--report` was meant to be read, not written.
      const { report } = command?.opts<{ report?: string }>() ?? {}
      if (command?.name() === 'import' && report?.endsWith('.py'))
        return usage(
          `--report ${report}`,
          'the report is written to this file, and nothing is named to report on',
          `${shown} ${report} --report table.md`,
        )
      return usage(shown, `it needs ${name.toUpperCase()}${argument ? `: ${argument.description}` : ''}`, `${shown} ${name.toUpperCase()}`)
    }
    case 'commander.missingMandatoryOptionValue': {
      const option = flagOf(/^required option '(.+)' not specified/)
      return usage(option?.long ?? shown, `${shown} needs it`, about(option))
    }
    case 'commander.excessArguments': {
      const names = (command?.registeredArguments ?? []).map((argument) => argument.name().toUpperCase())
      const takes = names.length === 0 ? 'takes no arguments' : `takes ${names.length} (${names.join(', ')})`
      const [, given = ''] = /but got (\d+)/.exec(message) ?? []
      return usage(shown, `it ${takes}, and ${given} are given`, 'quote names that contain blanks; flags begin with --')
    }
    case 'commander.unknownCommand': {
      const name = /'([^']*)'/.exec(message)?.[1] ?? ''
      const parts = (command?.commands ?? []).map((part) => part.name())
      return usage(`${shown} ${name}`, `${shown} has no "${name}"`, suggestName(name, parts))
    }
    default:
      return usage(shown, message.replace(/\.$/, ''), `its arguments and flags: ${shown} --help`)
  }
}

function unknownFlag(given: string, shown: string, options: readonly Option[]): PromptError {
  const flag = given.replace(/=.*/s, '')
  const known = options.flatMap(({ long, hidden }) => (long === undefined || hidden ? [] : [long]))
  const other = Object.hasOwn(otherFlags, flag) ? otherFlags[flag] : undefined
  const near = other !== undefined && known.includes(other) ? other : nearestName(flag, known)
  const all = `All flags: ${shown} --help all`
  return usage(
    flag,
    `\`${shown}\` has no such flag`,
    near === undefined ? all.replace('All', 'all') : near === other ? `here it is ${near}` : `did you mean ${near}? ${all}`,
  )
}

/** What a flag means. */
function about(option: Option | undefined): string {
  return option ? `${option.flags}: ${option.description}` : 'see --help'
}

function usage(where: string, problem: string, fix: string): PromptError {
  return new PromptError('usage', { where, problem, fix })
}
