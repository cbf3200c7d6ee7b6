import { expect, test } from 'vitest'
import { sampleOf, triesAll } from '../../../../../../proof/testing/sampling.ts'
import type { PyValue } from '../../../../../core/src/base/python/index.ts'
import { commonLength, commonPlaces } from '../../../evaluation/score/evaluate/common-subsequence.ts'
import { evaluatorOf } from '../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../register-opencompass.ts'

registerOpenCompass()

// Output of a model that never stops, against gold answers of typical length. Each took minutes, gigabytes or forever
// with a table of all word pairs or a backtracking pattern.

const words = 200_000
const most = 20 // seconds of CPU time: a table of all pairs takes minutes
const gold = Array.from({ length: 300 }, (_, index) => `word${index}`)
const hostile: Record<string, string> = {
  'gold words again and again': Array.from({ length: words }, (_, index) => gold[index % 300]).join(' '),
  'a gold word on each line': Array.from({ length: words }, (_, index) => `${gold[index % 300]} x${index}`).join('\n'),
  'other words': Array.from({ length: words }, (_, index) => `x${index}`).join(' '),
  'opening brackets': '('.repeat(words),
  'the answer is, without end': 'the answer is '.repeat(words / 4),
  quotes: '"answer": '.repeat(words / 4),
}

const goldText = gold.join(' ')
const rows: [name: string, reference: PyValue, options?: Record<string, unknown>, row?: Record<string, PyValue>][] = [
  ['RougeEvaluator', goldText],
  ['LongBenchRougeEvaluator', [goldText]],
  ['LongBenchF1Evaluator', [goldText]],
  ['LongBenchCodeSimEvaluator', ['return a + b']],
  ['LVEvalOPTRougeEvaluator', [goldText, 'word1']],
  ['NeedleBenchOriginEvaluator', `${gold.slice(0, 20).join(' ')}*word1`],
  ['ZebraLogicMCEvaluator', 'A'],
  ['ELBenchChoiceEvaluator', 'A'],
  [
    'SuperGPQAEvaluator',
    'A',
    {},
    { prompt_mode: 'zero-shot', options: ['iron', 'gold'], answer_letter: 'A', answer: '', difficulty: 'easy' },
  ],
  ['PILLMEvaluator', '{"a": "b"}', {}, { experiment: 'exp_keys', n_updates: 4 }],
  ['AGIEvalEvaluator', '5'],
  ['TabMWPEvaluator', { answer: '5', unit: '', choices: null }],
  ['korbenchEvaluator', '[[5]]', {}, { prompt_mode: '0_shot', category: 'puzzle', rule_id: '3' }],
]

test.each(rows)(
  '%s judges answers of 200,000 words in a moment',
  (type, reference, options = {}, row = {}) => {
    const evaluator = evaluatorOf({ type, ...options }, true, 'mine')
    for (const [name, prediction] of sampleOf(Object.entries(hostile), triesAll ? 2 : 1)) {
      const started = process.cpuUsage().user
      evaluator.judge({ prediction, reference, row })
      expect((process.cpuUsage().user - started) / 1e6, name).toBeLessThan(most)
    }
  },
  120_000,
)

test('the longest common subsequence of long texts equals that of a full table', () => {
  const a = Array.from({ length: 210 }, (_, index) => `w${(index * 7919) % 53}`)
  const b = Array.from({ length: 170 }, (_, index) => `w${(index * 104729) % 47}`)
  for (const tie of ['without-a', 'without-b'] as const) {
    const { length, places } = byTable(a, b, tie)
    expect(commonLength(a, b)).toBe(length)
    expect(commonPlaces(a, b, tie)).toEqual(places)
  }
})

function byTable(a: readonly string[], b: readonly string[], tie: 'without-a' | 'without-b') {
  const table = [Array.from({ length: b.length + 1 }, () => 0)]
  for (const [line, item] of a.entries()) {
    const row = [0]
    for (const [column, other] of b.entries()) {
      row.push(item === other ? table[line]![column]! + 1 : Math.max(table[line]![column + 1]!, row[column]!))
    }
    table.push(row)
  }
  const places: number[] = []
  for (let [line, column] = [a.length, b.length]; line > 0 && column > 0; ) {
    const [above, left] = [table[line - 1]![column]!, table[line]![column - 1]!]
    if (a[line - 1] === b[column - 1]) {
      places.unshift(line - 1)
      line--
      column--
    } else if (left > above || (left === above && tie === 'without-b')) column--
    else line--
  }
  return { length: table[a.length]![b.length]!, places }
}
