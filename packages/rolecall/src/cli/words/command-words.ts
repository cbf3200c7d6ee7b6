import { nearestName, PromptError } from '@rolecall/core/internal/errors'
import { commands } from '../commands.ts'

/** The command that a command line starts, and what its older name is called now. */
export type OwnCommand = { args: string[]; note?: string }

/** Commands of two words, by the single word that each had before and that still loads it. */
const twoWords: Readonly<Record<string, string>> = {
  'list formats': 'formats',
  'list presets': 'presets',
  'runs merge': 'merge',
  'runs watch': 'ctl',
  'runs ctl': 'ctl',
  'runs queue': 'queue',
  'runs worker': 'worker',
  'export results': 'publish',
  'export training': 'export',
}

/** What older names are called now; `runs watch` is one action of `runs ctl`. */
const newNames = new Map([
  ...Object.entries(twoWords)
    .filter(([words]) => words !== 'runs watch')
    .map(([words, word]) => [word, words] as const),
  ['annotations', 'view --annotations'] as const,
])

/** What other programs call our commands. */
const otherNames: Readonly<Record<string, string>> = {
  eval: 'run',
  evaluate: 'run',
  test: 'run',
  bench: 'run',
  ls: 'list',
  tasks: 'list tasks',
  models: 'list models',
  evaluators: 'list evaluators',
  report: 'export report',
  watch: 'runs watch',
  diagnose: 'doctor',
  prompt: 'render',
  tokenize: 'tokens',
}

/**
 * Finds the command that a command line starts: two words, an older name, or another program's word, which is answered with ours.
 *
 * @example
 * ownCommandWords(['runs', 'merge', 'parts']).args // => ['merge', 'parts']
 */
export function ownCommandWords(args: readonly string[]): OwnCommand {
  const at = args.findIndex((word) => !word.startsWith('-'))
  const first = args[at]
  if (first === undefined) return { args: [...args] }
  if (first === 'help') {
    const { args: named } = ownCommandWords(args.slice(at + 1))
    return { args: named.length === 0 ? ['--help'] : [...named, '--help'] }
  }
  const [before, rest] = [args.slice(0, at), args.slice(at + 1)]
  const second = rest[0] ?? ''
  const single = twoWords[`${first} ${second}`]
  if (single !== undefined) return { args: [...before, single, ...rest.slice(1)] }
  if (first === 'export' && second === 'report') return { args: [...before, 'view', ...asReport(rest.slice(1))] }
  if (first === 'view' && rest.includes('--annotations'))
    return { args: [...before, 'annotations', ...rest.filter((word) => word !== '--annotations')] }
  if (first === 'runs') throw incomplete(first, second)
  const now = newNames.get(first)
  // The help of `export` is that of its three kinds.
  if (now !== undefined && !(first === 'export' && isHelp(second))) return { args: [...args], note: `\`${first}\` is now \`${now}\`` }
  if (!commands.some(({ name }) => name === first)) throw unknownCommand(first)
  return { args: [...args] }
}

/** The words of a command as help and errors show it. */
export function shownCommand(name: string): string {
  return newNames.get(name) ?? name
}

/** `-o` of a report is the target of the viewer's export. */
function asReport(words: readonly string[]): string[] {
  const named = words.map((word) => (word === '-o' || word === '--output' || word === '--out' ? '--export' : word))
  return named.includes('--export') || named.some(isHelp) ? named : [...named, '--export', 'report.html']
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

function incomplete(first: string, second: string): PromptError {
  const kinds = Object.keys(twoWords).flatMap((words) => (words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : []))
  const near = nearestName(second, kinds)
  return new PromptError('usage', {
    where: `rolecall ${first}`,
    problem: second === '' || second.startsWith('-') ? `it needs one of: ${kinds.join(', ')}` : `there is no \`${first} ${second}\``,
    fix: near === undefined ? `for example: rolecall ${first} ${kinds[0]}` : `did you mean \`rolecall ${first} ${near}\`?`,
  })
}

function unknownCommand(name: string): PromptError {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
  const shown = commands.map((command) => command.name).filter((command) => !newNames.has(command))
  const near = nearestName(name, [...shown, 'runs', 'list', 'export'])
  const fix =
    other !== undefined
      ? `here it is: rolecall ${other}`
      : near !== undefined
        ? `did you mean \`rolecall ${near}\`? All: rolecall --help`
        : 'all commands: rolecall --help'
  return new PromptError('usage', { where: name, problem: 'there is no such command', fix })
}
