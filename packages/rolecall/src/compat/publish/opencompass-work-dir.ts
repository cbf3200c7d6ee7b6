import type { Prompt } from '@rolecall/core/internal/format'
import type { PyValue } from '@rolecall/core/internal/python'
import { textOf } from '@rolecall/core/internal/text'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import type { PairResult } from '../../evaluation/run/record/run-record.ts'
import { metricsOf, type PublishedPair, type PublishedRow, textsOf } from './published-run.ts'

type Fields = Record<string, PyValue>

/** A row as in OpenCompass's `predictions/<model>/<dataset>.json`. A row without an answer has an empty one, since numbers have no gaps there. */
export function openCompassPrediction({ dataset }: PublishedPair, { record, prompts }: PublishedRow): Fields {
  const { scores = [], gold } = record
  const labelled = scores.filter(({ label }) => label !== undefined)
  const value = dataset.mode === 'll' ? 'Loglikelihood' : 'PPL'
  const labels = labelled.map(({ label, value: score }, index): [string, Fields] => {
    const prompt = prompts?.[index]
    return [`label: ${label}`, { ...(prompt === undefined ? {} : { prompt: sentText(prompt) }), [value]: score }]
  })
  return {
    origin_prompt: originPrompt(prompts, record.prompts),
    ...Object.fromEntries(labels),
    prediction: record.prediction ?? '',
    ...(gold === undefined || gold === null ? {} : { gold }),
  }
}

/** A row as in the `details` of `results/<model>/<dataset>.json`. */
export function openCompassDetail({ result }: PublishedPair, { record, prompts }: PublishedRow): Fields {
  const { prediction, details, gold, score } = record
  const pred = details?.pred
  return {
    prompt: originPrompt(prompts, record.prompts),
    origin_prediction: prediction ?? '',
    predictions: pred === undefined ? (prediction ?? '') : pred,
    references: gold ?? null,
    ...(score === undefined ? {} : result.kind === 'verdict' ? { correct: score === 1 } : { score }),
  }
}

/** The metrics of `results/<model>/<dataset>.json`, the main one first; none for answers without a score. */
export function openCompassMetrics(result: PairResult): [metric: string, value: number][] {
  return metricsOf(result).flatMap(({ metric, value }): [string, number][] => (value === undefined ? [] : [[metric, value]]))
}

/** `GEN` or `PPL`: what the details of a dataset are called. */
export function detailsType({ dataset }: PublishedPair): string {
  return dataset.mode === 'gen' ? 'GEN' : 'PPL'
}

const roles: Readonly<Record<string, string>> = { user: 'HUMAN', assistant: 'BOT', system: 'SYSTEM' }

/** A text as it is, messages as OpenCompass's turns. If they cannot be rendered again: the recorded text, or null. */
function originPrompt(prompts: readonly Prompt[] | undefined, recorded: readonly string[] | undefined): PyValue {
  const [prompt] = prompts ?? []
  if (prompt === undefined) return recorded?.[0] ?? null
  if (prompt.kind === 'completion') return sentText(prompt)
  return prompt.messages.map(({ role, content, parts }) => ({
    role: roles[role] ?? role,
    prompt: parts === undefined ? textOf(content) : textsOf(parts as PyValue).join('\n'),
  })) as PyValue
}
