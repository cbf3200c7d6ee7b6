import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { tokenCounter } from '@rolecall/core/internal/tokenizer'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { openRows } from '../../node/rows/open-rows.ts'
import type { LintedPrompt, LintedRow } from '../../workbench/lint/dataset-rule.ts'
import { rowsOf } from '../render/dataset-rows.ts'
import { type View, viewRows } from '../render/view.ts'

/** Used for configs without models. */
const bare: ModelConfig = { abbr: 'plain', format: 'plain' }

/** The first rows of a dataset with their prompts for each model. Unreadable rows are noted, not checked. */
export async function askedRows(
  dataset: DatasetConfig,
  { config, folder }: LoadedConfig,
  limit: number,
): Promise<{ rows: LintedRow[]; notes: Note[] }> {
  const where = dataset.abbr ?? 'dataset'
  try {
    const count = await countRows(dataset, folder, limit)
    const numbers = Array.from({ length: count }, (_, index) => index)
    const unknown: Note[] = []
    const chosen = await rowsOf(dataset, numbers, folder, false, (notes) => unknown.push(...notes))
    const models = config.models.length === 0 ? [bare] : (config.models as ModelConfig[])
    const views = models.flatMap((model) => viewRows(model, dataset, chosen, { folder }).map((view) => asked(view, model)))
    const rows = [...chosen.rows].map(([number, row]) => ({
      number,
      row,
      examples: chosen.examplesOf(number),
      prompts: views.flatMap(({ row: of, ...prompt }) => (of === number ? [prompt] : [])),
    }))
    return { rows, notes: [...unknown, ...chosen.notes] }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return { rows: [], notes: [{ code: 'not-examined', where: error.where, text: `${where}: rows are not checked: ${error.problem}` }] }
  }
}

async function countRows(dataset: DatasetConfig, folder: string, limit: number): Promise<number> {
  let count = 0
  for await (const _ of openRows(dataset, folder).test) if (++count >= limit) break
  return count
}

function asked(view: View, model: ModelConfig): LintedPrompt & { row: number | undefined } {
  const { prompt } = view.rendered
  const limit = model.max_seq_len
  return {
    row: view.row,
    model: view.model,
    prompt,
    mode: view.mode,
    ...(view.label === undefined ? {} : { label: view.label }),
    examplesDropped: view.examples?.dropped ?? 0,
    ...(limit === undefined || view.tokenizer === undefined
      ? {}
      : { length: { tokens: tokenCounter(view.tokenizer, view.markers)(prompt), limit } }),
  }
}
