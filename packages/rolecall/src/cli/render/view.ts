import type { Format } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { formatPrompts } from '../../evaluation/run/ask/format-prompts.ts'
import { compilePair } from '../../evaluation/run/ask/plan-requests.ts'
import { planPreview, type RowPrompt, rowPrompts } from '../../evaluation/run/ask/row-prompts.ts'
import { replySyntaxOf } from '../../model/model-types/reply-syntax-of.ts'
import { tokenizerOf } from '../../node/models/load-tokenizer.ts'
import { registerPlugIns } from '../../node/plug-ins.ts'
import type { ChosenRows } from './dataset-rows.ts'

registerPlugIns()

/** A rendered prompt. */
export type View = Omit<RowPrompt, 'examples'> & {
  model: string
  /** The format that overrides its own. */
  format?: string
  dataset?: string
  row?: number
  /** The dataset reproduces the reference's quirks. */
  compat?: string
  /** The markers of the model's format. */
  markers: readonly string[]
  /** The special tokens it needs. */
  tokens?: Format['tokens']
  /** The format. */
  writer?: Format
  /** How its replies are read, where its config or its own files say so. */
  replySyntax?: ReturnType<typeof replySyntaxOf>
  /** The model's tokenizer, if available. */
  tokenizer?: Tokenizer
  /** The tokenizer's path in the config. */
  tokenizerPath?: string
  /** Number of examples used and dropped. */
  examples?: { used: number; dropped: number }
}

export type ViewOptions = { mode?: 'gen' | 'ppl'; label?: string }

/** The prompts of rows for a model: one each, or one per label for perplexity. */
export function viewRows(
  model: ModelConfig,
  dataset: DatasetConfig,
  { rows, examplesOf, columns }: Pick<ChosenRows, 'rows' | 'examplesOf' | 'columns'>,
  options: ViewOptions & { folder: string },
): View[] {
  const name = { model: model.abbr ?? 'model', dataset: dataset.abbr ?? 'dataset' }
  const planned = compilePair(model, dataset, name)
  const plan = planPreview(planned, { tokenizer: tokenizerOf(model, options.folder), columns }, options.mode)
  return [...rows].flatMap(([number, row]) =>
    rowPrompts(plan, { row, examples: examplesOf(number) }, options.label).map(
      (prompt): View => ({
        ...name,
        row: number,
        compat: dataset.compat,
        ...ofModel(model, plan.maker.format, options.folder),
        ...prompt,
      }),
    ),
  )
}

function ofModel(
  model: ModelConfig,
  format: Format,
  folder: string,
): Pick<View, 'markers' | 'tokens' | 'tokenizer' | 'tokenizerPath' | 'writer' | 'replySyntax'> {
  const { markers, tokens } = format
  const tokenizer = tokenizerOf(model, folder)
  const { tokenizer_path: tokenizerPath } = model
  return {
    markers,
    writer: format,
    replySyntax: replySyntaxOf(model),
    ...(tokens ? { tokens } : {}),
    ...(tokenizer ? { tokenizer } : {}),
    tokenizerPath,
  }
}

/** The bare format of a model, for generation and complete. */
export function viewFormat(model: ModelConfig, folder: string, only?: 'gen' | 'ppl'): View[] {
  const { format, prompts } = formatPrompts(model)
  return prompts
    .filter(({ mode }) => only === undefined || mode === only)
    .map(({ mode, rendered }) => ({ model: model.abbr ?? 'model', mode, ...ofModel(model, format, folder), rendered }))
}
