import type { Prompt } from '@rolecall/core/internal/format'
import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { PairResult, RowRecord, RunSummary } from '../../evaluation/run/record/run-record.ts'
import type { SamplingName } from '../../model/language-model/sampling-settings.ts'

/** A recorded row, and what the model was sent for it, if that could be rendered again byte for byte. */
export type PublishedRow = {
  record: RowRecord
  /** The text of the dataset in the prompt: without what the chat format wrote. */
  question?: string
  prompt?: string
  /** Its prompts: one, or one for each label. */
  prompts?: readonly Prompt[]
}

/** One model on one dataset. */
export type PublishedPair = {
  result: PairResult
  model: {
    /** `ORG/NAME`, if the config has it. */
    id?: string | undefined
    /** The program that ran the model on this machine; undefined for a server. */
    engine?: string | undefined
  }
  dataset: {
    /** `ORG/NAME` on the Hugging Face hub, if the rows came from there. */
    repository?: string | undefined
    /** What identifies its prompts: the first digits of OpenCompass's hash. */
    version?: string | undefined
    /** `gen`, `ppl` or `ll`, as OpenCompass calls it. */
    mode: string
    /** The postprocessors that read the answers. */
    extraction: readonly string[]
  }
  settings: Partial<Record<SamplingName | 'max_tokens', number | undefined>>
  rows: () => AsyncIterable<PublishedRow>
}

export type PublishedRun = Pick<RunSummary, 'name' | 'started' | 'version' | 'groups' | 'shown'> & { pairs: readonly PublishedPair[] }

/** Values of a record as texts: those of a list each, nothing for null. */
export function textsOf(value: PyValue | undefined): string[] {
  if (value === undefined || value === null) return []
  return isList(value) ? value.flatMap(textsOf) : [typeof value === 'string' ? value : pyStr(value)]
}

/** All metrics of a pair, the main one first; its value is undefined for answers that are not scored. */
export function metricsOf({ metric, unit, direction, value, interval, range, kind, beside = [] }: PairResult) {
  const main = { metric, unit, direction, value, interval, range, kind }
  return [main, ...beside.map((one) => ({ ...one, interval: undefined, range: undefined, kind: 'graded' as const }))]
}
