import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { dictEntries, dictFromEntries, dictGet, dictHas, isList, type PyValue } from '../../base/python/index.ts'
import type { Row } from './row.ts'

/** The columns with an entry for each round of a chat. */
export type RowRounds = ReadonlyMap<string, readonly string[]>

/** Finds them in a row: every input column is a list of texts, otherwise the row is not a chat of rounds. */
export function listsOfRounds(row: Row, inputColumns: readonly string[], outputColumn: string | undefined): RowRounds | undefined {
  const names = [...inputColumns, ...(outputColumn ? [outputColumn] : [])].filter((name) => dictHas(row, name))
  const lists = new Map<string, readonly string[]>()
  for (const name of names) {
    const value = dictGet(row, name)!
    if (!isTexts(value)) return undefined
    lists.set(name, value)
  }
  return lists.size === 0 ? undefined : lists
}

/** The number of rounds: if lists differ in length, as many as OpenCompass takes. */
export function countRounds(lists: RowRounds): number {
  return Math.min(...[...lists.values()].map(({ length }) => length))
}

/** One row per round: its entries of the lists, and all other columns unchanged. */
export function roundsOfRow(row: Row, lists: RowRounds, quirks: Quirks): { rounds: Row[]; notes: Note[] } {
  const count = countRounds(lists)
  const where = [...lists.keys()].join(', ')
  const lengths = [...lists].map(([name, { length }]) => `${name} has ${length}`).join(', ')
  if (count === 0) {
    throw new PromptError('no-rounds', {
      where,
      problem: `a chat has a round for each entry of its lists, and there is an empty one: ${lengths}`,
      fix: 'give every list an entry for each round, or leave the row out',
    })
  }
  const isEven = [...lists.values()].every(({ length }) => length === count)
  if (!isEven && !quirks.has('chat-rounds-cut')) {
    throw new PromptError('uneven-rounds', {
      where,
      problem: `a chat has a round for each entry of its lists, and they differ in length: ${lengths}`,
      fix: "give each as many entries as there are rounds; '' stands for an answer that is not known",
    })
  }
  const columns = dictEntries(row)
  const roundAt = (round: number) =>
    dictFromEntries(columns.map(([name, value]): [string, PyValue] => [name, lists.get(name)?.[round] ?? value]))
  return {
    rounds: Array.from({ length: count }, (_, round) => roundAt(round)),
    notes: isEven ? [] : [{ code: 'rounds-cut', where, text: `OpenCompass asks as many rounds as the shortest list has: ${lengths}` }],
  }
}

function isTexts(value: PyValue): value is readonly string[] {
  return isList(value) && value.every((one) => typeof one === 'string')
}
