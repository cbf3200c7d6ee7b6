import { PromptError } from '../prompt-error.ts'
import type { Row } from './row.ts'

/** What a dataset's config says about its retriever. */
export type RetrieverSide = { abbr?: string; infer_cfg: { retriever?: { type?: string; fix_id_list?: readonly number[] } } }

/** The rows that become examples. Retrievers that choose by the row being asked come with evaluation. */
export function examplesOf({ abbr, infer_cfg: { retriever } }: RetrieverSide, train: readonly Row[]): Row[] {
  const type = retriever?.type?.split('.').at(-1) ?? 'ZeroRetriever'
  const where = `${abbr === undefined ? '' : `${abbr} › `}infer_cfg.retriever`
  if (type === 'ZeroRetriever') return []
  if (type !== 'FixKRetriever') {
    throw new PromptError('unknown-retriever', {
      where: `${where}.type`,
      problem: `"${type}" is not available yet`,
      fix: 'use ZeroRetriever or FixKRetriever',
    })
  }
  return (retriever?.fix_id_list ?? []).map((id, index) => {
    const row = train[id]
    if (row) return row
    throw new PromptError('no-row', {
      where: `${where}.fix_id_list[${index}]`,
      problem: `there is no row ${id} (there are ${train.length})`,
      fix: `use numbers from 0 to ${train.length - 1}`,
    })
  })
}
