import type { PyValue } from '@rolecall/core/internal/python'
import type { RowMetric } from '../../evaluation/run/record/pair-setup.ts'

type EpochVerdict = { score?: number | undefined; pred?: PyValue | undefined }

/**
 * The metric of a row that was answered several times: the mean under its name, and each epoch under `NAME epoch N`.
 *
 * @example
 * epochMetrics('match', [{ score: 1 }, { score: 0 }]) // => { match: { score: 0.5 }, 'match epoch 1': { score: 1, sample: 0 }, 'match epoch 2': { score: 0, sample: 1 } }
 */
export function epochMetrics(name: string, verdicts: readonly EpochVerdict[]): Record<string, RowMetric> {
  const scores = verdicts.flatMap(({ score }) => (score === undefined ? [] : [score]))
  if (scores.length === 0) return {}
  const known = ({ score, pred }: EpochVerdict): RowMetric => ({
    ...(score === undefined ? {} : { score }),
    ...(pred === undefined ? {} : { pred }),
  })
  if (verdicts.length === 1) return { [name]: known(verdicts[0]!) }
  const preds = verdicts.flatMap(({ pred }) => (pred === undefined ? [] : [pred]))
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
  return {
    [name]: known({ score: mean, ...(preds.length === verdicts.length ? { pred: preds } : {}) }),
    ...Object.fromEntries(verdicts.map((verdict, sample) => [epochName(name, sample), { ...known(verdict), sample }])),
  }
}

function epochName(metric: string, sample: number): string {
  return `${metric} epoch ${sample + 1}`
}
