import { expect, test } from 'vitest'
import { pairResult } from '../../../../../proof/testing/pair-result.ts'
import { type Remark, remarksAbout } from '../../../../rolecall/src/evaluation/run/record/remarks.ts'
import type { RunStatus } from '../../../../rolecall/src/server/viewer/viewer-data.ts'
import { axisOf } from '../figure-text.ts'
import { formatLines } from './format-lines.ts'
import { headerFacts } from './header-facts.ts'
import { remarkGroups, rowsOf } from './remark-rows.ts'

const figure = (direction: 'higher' | 'lower', unit = 'percent') => ({ metric: 'm', kind: 'verdict' as const, unit, direction })

test('formats are compared if one model has several on a dataset: the best first, the largest differences first', () => {
  const names = [
    ['small', 'sums', 'chatml', 50],
    ['small', 'sums', 'plain', 55],
    ['small', 'facts', 'chatml', 80],
    ['small', 'facts', 'plain', 20],
    ['large', 'sums', undefined, 90],
  ] as const
  const pairs = names.map(([model, dataset, format]) => ({ model, dataset, format, modelIndex: 0, datasetIndex: 0 }))
  const state = (direction: 'higher' | 'lower'): Pick<RunStatus, 'pairs'> => ({
    pairs: names.map(([, , , mean]) => ({ rows: 1, figure: figure(direction), mean })),
  })
  const shown = (direction: 'higher' | 'lower') =>
    formatLines({ pairs }, state(direction)).map(({ dataset, points }) => [dataset, ...points.map(({ format }) => format)])
  expect(shown('higher')).toEqual([
    ['facts', 'chatml', 'plain'],
    ['sums', 'plain', 'chatml'],
  ])
  expect(shown('lower')).toEqual([
    ['facts', 'plain', 'chatml'],
    ['sums', 'chatml', 'plain'],
  ])
})

test('remarks of one kind are grouped, the most important first, and link to their rows', () => {
  const remarks: Remark[] = [
    { kind: 'cached', text: '', rows: 1 },
    { kind: 'note', text: 'a', code: 'look-alike', rows: 1 },
    { kind: 'cut', text: '', rows: 1 },
    { kind: 'note', text: 'b', code: 'look-alike', rows: 1 },
    { kind: 'failed', text: '', rows: 1 },
  ]
  const groups = remarkGroups(remarks.map((remark) => ({ remark })))
  expect(groups.map(({ kind, about }) => [kind, about.length])).toEqual([
    ['failed', 1],
    ['cut', 1],
    ['note', 2],
    ['cached', 1],
  ])
  const answers = { answered: 1, notFound: 0, cut: 0, refused: 0, empty: 0, notDecided: 1, failed: 0 }
  expect(remarks.map((remark) => rowsOf(remark, { answers, rows: 4 }))).toEqual([
    { show: 'cached' },
    { note: 'look-alike' },
    { show: 'limit' },
    { note: 'look-alike' },
    { show: 'not-decided' },
  ])
})

test('a remark on a pair as a whole opens all rows if it is about all, and nothing if the run does not name them', () => {
  const result = pairResult('m', 'd', 50, { notes: [{ code: 'identical-samples', text: 'all the same', rows: 4, ofPair: true }] })
  const whole = remarksAbout(result).find(({ kind }) => kind === 'note')!
  expect(rowsOf(whole, { ...result, rows: 4 })).toEqual({})
  expect(rowsOf(whole, { ...result, rows: 5 })).toBeUndefined()
})

test('the axis of a plot covers the full range, or the range of the metrics with a margin', () => {
  expect(axisOf({ unit: 'percent' }, [40, 60])).toEqual([0, 100])
  expect(axisOf({ unit: 'nats per token', range: [0, null] }, [1, 2])).toEqual([0.8, 2.2])
  expect(axisOf({ unit: 'x', range: [0, null] }, [0.1, 2])).toEqual([0, 2.38])
  expect(axisOf({ unit: 'x' }, [3])).toEqual([2.7, 3.3])
})

test('the header names each model with its settings, and sums rows, tokens, time and truncated answers', () => {
  const site = {
    configs: [
      {
        name: 'c',
        models: [
          { name: 'small', config: { path: 'org/small', format: 'chatml', temperature: 0 } },
          { name: 'v', config: { path: 'v', conv_template: 'vicuna_v1.1' } },
          { name: 'own', config: { path: 'own', chat_template: '{{ messages }}\n', meta_template: null } },
        ],
        datasets: [],
        warnings: [],
        unused: [],
      },
    ],
    runs: [
      {
        name: 'r',
        started: '',
        folder: 'f',
        place: 'f',
        config: 0,
        options: { limit: 4 },
        hub: ['hf://datasets/acme/qa (7eb1a8b087fb)'],
        pairs: [],
      },
    ],
  }
  const result = pairResult('small', 'sums', 50, {
    rows: 4,
    cut: 1,
    tokens: { prompt: 1200, reused: 0, reply: 34 },
    judgeTokens: { prompt: 20, reused: 0, reply: 3 },
    costs: [{ amount: 0.5, currency: 'USD' }],
    unpriced: ['judge'],
  })
  const summary = {
    name: 'r',
    started: '',
    seconds: 2,
    version: '0',
    results: [result],
  }
  const others = [
    ['v', 'conv_template vicuna_v1.1', 'en'],
    ['own', 'its own chat_template', 'en'],
  ]
  expect(headerFacts({ site, number: 0, state: { isLive: false, pairs: [{ rows: 4, result }], summary } })).toEqual([
    ['small', 'org/small · format chatml · temperature 0', 'en'],
    ...others,
    ['options', 'limit 4', 'en'],
    ['from a hub', 'hf://datasets/acme/qa (7eb1a8b087fb)', 'en'],
    ['rows', '4'],
    ['tokens', '1,200 prompt, 34 generated; judges 20 prompt, 3 generated'],
    ['cost', '0.5000 USD, without judge (no price)'],
    ['time', '2.0 s, 2.0 rows/s'],
    ['at the token limit', '1 (25.0 %)'],
  ])
  expect(headerFacts({ site, number: 0, state: { isLive: true, pairs: [{ rows: 0 }] } })).toEqual([
    ['small', 'org/small · format chatml · temperature 0', 'en'],
    ...others,
    ['options', 'limit 4', 'en'],
    ['from a hub', 'hf://datasets/acme/qa (7eb1a8b087fb)', 'en'],
    ['rows', '0'],
  ])
  const damage = [{ kind: 'rows' as const, pair: 0, missing: 6, unreadable: 0, of: 10 }]
  expect(headerFacts({ site, number: 0, state: { isLive: false, pairs: [{ rows: 4, result }], damage } })).toContainEqual([
    'rows',
    '4 of 10',
  ])
})
