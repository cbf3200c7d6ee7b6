import { redactMessage } from '@rolecall/core/internal/errors'
import { type PyValue, pyStr } from '@rolecall/core/internal/python'
import { imageMark, type PairSetup, type RowMetric } from '../../evaluation/run/record/pair-setup.ts'
import { readingOf } from '../../evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import type { Direction } from '../../evaluation/score/evaluate/metric.ts'

/** A message; each image is an object replacement character in its text. */
export type WhyTurn = { role: string; content: string; images?: readonly string[] }

/** One row of a run under one metric: what two runs are compared by. */
export type WhyRow = {
  /** Its number in the dataset. */
  id: number
  keys: Readonly<Record<string, string>>
  question?: string | undefined
  choices?: readonly string[] | undefined
  /** The sent prompt: text, or messages. */
  prompt?: string | readonly WhyTurn[] | undefined
  /** Undefined if there is none. */
  reply?: string | undefined
  reasoning?: string | undefined
  /** Whether the reasoning was written into the reply or beside it, if known. */
  reasoningIn?: string | undefined
  /** Only the extracted answer is recorded. */
  isExtracted: boolean
  /** The compared answer, if recorded. */
  pred?: string | undefined
  gold?: string | undefined
  score?: number | undefined
  finish?: string | undefined
  error?: string | undefined
}

/** A rule executed on a reply: the compared answer and its score. */
export type WhyRule = (reply: string, row: WhyRow) => { pred?: string; score: number } | undefined

/** One side of the question: a model on a dataset, scored by one metric. */
export type WhySide = {
  name: string
  model: string
  dataset: string
  metric: string
  setup: PairSetup
  count: number
  /** Whether a lower score is better; higher is, if not given. */
  direction?: Direction | undefined
  /** The score that the run reported: it differs from the mean of its rows if these are weighted, grouped or counted otherwise. */
  reported?: number | undefined
  /** The row at a position; rows are read when needed, because all of them may not fit into memory. */
  row(place: number): WhyRow
  /** How this side scores a reply, if that can be executed. */
  rule?: WhyRule | undefined
}

/** A recorded row under a metric; `prompt` replaces a prompt that was not recorded. */
export function whyRow(record: RowRecord, metric: string, prompt?: string): WhyRow {
  const details = record.details ?? {}
  const metrics = details.metrics as Readonly<Record<string, RowMetric>> | undefined
  // A row without this metric was not scored by it.
  const { score, pred, sample } = metrics ? (metrics[metric] ?? {}) : { score: record.score, pred: readingOf(record), sample: undefined }
  const oneOf = (value: PyValue | undefined) => (Array.isArray(value) ? ofSamples(value, sample) : value)
  const reply = oneOf(record.prediction)
  const reasoning = oneOf(record.reasoning)
  return {
    id: typeof details.row === 'number' ? details.row : record.id,
    keys: (details.keys ?? { row_hash: record.row_hash }) as Readonly<Record<string, string>>,
    question: details.question as string | undefined,
    choices: details.choices as readonly string[] | undefined,
    prompt: readPrompt(prompt ?? record.prompts?.join('\n')),
    reply: reply === undefined || reply === null ? undefined : asText(reply),
    reasoning: reasoning === undefined || reasoning === null ? undefined : asText(reasoning),
    reasoningIn: details.reasoning_in as string | undefined,
    isExtracted: details.is_extracted === true,
    pred:
      pred === undefined || pred === null
        ? undefined
        : asText(Array.isArray(pred) && sample === undefined ? (ofSamples(pred, undefined) ?? null) : pred),
    gold: record.gold === undefined ? undefined : asText(record.gold),
    score: record.error === undefined ? score : undefined,
    finish: record.finish,
    // Explanations are published.
    error: record.error === undefined ? undefined : redactMessage(record.error),
  }
}

/** One of several replies, or all of them if they differ. */
function ofSamples(values: readonly PyValue[], sample: number | undefined): PyValue | undefined {
  if (sample !== undefined) return values[sample]
  return values.every((one) => one === values[0]) ? values[0] : values
}

function asText(value: PyValue): string {
  return typeof value === 'string' ? value : Array.isArray(value) ? JSON.stringify(value) : pyStr(value)
}

/** Messages are recorded as JSON. */
function readPrompt(text: string | undefined): string | WhyTurn[] | undefined {
  if (!text?.startsWith('[{"role"')) return text
  try {
    const turns = JSON.parse(text) as { role: string; content?: unknown; images?: readonly string[] }[]
    return turns.map(({ role, content, images }) =>
      Array.isArray(content) ? turnOf(role, content) : { role, content: plainContent(content), ...(images ? { images } : {}) },
    )
  } catch {
    return text
  }
}

function plainContent(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}

/** A message of parts: its texts, with a placeholder for each image. Other parts stay as JSON. */
function turnOf(role: string, parts: readonly unknown[]): WhyTurn {
  const images: string[] = []
  const texts = parts.map((part) => {
    const { type = '', text } = Object(part) as { type?: unknown; text?: unknown }
    if (typeof text === 'string') return text
    if (!String(type).includes('image')) return plainContent(part)
    images.push(JSON.stringify(part))
    return imageMark
  })
  return { role, content: texts.join(''), ...(images.length > 0 ? { images } : {}) }
}
