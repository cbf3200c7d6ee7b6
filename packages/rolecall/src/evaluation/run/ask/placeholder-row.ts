import type { Row } from '@rolecall/core/internal/conversation'
import { dictFromEntries } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { templateFields } from './template-fields.ts'

type TokenMapped = { column_token_map?: Readonly<Record<string, string>> }

/**
 * A row that shows where each field goes, for a dataset whose rows cannot be read: the value of every field is its name, with the number of
 * the example if it is one.
 * @example placeholderRow({ infer_cfg: { prompt_template: { template: 'Q: {question}' } } }) // => { question: '⟨question⟩' }
 */
export function placeholderRow(dataset: DatasetConfig, example?: number): Row {
  const { asked, examples } = templateFields(dataset)
  const { input_columns: inputs = [], output_column: output } = dataset.reader_cfg ?? {}
  const named = [...asked, ...examples].filter(({ is }) => is !== 'text').map(({ name }) => name)
  const { prompt_template: prompt, ice_template: ice } = dataset.infer_cfg
  const mapped = [prompt, ice].flatMap((template) => Object.keys((template as TokenMapped | undefined)?.column_token_map ?? {}))
  const columns = new Set([inputs, named, mapped, output ?? []].flat())
  return dictFromEntries([...columns].map((name) => [name, `⟨${name}${example === undefined ? '' : ` ${example}`}⟩`]))
}
