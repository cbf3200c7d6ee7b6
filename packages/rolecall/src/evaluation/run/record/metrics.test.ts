import { describe, expect, test } from 'vitest'
import { pairResult } from '../../../../../../proof/testing/pair-result.ts'
import { evaluatorOf } from '../../score/evaluate/evaluators.ts'
import { overSamples } from '../../score/evaluate/over-samples.ts'
import { answersTable, hasUnread } from './answers-table.ts'
import { compareModels, comparisonText, formatSpread } from './compare-models.ts'
import { compareRows, pairRows } from './compare-rows.ts'
import { totalsOf } from './cost.ts'
import { noOutcomes, outcomeBits } from './outcome.ts'
import { PairTally } from './pair-tally.ts'
import { plainTable, resultsTable } from './results-table.ts'
import type { PairResult, RowRecord } from './run-record.ts'
import { summaryCsv } from './summary-csv.ts'
import { summaryMarkdown } from './summary-markdown.ts'

const result = (given: Partial<PairResult> = {}) =>
  pairResult('tiny', 'text', 50, { rows: 4, answers: { ...noOutcomes(), answered: 4 }, ...given })

const perplexity = { metric: 'average_ppl', kind: 'quantity', unit: 'nats per token', direction: 'lower' } as const

const record = (id: number, score: number, given: Partial<RowRecord> = {}): RowRecord => ({
  id,
  key: 'k',
  row_hash: String(id),
  score,
  prompt_hash: 'same',
  prediction: String(score),
  tokens: { prompt: 1, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 1,
  ...given,
})

const summary = (results: readonly PairResult[]) => ({ name: 'run', started: 'now', seconds: 1, version: '0', results })

describe('usage', () => {
  test("is part of the run's page", () => {
    const spent = result({ tokens: { prompt: 1200, reused: 0, reply: 34 }, costs: [{ amount: 1.5, currency: 'USD' }] })
    const page = summaryMarkdown({ ...summary([spent]), totals: totalsOf([spent]) })
    expect(page).toContain('\n1,200 prompt tokens, 34 generated; cost 1.50 USD\n')
  })
})

describe('direction', () => {
  test('a lower perplexity is better between two runs', () => {
    const compared = compareRows({
      dataset: 'text',
      models: [{ model: 'a' }, { model: 'a' }],
      results: [result(perplexity), result(perplexity)],
      paired: pairRows([record(0, 2), record(1, 1), record(2, 3)], [record(0, 1), record(1, 2), record(2, 3)]),
    })
    expect(compared).toMatchObject({ better: [0], worse: [1], direction: 'lower' })
    expect(compared.comparison).toMatchObject({ direction: 'lower' })
    // A score of 1 does not mean right: McNemar's test does not apply.
    expect(compared.comparison!.mcnemar).toBeUndefined()
  })

  test('scores with different directions are not compared', () => {
    const compared = compareRows({
      dataset: 'text',
      models: [{ model: 'a' }, { model: 'a' }],
      results: [result({ metric: 'mine' }), result({ metric: 'mine', direction: 'lower' })],
      paired: pairRows([record(0, 1)], [record(0, 0)]),
    })
    expect(compared).toMatchObject({ metrics: ['mine', 'mine'], better: [], worse: [] })
  })

  test('comparisons of two models state it', () => {
    const [compared] = compareModels([
      { result: result({ ...perplexity, model: 'a' }), scores: [1, 1, 1] },
      { result: result({ ...perplexity, model: 'b' }), scores: [0, 0, 0] },
    ])
    expect(compared!.mcnemar).toBeUndefined()
    expect(comparisonText(compared!)).toBe(
      'b against a on text: −1.0000 [−1.0000, −1.0000] nats per token (lower is better): the same difference in every row',
    )
  })

  test('comparisons of formats state it, too', () => {
    const [plain, chatml] = [result({ ...perplexity, format: 'plain', value: 2 }), result({ ...perplexity, format: 'chatml', value: 3 })]
    expect(formatSpread([plain, chatml])).toEqual(['tiny on text: 1.0000 between formats (chatml 3.0000, plain 2.0000)'])
  })

  test('a failed row counts as wrong only if higher is better', () => {
    const tally = (direction: 'higher' | 'lower') => {
      const evaluator = { metric: 'mine', kind: 'graded', unit: 'percent', direction, needsReference: false } as const
      const counted = new PairTally({ model: 'a', dataset: 'b' }, { ...evaluator, judge: () => ({ score: 0, detail: {} }) })
      counted.add(record(0, 1))
      counted.add({ ...record(1, 0), score: undefined, prediction: null, error: 'gone' })
      return counted.result(1, { count: 0, notes: [] })
    }
    expect(tally('higher').valueIfFailedAreWrong).toBe(50)
    expect(tally('lower').valueIfFailedAreWrong).toBeUndefined()
  })
})

describe('outcomes of answers', () => {
  const some = result({ answers: { ...noOutcomes(), answered: 2, notFound: 1, cut: 1 }, reasoned: 3 })

  test('are always a table in Markdown', () => {
    expect(summaryMarkdown(summary([some]))).toContain(
      '| answers | answered | not found | cut | refused | empty | tool call | not decided | failed | reasoning removed |',
    )
    expect(summaryMarkdown(summary([some]))).toContain('| tiny · text | 2 | 1 | 1 | – | – | – | – | – | 3 of 4 rows |')
    expect(summaryMarkdown(summary([result()]))).toContain('| tiny · text | 4 | – | – | – | – | – | – | – | – |')
  })

  test('are aligned in a terminal, if there are any to report', () => {
    expect([result(), some].map(hasUnread)).toEqual([false, true])
    const [heading, line] = plainTable(answersTable([some])).split('\n')
    expect(heading!.indexOf('not found') + 'not found'.length).toBe(line!.indexOf('1') + 1)
  })

  test('are a column each in CSV', () => {
    const [heading, line] = summaryCsv({ results: [some] }).split('\n')
    const cells = Object.fromEntries(heading!.split(',').map((name, place) => [name, line!.split(',')[place]]))
    expect(cells).toMatchObject({ answered: '2', not_found: '1', cut_unread: '1', refused: '0', reasoning_set_apart: '3' })
  })

  test('are a bit each in the index', () => {
    expect(outcomeBits({})).toBe(0b100000000)
    expect(outcomeBits({ outcome: 'not-found', prediction: '?' })).toBe(1)
    expect(outcomeBits({ outcome: ['answered', 'cut', 'failed'] })).toBe(0b100100010)
    expect(outcomeBits({ error: 'no reply' })).toBe(0b100000)
    expect(outcomeBits({ outcome: 'nonsense' })).toBe(0)
  })
})

describe('secondary metrics', () => {
  const squad = evaluatorOf({ type: 'SquadEvaluator' }, true, 'mine')
  const tallied = () => {
    const tally = new PairTally({ model: 'tiny', dataset: 'text' }, squad)
    for (const [id, prediction] of ['red car', 'the red dog'].entries()) {
      const { score, keep } = squad.judge({ prediction, reference: 'red car', row: {} })
      tally.add(record(id, score), keep)
    }
    return tally.result(1, { count: 0, notes: [] })
  }

  test('are shown with their unit in every output format', () => {
    const found = tallied()
    expect(found.beside).toEqual([{ metric: 'exact_match', unit: 'percent', direction: 'higher', value: 50 }])
    expect(resultsTable([found], 120)).toMatch(/f1 % +exact_match %\n.*75\.0.* 50\.0$/)
    expect(resultsTable([found], 30)).toMatch(/75\.0.*f1 %, 2 rows\ntiny · text +50\.0 +exact_match %$/)
    expect(summaryMarkdown(summary([found]))).toMatch(/\| text: f1 % \| text: exact\\_match % \|\n.*\n\| tiny \| 75\.0.* \| 50\.0 \|/)
    const lines = summaryCsv({ results: [found] }).split('\n')
    expect(lines[1]).toMatch(/^tiny,text,f1,percent,75,.*,main,higher,/)
    expect(lines[2]).toMatch(/^tiny,text,exact_match,percent,50,.*,beside,higher,/)
  })

  test('are pass@k and majority@k if rows have several answers', () => {
    const sampled = overSamples(evaluatorOf({ type: 'AccEvaluator' }, true, 'mine'), { n: 4, k: [1, 4] })
    const tally = new PairTally({ model: 'tiny', dataset: 'text' }, sampled)
    const { score, keep } = sampled.judge({ prediction: ['4', '4', '5', '6'], reference: '4', row: {} })
    tally.add(record(0, score), keep)
    const { beside = [] } = tally.result(1, { count: 0, notes: [] })
    expect(beside.map(({ metric, value }) => [metric, value])).toEqual([
      ['pass@1', 50],
      ['pass@4', 100],
      ['majority@4', 100],
    ])
  })
})
