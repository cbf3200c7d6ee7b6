import { PromptError } from '../prompt-error.ts'
import { dictEntries, dictGet, dictHas, dictKeys, type PyValue, pyEqual } from '../python/index.ts'
import type { Row } from './row.ts'

/** What a dataset's config says about its retriever. */
export type RetrieverSide = { abbr?: string; infer_cfg: { retriever?: { type?: string; fix_id_list?: readonly number[] } } }

/** The rows that become examples where every row is shown the same ones. */
export function examplesOf({ abbr, infer_cfg: { retriever = {} } }: RetrieverSide, trainRow: (id: number) => Row | undefined): Row[] {
  const type = retrieverType(retriever)
  const where = `${abbr === undefined ? '' : `${abbr} › `}infer_cfg.retriever`
  if (type === 'ZeroRetriever') return []
  return (retriever.fix_id_list ?? []).map((id, index) => {
    const row = trainRow(id)
    if (row) return row
    throw new PromptError('no-row', {
      where: `${where}.fix_id_list[${index}]`,
      problem: `the rows for examples have no row ${id}`,
      fix: id < 0 ? 'choose a number nearer to the end' : 'choose a smaller number',
    })
  })
}

/** The class by its own name; a list of examples without one is meant for FixKRetriever. */
export function retrieverType({ type, fix_id_list: ids }: { type?: string; fix_id_list?: readonly number[] }): string {
  return type?.split('.').at(-1) ?? (ids ? 'FixKRetriever' : 'ZeroRetriever')
}

/**
 * Finds the example that a row equals, so that a prompt which shows its own answer is noticed, also where the two lie in
 * different files.
 *
 * @example
 * exampleLike([{ q: 'a' }, { q: 'b' }])({ q: 'b' }) // => { q: 'b' }
 * exampleLike([{ q: 'a' }])({ q: 'c' }) // => undefined
 * exampleLike([{ q: 1 }])({ q: 1 }) // => { q: 1 }
 * exampleLike([{ q: 'a', n: null }])({ q: 'a', m: null }) // => undefined
 * exampleLike([])({ q: 'a' }) // => undefined
 */
export function exampleLike(examples: readonly Row[]): (row: Row) => Row | undefined {
  const known = examples.map((example) => ({ example, entries: dictEntries(example) }))
  // Nearly all rows differ in the first column already, which is looked up for all examples at once.
  const [first] = known[0]?.entries[0] ?? []
  const firsts = new Set(first === undefined ? [] : examples.map((example) => dictGet(example, first)))
  const isPlain = [...firsts].every((value) => typeof value === 'string')
  return (row) => {
    if (first === undefined || (isPlain && !firsts.has(dictGet(row, first)))) return undefined
    return known.find(({ entries }) => dictKeys(row).length === entries.length && entries.every((entry) => isIn(row, entry)))?.example
  }
}

function isIn(row: Row, [key, value]: readonly [string, PyValue]): boolean {
  return dictHas(row, key) && pyEqual(dictGet(row, key)!, value)
}
