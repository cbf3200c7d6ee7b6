import type { Direction } from 'rolecall/internal/evaluation/score/evaluate/metric'
import { figureText } from '../runs/figure-text.ts'
import { metricName } from './metric-names.ts'
import { translated } from './translated.ts'

const units: Readonly<Record<string, string>> = {
  'bits per character': '比特/字符',
  'nats per token': '奈特/token',
  'marks from 0 to 10': '0 到 10 分',
  'marks from 1 to 10': '1 到 10 分',
  distance: '距离',
  points: '分',
  questions: '题',
  share: '比例',
  'share lost': '损失比例',
  words: '词',
  count: '个',
}

const texts = translated({ unit: (unit: string) => unit }, { unit: (unit) => units[unit] ?? unit })

/** The name of a unit; units of custom evaluators are not translated. */
export function unitName(unit: string): string {
  return unit === 'percent' ? '%' : texts().unit(unit)
}

/** The name of a metric with its unit, and ↓ if lower is better: `accuracy %`, `average_ppl ↓, nats per token`. */
export function figureName({ metric, unit, direction }: { metric: string; unit: string; direction?: Direction | undefined }): string {
  const name = direction === 'lower' ? `${metricName(metric)} ↓` : metricName(metric)
  return unit === '' ? name : unit === 'percent' ? `${name} %` : `${name}, ${unitName(unit)}`
}

/** `75.0 %`, `3.2100 nats per token`; `–` if there is none. */
export function withUnit(value: number | undefined, unit: string): string {
  return value === undefined || unit === '' ? figureText(value, unit) : `${figureText(value, unit)} ${unitName(unit)}`
}
