import { expect, test } from 'vitest'
import { groupScores, type TaskMetricValues } from '../../evaluation/run/record/group-scores.ts'
import { groupMetrics } from './group-metrics.ts'
import { readYaml } from './yaml/read-yaml.ts'

const tasks: TaskMetricValues[] = [
  { sample_len: 10, 'acc,none': 0.5, 'acc_stderr,none': 0.1, 'f1,none': 1 },
  { sample_len: 30, 'acc,none': 0.9, 'acc_stderr,none': 0.02, 'acc,strict': 0.4, 'acc_stderr,strict': 'N/A' },
]
const scores = (yaml: string) => groupScores(tasks, groupMetrics(readYaml(yaml, 'g.yaml'), 'g'))

test('tasks are weighted by size, and filters are taken from the tasks if none are named', () => {
  const { figures, counts } = scores('{metric: acc}')
  expect(figures).toMatchObject({ sample_len: 40, 'acc,strict': 0.4, 'acc_stderr,strict': 'N/A' })
  expect(figures['acc,none']).toBeCloseTo((10 * 0.5 + 30 * 0.9) / 40, 12)
  expect(figures['acc_stderr,none']).toBeCloseTo(Math.sqrt((9 * 0.01 * 10 + 29 * 0.0004 * 30) / 38 / 40), 12)
  expect(counts).toEqual({ 'acc,none': 40, 'acc,strict': 30 })
})

test('or weighted equally, with only the named filters', () => {
  const { figures } = scores('[{metric: acc, weight_by_size: false, filter_list: none}]')
  expect(figures['acc,none']).toBeCloseTo(0.7, 12)
  expect(figures['acc_stderr,none']).toBeCloseTo(Math.sqrt(0.01 + 0.0004) / 2, 12)
  expect(figures).not.toHaveProperty('acc,strict')
})

test('a group without metrics has no values; an aggregation other than the mean is refused', () => {
  expect(scores('null').figures).toEqual({})
  expect(() => scores('[{metric: acc, aggregation: max}]')).toThrow('g › aggregate_metric_list[0].aggregation')
  expect(() => scores('[{aggregation: mean}]')).toThrow('it names no metric')
})
