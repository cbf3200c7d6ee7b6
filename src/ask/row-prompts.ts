import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { Row } from '../dataset/row.ts'
import { ownExample, type QuestionColumns } from '../dataset/same-question.ts'
import { type Fitted, fitExamples } from '../fit/fit-examples.ts'
import { promptCounter } from '../fit/prompt-counter.ts'
import type { Note } from '../note.ts'
import type { PromptMaker, RenderedPrompt } from '../prompt/compile-prompt.ts'
import { PromptError } from '../prompt-error.ts'
import { lookAlikes } from '../tokenize/look-alikes.ts'
import type { Tokenizer } from '../tokenize/tokenizer.ts'
import type { RowQuestion } from './inferencer.ts'
import { inferencers } from './inferencers.ts'

/** One prompt of a row, to look at: everything that `render` and the viewer show comes from it. */
export type RowPrompt = {
  mode: 'gen' | 'ppl'
  label?: string
  rendered: RenderedPrompt
  /** Examples used and left out. */
  examples: { used: number; dropped: number }
}

/** A model and a dataset, read once. */
export type PromptSide = { model: ModelConfig; dataset: DatasetConfig; maker: PromptMaker; tokenizer: Tokenizer | undefined }

export type RowPromptOptions = { mode?: 'gen' | 'ppl' | undefined; label?: string | undefined }

/** The prompts of a row with all that is to be told about them: one, or for perplexity one for each label. */
export function rowPrompts(
  { model, dataset, maker, tokenizer }: PromptSide,
  { row, examples }: RowQuestion,
  { mode = modeOf(dataset), label }: RowPromptOptions = {},
): RowPrompt[] {
  const labels = labelsFor(maker, mode, label)
  const count = promptCounter(tokenizer, maker.format)
  // All labels of a row keep the same examples, or their perplexities could not be compared.
  const isShown = maker.showsExamples?.(row) ?? true
  const fitted: Fitted<RenderedPrompt[]> = fitExamples({
    // Where they have no place, rendering tells so, and none is used.
    examples: isShown ? examples : [],
    limit: count && model.max_seq_len,
    render: (kept) =>
      labels.map((one) => maker.render({ row, examples: isShown ? kept : examples, mode, ...(one === undefined ? {} : { label: one }) })),
    count: (prompts) => Math.max(...prompts.map(({ prompt }) => count?.(prompt) ?? 0)),
  })
  return fitted.rendered.map(({ conversation, prompt }, index): RowPrompt => {
    const one = labels[index]
    const alike = lookAlikes(prompt, maker.format.markers, model.marker_policy)
    const notes = [...prompt.notes, ...fitted.notes, ...overlapNotes(row, examples.slice(0, fitted.kept), dataset.reader_cfg), ...alike]
    return {
      mode,
      ...(one === undefined ? {} : { label: one }),
      rendered: { conversation, prompt: { ...prompt, notes } },
      examples: { used: fitted.kept, dropped: fitted.dropped },
    }
  })
}

/** What `run` would ask for. A dataset whose inferencer is not known here is shown as generation. */
export function modeOf({ infer_cfg: { inferencer } }: DatasetConfig): 'gen' | 'ppl' {
  return inferencers[inferencer?.type?.split('.').at(-1) ?? '']?.mode ?? 'gen'
}

function labelsFor({ labels }: PromptMaker, mode: 'gen' | 'ppl', label: string | undefined): (string | undefined)[] {
  if (mode === 'gen') {
    if (label === undefined) return [undefined]
    throw new PromptError('label-in-generation', {
      where: '--label',
      problem: 'labels are for perplexity, and this is generation',
      fix: 'add --mode ppl',
    })
  }
  if (label === undefined) return labels ? [...labels] : [undefined]
  if (labels?.includes(label)) return [label]
  throw new PromptError('missing-label', {
    where: '--label',
    problem: labels ? `there is no label "${label}"` : 'the template has no labels',
    fix: labels ? `choose one of: ${labels.join(', ')}` : 'leave --label out',
  })
}

function overlapNotes(row: Row, examples: readonly Row[], columns: QuestionColumns | undefined): Note[] {
  const number = ownExample(row, examples, columns)
  return number < 0 ? [] : [{ code: 'example-is-question', text: `example ${number} is the row being asked: the prompt shows its answer` }]
}
