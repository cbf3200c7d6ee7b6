import { compilePrompt, type RenderedPrompt } from '../../compile-prompt.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { quirksOf } from '../../config/fidelity.ts'
import type { Row } from '../../dataset/row.ts'
import { type Fitted, fitExamples } from '../../fit/fit-examples.ts'
import { promptCounter } from '../../fit/prompt-counter.ts'
import { compileFormat } from '../../format/compile-format.ts'
import type { Format } from '../../format/format.ts'
import { inferencers } from '../../infer/inferencers.ts'
import { tokenizerOf } from '../../node/tokenizer-of.ts'
import { PromptError } from '../../prompt-error.ts'
import type { Conversation } from '../../template/conversation.ts'
import { lookAlikes } from '../../tokenize/look-alikes.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'

/** One prompt to look at. */
export type View = {
  model: string
  dataset?: string
  row?: number
  mode: 'gen' | 'ppl'
  label?: string
  /** The dataset reproduces the reference's quirks. */
  compat?: string
  rendered: RenderedPrompt
  /** The texts that mark turns in the model's format. */
  markers: readonly string[]
  /** The tokens that it needs. */
  tokens?: Format['tokens']
  /** The model's own tokenizer, where it is there. */
  tokenizer?: Tokenizer
  /** What its config calls it. */
  tokenizerPath?: string
  /** Examples used and left out. */
  examples?: { used: number; dropped: number }
}

export type ViewOptions = { mode?: 'gen' | 'ppl'; label?: string }

/** The prompts of some rows for a model: one each, or for perplexity one for each label. */
export function viewRows(
  model: ModelConfig,
  dataset: DatasetConfig,
  rows: ReadonlyMap<number, Row>,
  examplesOf: (number: number) => readonly Row[],
  options: ViewOptions & { folder: string },
): View[] {
  const maker = compilePrompt(model, dataset)
  const count = promptCounter(tokenizerOf(model, options.folder), maker.format)
  const mode = options.mode ?? modeOf(dataset)
  if (mode === 'gen' && options.label !== undefined) {
    throw new PromptError('label-in-generation', {
      where: '--label',
      problem: 'labels are for perplexity, and this is generation',
      fix: 'add --mode ppl',
    })
  }
  const labels = mode === 'gen' ? [undefined] : labelsOf(maker.labels, options.label)
  return [...rows].flatMap(([number, row]) => {
    const examples = examplesOf(number)
    // All labels of a row keep the same examples, or their perplexities could not be compared.
    const fitted: Fitted<RenderedPrompt[]> = fitExamples({
      examples,
      limit: count && model.max_seq_len,
      render: (kept) => labels.map((label) => maker.render({ row, examples: kept, mode, ...(label === undefined ? {} : { label }) })),
      count: (prompts) => Math.max(...prompts.map(({ prompt }) => count?.(prompt) ?? 0)),
    })
    return fitted.rendered.map(({ conversation, prompt }, index): View => {
      const label = labels[index]
      return {
        model: model.abbr ?? 'model',
        dataset: dataset.abbr ?? 'dataset',
        row: number,
        mode,
        ...(label === undefined ? {} : { label }),
        ...(dataset.compat === undefined ? {} : { compat: dataset.compat }),
        ...ofModel(model, maker.format, options.folder),
        rendered: {
          conversation,
          prompt: {
            ...prompt,
            notes: [
              ...prompt.notes,
              ...fitted.notes,
              ...overlapNotes(row, examples),
              ...lookAlikes(prompt, maker.format.markers, model.marker_policy),
            ],
          },
        },
        examples: { used: fitted.kept, dropped: fitted.dropped },
      }
    })
  })
}

function ofModel(
  model: ModelConfig,
  { markers, tokens }: Format,
  folder: string,
): Pick<View, 'markers' | 'tokens' | 'tokenizer' | 'tokenizerPath'> {
  const tokenizer = tokenizerOf(model, folder)
  const { tokenizer_path: tokenizerPath } = model
  return {
    markers,
    ...(tokens ? { tokens } : {}),
    ...(tokenizer ? { tokenizer } : {}),
    ...(tokenizerPath === undefined ? {} : { tokenizerPath }),
  }
}

/** What `run` would ask for. A dataset whose inferencer is not known here is shown as generation. */
function modeOf({ infer_cfg: { inferencer } }: DatasetConfig): 'gen' | 'ppl' {
  return inferencers[inferencer?.type?.split('.').at(-1) ?? '']?.mode ?? 'gen'
}

function labelsOf(labels: readonly string[] | undefined, label: string | undefined): (string | undefined)[] {
  if (label === undefined) return labels ? [...labels] : [undefined]
  if (labels?.includes(label)) return [label]
  throw new PromptError('missing-label', {
    where: '--label',
    problem: labels ? `there is no label "${label}"` : 'the template has no labels',
    fix: labels ? `choose one of: ${labels.join(', ')}` : 'leave --label out',
  })
}

function overlapNotes(row: Row, examples: readonly Row[]) {
  const number = examples.indexOf(row)
  return number < 0 ? [] : [{ code: 'example-is-question', text: `example ${number} is the row being asked: the prompt shows its answer` }]
}

/** The bare format, as document 000 shows it: what a model's turns look like when nobody has said anything yet. */
export function viewFormat(model: ModelConfig, folder: string, only?: 'gen' | 'ppl'): View[] {
  const format = compileFormat(model, quirksOf(undefined))
  return (['gen', 'ppl'] as const)
    .filter((mode) => only === undefined || mode === only)
    .map((mode) => {
      const kind = Array.isArray(model.meta_template) ? 'chat' : 'round'
      // A format that writes turns one by one shows nothing where none are.
      const roles = format.traits.turnsAlone ? ['system', 'user', 'assistant'] : []
      const items = roles.map((role) => ({ role, path: 'format' }))
      const conversation: Conversation = { kind: 'dialogue', sections: [{ kind, items }], notes: [] }
      const prompt = format.render(conversation, { want: mode === 'gen' ? 'generate' : 'complete' })
      return {
        model: model.abbr ?? 'model',
        mode,
        ...ofModel(model, format, folder),
        rendered: { conversation, prompt: { ...prompt, notes: [] } },
      }
    })
}
