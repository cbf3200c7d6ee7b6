import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { ModelComparison, PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { widthOf } from '../screen/fit-text.ts'
import { layOut, layOutNext } from '../screen/lay-out.ts'
import { nextAfterRun, runScreen } from './run-screen.ts'

const widths = [60, 80, 100, 160]

const answers = { answered: 300, notFound: 0, cut: 0, refused: 0, empty: 0, notDecided: 0, failed: 0 }

function result(model: string, dataset: string, value: number, more: Partial<PairResult> = {}): PairResult {
  return {
    model,
    dataset,
    metric: 'exact_match',
    kind: 'verdict',
    unit: 'percent',
    direction: 'higher',
    value,
    interval: { low: value - 4, high: Math.min(100, value + 3), method: 'wilson' },
    rows: 300,
    failed: 0,
    answers,
    skipped: 0,
    tokens: { prompt: 1000, reused: 0, reply: 300 },
    cut: 0,
    examplesDropped: 0,
    seconds: 1,
    notes: [],
    ...more,
  }
}

function compared(
  first: string,
  second: string,
  dataset: string,
  difference: number,
  more: Partial<ModelComparison> = {},
): ModelComparison {
  return {
    dataset,
    unit: 'percent',
    direction: 'higher',
    first,
    second,
    rows: 300,
    difference,
    interval: { low: difference - 6, high: difference + 6, method: 'bootstrap' },
    p: difference < -6 ? 0.0001 : 0.481,
    ...more,
  }
}

function summary(results: readonly PairResult[], comparisons: readonly ModelComparison[] = []): RunSummary {
  const costs = results.flatMap((one) => one.costs ?? [])
  const amount = costs.reduce((sum, cost) => sum + cost.amount, 0)
  return {
    name: 'two',
    started: '2026-11-19T12:54:27Z',
    seconds: 2.41,
    version: '0',
    results,
    comparisons,
    totals: {
      rows: results.length * 300,
      tokens: { prompt: 0, reused: 0, reply: 0 },
      ...(costs.length > 0 ? { costs: [{ amount, currency: 'USD' }] } : {}),
    },
  }
}

/** The screen of a run, with what follows it on standard error. */
function screen(given: RunSummary, width: number, hasColours = false): string[] {
  const folder = 'outputs/two/20261119_125427'
  const text = layOut(runScreen(given, { folder, remarks: [] }), width, hasColours)
  return `${text}\n\n${layOutNext(nextAfterRun(given, folder, 'rolecall'), width, hasColours)}`.split('\n')
}

function expectBounds(given: RunSummary, mostLines: number): void {
  for (const width of widths) {
    const plain = screen(given, width)
    const coloured = screen(given, width, true)
    expect(coloured.map(stripVTControlCharacters), `${width} columns, coloured`).toEqual(plain)
    expect(coloured.join('')).toContain('\u001b[')
    expect(plain.length, `${width} columns:\n${plain.join('\n')}`).toBeLessThanOrEqual(mostLines)
    for (const line of plain) expect(widthOf(line), `${width} columns: ${line}`).toBeLessThanOrEqual(width)
  }
}

const cost = (amount: number) => ({ costs: [{ amount, currency: 'USD' }] })
const good = result('good', 'qa', 100 * (262 / 300), cost(0.02142))
const weak = result('weak', 'qa', 67, cost(0.0021))

test('two models: figures, difference, the rows behind it, cost and place', () => {
  const difference = compared('good', 'weak', 'qa', -20.333333, { mcnemar: { onlyFirst: 85, onlySecond: 24, p: 0.0001 } })
  const two = summary([good, weak], [difference])
  expect(screen(two, 80)).toEqual([
    'qa · 300 rows · exact match % [95 % interval]',
    '',
    'good  ███████·  87.3  [83.3, 90.3]  0.0214 USD',
    'weak  █████▍··  67.0  [63.0, 70.0]  0.0021 USD',
    '',
    'weak − good  −20.3  [−26.3, −14.3]  p < 0.001  significant',
    '             right: both 177, only good 85, only weak 24, neither 14',
    '',
    '600 rows in 2.4 s · 0.024 USD · outputs/two/20261119_125427',
    '',
    'next  rolecall view outputs/two    the 109 rows on which they differ',
  ])
  expectBounds(two, 15)
})

test('a difference that may be chance is shown with its numbers', () => {
  const near = result('near', 'qa', 86)
  const lines = screen(summary([good, near], [compared('good', 'near', 'qa', -1.3333)]), 80)
  expect(lines).toContain('near − good  −1.3  [−7.3, +4.7]  p = 0.481  may be chance')
})

test('Chinese names are aligned by the columns that they take', () => {
  const names = ['通义千问-大模型-指令微调版', '书生·浦语-大模型-对话版'] as const
  const results = names.map((name) => result(name, '中文问答', 52.5, cost(0.00263)))
  const two = summary(results, [compared(names[0], names[1], '中文问答', 0, { interval: { low: 0, high: 0, method: 'bootstrap' } })])
  const lines = screen(two, 80)
  expect(lines.slice(2, 4)).toEqual([
    '通义千问-大模型-指令微调版  ████▎···  52.5  [48.5, 55.5]  0.0026 USD',
    '书生·浦语-大模型-对话版     ████▎···  52.5  [48.5, 55.5]  0.0026 USD',
  ])
  expect(lines).toContain('second − first  0.0  no row differs')
  expectBounds(two, 15)
})

test('several models on several datasets are a matrix: marks explain themselves once, and differences are counted', () => {
  const models = ['internlm2', 'vicuna', 'plain']
  const datasets = ['sums', 'choices', '零样本']
  const results = models.flatMap((model, line) =>
    datasets.map((dataset, column) =>
      result(model, dataset, line === 0 ? 100 : 30 * column, {
        rows: 25,
        metric: 'accuracy',
        ...(line === 1 && column === 0 ? { cut: 25 } : {}),
        notes: line > 0 ? [{ code: 'no-bos', text: 'the prompt begins without <s>', rows: 25 }] : [],
      }),
    ),
  )
  const comparisons = models
    .slice(1)
    .flatMap((model) => datasets.map((dataset, column) => compared('internlm2', model, dataset, column === 2 ? -1 : -70)))
  const matrix = summary(results, comparisons)
  expect(screen(matrix, 80).slice(0, 11)).toEqual([
    'accuracy %  sums             choices             零样本',
    'internlm2    100  [96, 100]      100  [96, 100]     100  [96, 100]',
    'vicuna         0*   [-4, 3]       30   [26, 33]      60≈  [56, 63]',
    'plain          0    [-4, 3]       30   [26, 33]      60≈  [56, 63]',
    'rows          25                  25                 25',
    '[95 % interval]',
    '',
    '* every answer was cut: raise max_out_len, or use the format the model knows',
    '4 of 6 differences from internlm2 are significant (p < 0.05); ≈ may be chance',
    '',
    'note  the prompt begins without <s> (vicuna and plain)',
  ])
  expectBounds(matrix, 25)
})

test('a matrix that does not fit becomes a list with a line for each figure', () => {
  const datasets = ['mmlu', 'gsm8k', 'humaneval', 'triviaqa', 'hellaswag', 'winogrande', 'boolq']
  const results = ['a-model-with-a-long-name', 'another-model-with-a-long-name'].flatMap((model) =>
    datasets.map((dataset) => result(model, dataset, 70)),
  )
  const lines = screen(summary(results), 60)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
  for (const dataset of datasets) expect(lines.join('\n')).toContain(dataset)
})

test('of many notes, the two that matter most are shown, each with its extent, and the rest is counted', () => {
  const unread = { ...answers, answered: 280, empty: 20 }
  const noted = result('weak', 'qa', 67, {
    failed: 3,
    cut: 12,
    answers: unread,
    examplesDropped: 4,
    skipped: 2,
    notes: [{ code: 'split-role', text: 'a role was split', rows: 300 }],
  })
  const lines = screen(summary([good, noted]), 100)
  const notes = lines.slice(lines.findIndex((line) => line.startsWith('note')))
  expect(notes.slice(0, 3)).toEqual([
    'note  3 of 300 rows have no answer: 67.0 is over the other 297; rolecall run -r --retry-errors sends',
    '      them again (weak)',
    '      a role was split (weak)',
  ])
  expect(notes[3]).toBe('600 rows in 2.4 s · 0.021 USD · outputs/two/20261119_125427 · 4 more notes in summary/summary.md')
})

test('the notes that a demonstration is about are counted, and its failures are shown', () => {
  const noted = result('good', 'qa', 80, {
    notes: [{ code: 'no-bos', text: 'neither the prompt nor the tokenizer writes <s>', rows: 300 }],
  })
  const text = (results: readonly PairResult[]) =>
    layOut(runScreen(summary(results), { folder: 'outputs/two', remarks: [], areNotesExpected: true }), 80, false)
  expect(text([noted])).toContain('\n1 note on these formats in summary/summary.md\n')
  expect(text([noted])).not.toContain('<s>')
  const failed = result('weak', 'qa', 60, { failed: 3, answers: { ...answers, answered: 297, failed: 3 } })
  expect(text([noted, failed])).toContain('\nnote  3 of 300 rows have no answer')
})
