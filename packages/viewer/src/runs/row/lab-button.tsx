import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { LoadedRow } from '../../data/load.ts'
import { packState } from '../../lab/link.ts'
import { rowTexts } from '../../texts/row.ts'

type LabButtonProps = { model: ModelConfig; dataset: DatasetConfig; row: LoadedRow }

/** Opens the row with its template, format and examples in the lab. */
export function LabButton({ model, dataset, row }: LabButtonProps) {
  const open = async () => {
    const text = (value: unknown) => `${stringifyJson(value as PyValue, { ensureAscii: false, indent: 2 })}\n`
    const { path: _, train_path: __, ...asked } = dataset as DatasetConfig & { path?: unknown; train_path?: unknown }
    const retriever = { type: 'FixKRetriever', fix_id_list: row.examples.map((___, index) => index) }
    const shown = row.examples.length === 0 ? asked : { ...asked, train_rows: row.examples, infer_cfg: { ...asked.infer_cfg, retriever } }
    location.href = `lab.html#s=${await packState({ model: text(model), dataset: text(shown), row: text(row.row), mode: '' })}`
  }
  return (
    <button type="button" onClick={() => void open()}>
      {rowTexts().lab}
    </button>
  )
}
