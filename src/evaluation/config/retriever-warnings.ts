import type { Note } from '../../base/errors/note.ts'
import { retrieverType } from '../../prompt/conversation/examples-of.ts'

/** Settings that a retriever ignores: FixKRetriever shows the rows of its list, regardless of ice_num. */
export function retrieverWarnings(dataset: object, where: string): Note[] {
  const { infer_cfg: { retriever = {} } = {} } = dataset as {
    infer_cfg?: { retriever?: { type?: string; fix_id_list?: readonly number[]; ice_num?: number; choose?: unknown } }
  }
  if (retrieverType(retriever) !== 'FixKRetriever' || retriever.choose !== undefined) return []
  const { fix_id_list: ids, ice_num: count } = retriever
  const place = `${where}.infer_cfg.retriever`
  if (ids === undefined) {
    return [
      {
        code: 'no-examples',
        where: place,
        text: 'FixKRetriever has no fix_id_list, so that no examples are shown; write e.g. fix_id_list: [0, 1]',
      },
    ]
  }
  if (count === undefined || count === ids.length) return []
  return [
    {
      code: 'unused-option',
      where: `${place}.ice_num`,
      text: `ice_num: ${count} is not used: FixKRetriever shows the rows of fix_id_list (${ids.length})`,
    },
  ]
}
