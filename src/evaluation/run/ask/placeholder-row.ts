import { dictFromEntries } from '../../../base/python/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { templateFields } from './template-fields.ts'

/**
 * A row that shows where each field goes, for a dataset whose rows cannot be read: the value of every field is its name.
 * @example placeholderRow({ infer_cfg: { prompt_template: { template: 'Q: {question}' } } }) // => { question: '⟨question⟩' }
 */
export function placeholderRow(dataset: DatasetConfig): Row {
  const { asked, examples } = templateFields(dataset)
  const { input_columns: inputs = [], output_column: output } = dataset.reader_cfg ?? {}
  const named = [...asked, ...examples].filter(({ is }) => is !== 'text').map(({ name }) => name)
  const columns = new Set([inputs, named, output ?? []].flat())
  return dictFromEntries([...columns].map((name) => [name, `⟨${name}⟩`]))
}
