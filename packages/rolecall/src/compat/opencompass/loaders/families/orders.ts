import { isList, type PyValue } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { isTable, type Loaded, type Loader, type Settings } from '../loader.ts'
import { at, letter, type RowDict } from '../row-values.ts'
import { dictsOf, fromList, type Table } from '../table.ts'

type Orders = {
  /** The splits to reorder; all rows if there are no splits. */
  splits?: readonly string[]
  /** The columns of the choices. */
  options?: readonly string[]
  answer?: string
  /** Whether the answer is a letter while the columns have other names. */
  isLetter?: boolean
}

/** A loader that repeats its rows for each order of their choices (OpenCompass's CircularEval). */
export function inOrders(loader: Loader, { splits = [], options, answer, isLetter = false }: Orders): Loader {
  const inOrder = async (settings: Settings, load: () => Promise<Loaded>): Promise<Loaded> => {
    const keys = (settings.get('option_keys') as readonly string[] | undefined) ?? options
    if (!isList(keys)) throw new BadData('the dataset\'s config has no "option_keys"')
    const key = settings.has('answer_key') ? settings.text('answer_key') : answer
    if (key === undefined) throw new BadData('the dataset\'s config has no "answer_key"')
    const patterns = patternsOf(settings.text('circular_patterns', 'circular'), keys as string[])
    const loaded = await load()
    const ordered = (table: Table) =>
      fromList(dictsOf(table).flatMap((row, qid) => rowsOf(row, qid, { keys: keys as string[], key, patterns, isLetter })))
    if (isTable(loaded)) return ordered(loaded)
    return Object.fromEntries(Object.entries(loaded).map(([split, table]) => [split, splits.includes(split) ? ordered(table) : table]))
  }
  const { hub } = loader
  return {
    reads: loader.reads,
    takes: [...loader.takes, 'circular_patterns?', 'option_keys?', 'answer_key?'],
    load: (data, settings) => inOrder(settings, () => loader.load(data, settings)),
    ...(hub === undefined ? {} : { hub: (rows, settings) => inOrder(settings, () => hub(rows, settings)) }),
  }
}

function patternsOf(name: string, keys: readonly string[]): string[][] {
  if (name === 'circular') return keys.map((_, first) => [...keys.slice(first), ...keys.slice(0, first)])
  if (name === 'all_possible') return permutations(keys)
  throw new BadData(`"circular_patterns" is neither circular nor all_possible`)
}

function permutations(keys: readonly string[]): string[][] {
  if (keys.length < 2) return [[...keys]]
  return keys.flatMap((key, index) => permutations([...keys.slice(0, index), ...keys.slice(index + 1)]).map((rest) => [key, ...rest]))
}

function rowsOf(
  row: RowDict,
  qid: number,
  { keys, key, patterns, isLetter }: { keys: string[]; key: string; patterns: string[][]; isLetter: boolean },
): RowDict[] {
  return patterns.map((pattern) => {
    const changed: RowDict = new Map(row)
    pattern.forEach((to, index) => {
      changed.set(to, at(row, keys[index]!))
    })
    const answer: PyValue = at(row, key)
    if (isLetter) {
      const place = typeof answer === 'string' ? answer.charCodeAt(0) - 65 : -1
      const to = pattern[place]
      if (to === undefined) throw new BadData('the answer is not the letter of a choice')
      changed.set(key, letter(keys.indexOf(to)))
    } else if (typeof answer === 'string' && keys.includes(answer)) changed.set(key, pattern[keys.indexOf(answer)]!)
    changed.set('qid', qid)
    changed.set('circular_pattern', pattern)
    return changed
  })
}
