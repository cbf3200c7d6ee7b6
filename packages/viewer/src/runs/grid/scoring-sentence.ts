import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { MainMetric } from 'rolecall/internal/evaluation/run/record/main-metric'
import { outcomesOf } from 'rolecall/internal/evaluation/run/record/outcome'
import { readingOf } from 'rolecall/internal/evaluation/run/record/row-differences'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { isRight } from 'rolecall/internal/evaluation/score/evaluate/metric'

/** How a reply was scored: which step took what, with what it was compared, and the result. */
export type Scoring = {
  /** The steps that read the reply, in order. */
  readBy: readonly string[]
  read: string | undefined
  gold: string | undefined
  comparedBy: string | undefined
  result: { kind: 'right' | 'wrong' } | { kind: 'score'; score: number } | { kind: 'not-compared'; outcome: string } | { kind: 'failed' }
}

type Scored = Pick<RowRecord, 'prediction' | 'gold' | 'score' | 'outcome' | 'error' | 'details'>

/** Undefined for rows with several answers, each of which has a verdict. */
export function scoringOf(
  record: RowRecord | Scored,
  dataset: Pick<DatasetConfig, 'eval_cfg'> | undefined,
  model: Pick<ModelConfig, 'pred_postprocessor'> | undefined,
  metric: Pick<MainMetric, 'kind'> | undefined,
): Scoring | undefined {
  if (isList(record.prediction)) return undefined
  const outcomes = outcomesOf(record)
  const reading = readingOf(record as RowRecord)
  const evaluation = dataset?.eval_cfg
  const right = record.score === undefined || !metric ? undefined : isRight(record.score, metric.kind)
  const result = (): Scoring['result'] => {
    if (record.error !== undefined) return { kind: 'failed' }
    if (outcomes[0] !== undefined && outcomes[0] !== 'answered') return { kind: 'not-compared', outcome: outcomes[0] }
    if (right !== undefined) return { kind: right ? 'right' : 'wrong' }
    return record.score === undefined ? { kind: 'not-compared', outcome: 'answered' } : { kind: 'score', score: record.score }
  }
  return {
    readBy: [typeOf(model?.pred_postprocessor), typeOf(evaluation?.pred_postprocessor)].filter((name) => name !== undefined),
    read: textOf(reading),
    gold: textOf(record.gold),
    comparedBy: typeOf(evaluation?.evaluator),
    result: result(),
  }
}

function typeOf(step: unknown): string | undefined {
  const type = typeof step === 'object' && step !== null && 'type' in step ? step.type : step
  return typeof type === 'string' ? type.split('.').at(-1) : undefined
}

const longest = 80

function textOf(value: PyValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = pyStr(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
