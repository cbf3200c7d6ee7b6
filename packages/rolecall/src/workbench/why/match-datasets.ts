import { groupBy } from '../../evaluation/score/evaluate/replicas.ts'

/**
 * Pairs the datasets of two runs: by name, else by what is left of their names without the words that begin or end all of them
 * (`mmlu_law`, `lukaemon_mmlu_law`). Names that differ only in punctuation or case are ambiguous and stay unpaired.
 *
 * @example
 * matchDatasets(['mmlu_law', 'mmlu_art'], ['lukaemon_mmlu_art', 'lukaemon_mmlu_law']) // => [['mmlu_law', 'lukaemon_mmlu_law'], ['mmlu_art', 'lukaemon_mmlu_art']]
 */
export function matchDatasets(first: readonly string[], second: readonly string[]): [first: string, second: string][] {
  const known = new Set(second)
  const same = first.filter((name) => known.has(name)).map((name): [string, string] => [name, name])
  if (same.length > 0) return same
  const [ownOfFirst, ownOfSecond] = [ownWords(first), ownWords(second)]
  const [ones, others] = [groupBy(first, ownOfFirst), groupBy(second, ownOfSecond)]
  return first.flatMap((name): [string, string][] => {
    const words = ownOfFirst(name)
    const [own = [], found = []] = [ones.get(words), others.get(words)]
    return own.length === 1 && found.length === 1 ? [[name, found[0]!]] : []
  })
}

/** The words of a name without those that begin or end all names. */
function ownWords(names: readonly string[]): (name: string) => string {
  const lists = names.map(wordsOf)
  const least = lists.reduce((shortest, { length }) => Math.min(shortest, length), Number.POSITIVE_INFINITY)
  const isCommon = (at: number) => lists.every((words) => words.at(at) === lists[0]!.at(at))
  let [start, end] = [0, 0]
  while (start < least - 1 && isCommon(start)) start++
  while (end < least - 1 - start && isCommon(-1 - end)) end++
  return (name) => {
    const words = wordsOf(name)
    return words.slice(start, words.length - end).join('_')
  }
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}
