import { PromptError } from '@rolecall/core/internal/errors'
import type { Command } from 'commander'
import { shownCommand } from './command-words.ts'

/** Flags that mean the same, by what they mean: each is read as the first of these that the command has. */
const meanings: readonly (readonly string[])[] = [
  ['--out', '--output', '--export', '--work-dir', '-o', '--output-path', '--output-dir'],
  ['--models', '--model'],
  ['--datasets', '--dataset'],
  ['--export-format', '--as', '--to'],
]

/** Flags that mean something else here than in most commands: what is meant, by command. */
const answers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  compare: {
    '--models': 'name the models behind the run: rolecall compare RUN#MODEL RUN#MODEL',
    '--model': 'name the models behind the run: rolecall compare RUN#MODEL RUN#MODEL',
    '--data': 'it compares runs: rolecall run --data FOLDER --preset NAME makes one',
  },
  diff: { '--models': 'name the formats or models: rolecall diff MODEL MODEL --config FILE', '--data': 'name the config: --config FILE' },
  lint: {
    '--data': 'a config names its data: rolecall init --data FILE writes one, and rolecall lint checks it',
    '--model': 'name the model after the command: rolecall lint ORG/NAME',
    '--models': 'name the model after the command: rolecall lint ORG/NAME',
  },
  init: { '--models': '--model MODEL: a config starts with one', '--base-url': '--model openai:NAME@URL' },
  serve: { '--base-url': '--model openai:NAME@URL' },
  export: { '--base-url': '--format FORMAT: nothing is sent, only the format is needed' },
  verify: { '--base-url': 'name the server after the command: rolecall verify URL' },
}

/** Commands whose `--model` is a model of its own, and not one of those in a config. */
const takesOwnModel: ReadonlySet<string> = new Set(['run', 'serve', 'chat', 'init', 'export'])

/**
 * The words of a command line with each flag under the name that this command has for it: `-o` writes everywhere, `--models` and `--model`
 * choose where there is one of them.
 */
export function withSameFlags(args: readonly string[], command: Command): string[] {
  const parts = [command, ...command.commands]
  const known = new Set(parts.flatMap(({ options }) => options).flatMap(({ long, short }) => [long, short]))
  const end = args.indexOf('--')
  return args.map((word, index) => {
    if (end >= 0 && index > end) return word
    const [, flag = '', value = ''] = /^(-o|--[a-z][\w-]*)(=.*)?$/s.exec(word) ?? []
    if (flag === '' || known.has(flag)) return word
    const name = command.name()
    const answer = Object.hasOwn(answers, name) ? answers[name]?.[flag] : undefined
    if (answer !== undefined)
      throw new PromptError('usage', { where: flag, problem: `\`rolecall ${shownCommand(name)}\` has no such flag`, fix: answer })
    const same = meanings.find((names) => names.includes(flag))
    const own = same?.find((one) => known.has(one))
    if (own === undefined || (own === '--model' && takesOwnModel.has(name))) return word
    return own + value
  })
}
