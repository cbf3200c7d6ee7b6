import type { PyValue } from '@rolecall/core/internal/python'

/** Stands for an image in the text of a message: the object replacement character. */
export const imageMark = '\uFFFC'

/** Recorded settings by name; absent if the harness did not record them. */
export type Facts = Readonly<Record<string, PyValue>>

const modelSetting = /dtype|quant|load_in_|precision|revision|peft|lora|adapter|delta|gguf|attn/iu

/**
 * The settings among a model's arguments, also one level below, that make it another model: its precision, quantisation, revision or adapter.
 *
 * @example
 * modelFacts({ pretrained: 'm', batch_size: 8, model_kwargs: { torch_dtype: 'float16' } }) // => { torch_dtype: 'float16' }
 */
export function modelFacts(given: Readonly<Record<string, unknown>>): Facts {
  const below = Object.entries(given).flatMap(([name, value]) =>
    !modelSetting.test(name) && typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [],
  )
  const found = [...Object.entries(given), ...below].filter(
    ([name, value]) => modelSetting.test(name) && value !== undefined && value !== null,
  )
  return Object.fromEntries(found) as Facts
}

/** How one metric of a run is computed. */
export type ScoringSetup = {
  /** How the compared answer is read from the reply: filters, postprocessors, assertions. */
  extraction?: PyValue
  /** How it is compared with the gold answer: the metric or scorer and its options. */
  metric?: PyValue
  /** Normalisation of answer and gold before the comparison. */
  normalisation?: PyValue
  /** Settings that decide when a row counts as passed. */
  threshold?: PyValue
}

/**
 * How a model was run on a dataset and scored, under the same names for every harness: what `why` compares besides rows, prompts and
 * replies. `configs/setup.json` has one for each pair of a run read from another harness.
 */
export type PairSetup = {
  harness: string
  version?: string | undefined
  /** The harness's settings cannot be read: absent ones may have any value. */
  isUnknown?: true
  /** `dataset`, `limit`, `epochs`, `status`, `rows` (of the dataset). */
  rows: Facts
  /** `shots`, `system`, `chat_template`, `multiturn`, `template`, `choices_shuffled`, `bos`, `thinking`. */
  prompt: Facts
  /** The names of `samplingSettings`, `max_tokens`, `stop`, `do_sample`. */
  sampling: Facts
  /** Settings of the model itself: `dtype`, `quantization`, `revision`, … */
  model?: Facts | undefined
  /** The kind of request: text to complete, or messages. */
  endpoint?: 'chat' | 'completions' | undefined
  /** Whether the model generates a reply or scores given choices. */
  request?: 'generation' | 'likelihood' | undefined
  /** By metric; the first one is the run's main metric. */
  scoring: Readonly<Record<string, ScoringSetup>>
}

/** One metric of a row in a run read from another harness: `details.metrics` of its record. */
export type RowMetric = {
  score?: number
  /** The compared answer. */
  pred?: PyValue
  /** Which of several replies the metric scores, from 0. */
  sample?: number
}
