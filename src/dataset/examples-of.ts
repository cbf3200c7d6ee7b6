import { PromptError } from '../prompt-error.ts'
import { compactJson, dictGet, dictKeys } from '../python/index.ts'
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
 * Finds the example that a row is, to the letter, so that a prompt which shows its own answer is noticed, also where the two
 * lie in different files.
 *
 * @example
 * exampleLike([{ q: 'a' }, { q: 'b' }])({ q: 'b' }) // => { q: 'b' }
 * exampleLike([{ q: 'a' }])({ q: 'c' }) // => undefined
 * exampleLike([{ q: 1 }])({ q: true }) // => undefined
 * exampleLike([{ q: 'a', n: null }])({ n: null, q: 'a' }) // => undefined
 * exampleLike([])({ q: 'a' }) // => undefined
 */
export function exampleLike(examples: readonly Row[]): (row: Row) => Row | undefined {
  const [first] = dictKeys(examples[0] ?? {})
  if (first === undefined) return () => undefined
  const known = new Map([...examples].reverse().map((example) => [compactJson(example), example]))
  // Nearly all rows differ in the first column already, which is looked up for all examples at once.
  const firsts = new Set(examples.map((example) => dictGet(example, first)))
  const isPlain = [...firsts].every((value) => typeof value !== 'object')
  return (row) => {
    if (isPlain && !firsts.has(dictGet(row, first))) return undefined
    const found = known.get(compactJson(row))
    // JSON has no columns without a value.
    return found && dictKeys(found).length === dictKeys(row).length ? found : undefined
  }
}
