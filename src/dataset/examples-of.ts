import { PromptError } from '../prompt-error.ts'
import { dictEntries, dictGet, dictKeys, type PyValue, pyEqual } from '../python/index.ts'
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
 */
export function exampleLike(examples: readonly Row[]): (row: Row) => Row | undefined {
  const known = examples.map((example) => ({ example, entries: dictEntries(example) }))
  const same =
    (row: Row) =>
    ([key, value]: readonly [string, PyValue]) => {
      const own = dictGet(row, key)
      return typeof value === 'string' ? own === value : pyEqual(own ?? null, value)
    }
  // Nearly all rows differ in their first column already.
  return (row) =>
    known.find(({ example, entries }) => example === row || (entries.every(same(row)) && dictKeys(row).length === entries.length))?.example
}
