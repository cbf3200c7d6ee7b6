import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Row } from './row.ts'

/** The settings of a dataset's retriever. */
export type ExampleSettings = { abbr?: string; infer_cfg: { retriever?: { type?: string; fix_id_list?: readonly number[] } } }

/** The rows that become examples if every row gets the same ones. */
export function examplesOf({ abbr, infer_cfg: { retriever = {} } }: ExampleSettings, trainRow: (id: number) => Row | undefined): Row[] {
  const type = retrieverType(retriever)
  const where = `${abbr === undefined ? '' : `${abbr} › `}infer_cfg.retriever`
  if (type === 'ZeroRetriever') return []
  return (retriever.fix_id_list ?? []).map((id, index) => {
    const row = trainRow(id)
    if (row) return row
    throw new PromptError('no-row', {
      where: `${where}.fix_id_list[${index}]`,
      problem: `the rows for examples have no row ${id}`,
      fix: id < 0 ? 'choose a number nearer to the end' : fixFor(retriever.fix_id_list!, index),
    })
  })
}

/** Presets and most configs show the first rows, so the first missing one gives their number. */
function fixFor(ids: readonly number[], missing: number): string {
  if (missing === 0 || ids.slice(0, missing + 1).some((id, index) => id !== index)) return 'choose a smaller number'
  const fewer = `${missing} ${missing === 1 ? 'example' : 'examples'}`
  return `show ${fewer}: \`--shots ${missing}\` with a preset, else a shorter fix_id_list`
}

/** The class by its bare name; a list of examples without a class implies FixKRetriever. */
export function retrieverType({ type, fix_id_list: ids }: { type?: string; fix_id_list?: readonly number[] }): string {
  return type?.split('.').at(-1) ?? (ids ? 'FixKRetriever' : 'ZeroRetriever')
}
