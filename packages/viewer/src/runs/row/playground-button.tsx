import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { LoadedRow } from '../../data/load.ts'
import { packState } from '../../playground/state.ts'
import { go } from '../../route.ts'
import { rowTexts } from '../../texts/row.ts'

type PlaygroundButtonProps = { model: ModelConfig; dataset: DatasetConfig; row: LoadedRow }

/** Opens the row with its template, format and examples in the playground. */
export function PlaygroundButton({ model, dataset, row }: PlaygroundButtonProps) {
  const open = async () => {
    const text = (value: unknown) => `${stringifyJson(value as PyValue, { ensureAscii: false, indent: 2 })}\n`
    const { path: _, train_path: __, ...asked } = dataset as DatasetConfig & { path?: unknown; train_path?: unknown }
    const retriever = { type: 'FixKRetriever', fix_id_list: row.examples.map((___, index) => index) }
    const shown = row.examples.length === 0 ? asked : { ...asked, train_rows: row.examples, infer_cfg: { ...asked.infer_cfg, retriever } }
    const s = await packState({ model: text(model), dataset: text(shown), row: text(row.row), mode: '' })
    go({ page: 'playground', query: { s } })
  }
  return (
    <button type="button" onClick={() => void open()}>
      {rowTexts().playground}
    </button>
  )
}
