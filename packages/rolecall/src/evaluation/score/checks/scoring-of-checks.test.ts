import { expect, test } from 'vitest'
import { evaluateAnswers } from '../evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../evaluate/evaluators.ts'
import { postprocessorOf } from '../postprocess/postprocessors.ts'
import type { ChecksConfig } from './check-schema.ts'
import { type ChecksContext, scoringOfChecks } from './scoring-of-checks.ts'

type Case = { reply: string; gold?: unknown; row?: Record<string, unknown> }

/** The metrics of replies by a check, read as a run reads them. */
function figures(check: ChecksConfig | undefined, cases: readonly Case[], context?: ChecksContext) {
  const { evaluator, pred_postprocessor: read, dataset_postprocessor: readGold } = scoringOfChecks(check, 'check', context)
  const [reply, gold] = [postprocessorOf(read, 'reply'), postprocessorOf(readGold, 'gold')]
  const references = cases.map(({ gold: one = 'x' }) => (typeof one === 'string' ? gold(one) : one)) as never[]
  return evaluateAnswers(
    evaluatorOf(evaluator as never, true, 'test'),
    cases.map((one) => reply(one.reply)),
    references,
    cases.map(({ row = {} }) => row) as never,
  ).figures
}
const right = (check: ChecksConfig, reply: string, gold?: unknown, row?: Record<string, unknown>) =>
  Object.values(figures(check, [{ reply, gold, ...(row ? { row } : {}) }]))[0] === 100

test.each<[check: ChecksConfig, gold: unknown, right: string, wrong: string]>([
  ['exact', 'Rome', ' Rome\n', 'Rome.'],
  ['iexact', 'Rome', 'rome', 'Romes'],
  ['contains', 'Rome', 'It is Rome.', 'It is rome.'],
  ['contains', ['Rome', 'Roma'], 'Roma!', 'Rom'],
  ['icontains', 'Rome', 'It is rome.', 'It is Oslo.'],
  [{ contains: 'Paris' }, 'Rome', 'Paris', 'Rome'],
  [{ icontains: ['a', 'b'], not: true }, 'x', 'nothing', 'Black'],
  [{ 'starts-with': 'Yes' }, 'x', ' Yes, it is', 'No. Yes'],
  [{ 'ends-with': true }, '4', 'It is 4 ', '4 it is'],
  [{ regex: '^\\d+$' }, 'x', '42', '42.'],
  ['number', '1,200', 'That makes 1200 in all.', 'That makes 120.'],
  [{ number: 4.5 }, 'x', 'The answer is 4.50', 'The answer is 4'],
  [{ number: { tolerance: 0.1 } }, '3.14', 'About 3.2', 'About 3.5'],
  ['choice', 'B', 'The answer is (B).', 'The answer is (C).'],
  [{ choice: 'AB' }, 'B', 'B', 'A'],
  ['json', 'x', '[1, 2]', '[1, 2'],
  [{ json: { type: 'object', required: ['a'] } }, 'x', '{"a": 1}', '{"b": 1}'],
  [{ json: { schema: { type: 'array' } } }, 'x', '[]', '{}'],
  ['fields', '{"a": 1}', '{"a": 1, "b": 2}', '{"a": 2}'],
  [({ prediction }) => prediction === 'mine', 'x', 'mine', 'yours'],
])('%j against %j takes %j and not %j', (check, gold, good, bad) => {
  expect([right(check, good, gold), right(check, bad, gold)]).toEqual([true, false])
})

test('several checks must all hold, and each has its own share', () => {
  const cases = [
    { reply: 'Rome', gold: 'Rome' },
    { reply: 'Rome is the capital of Italy.', gold: 'Rome' },
    { reply: 'Oslo', gold: 'Rome' },
  ]
  expect(figures(['contains', { regex: '^.{0,9}$', name: 'short' }], cases)).toEqual({
    pass_rate: 100 / 3,
    contains: 200 / 3,
    short: 200 / 3,
  })
})

test('with weights the score is the weighted mean, with a threshold whether it is reached', () => {
  const cases = [
    { reply: 'Rome is the capital.', gold: 'Rome' },
    { reply: 'x', gold: 'Rome' },
  ]
  const checks: ChecksConfig = [
    { contains: true, weight: 3 },
    { regex: '^.{0,9}$', name: 'short' },
  ]
  expect(figures(checks, cases)).toMatchObject({ score: 50 })
  expect(figures(checks, cases, { threshold: 0.7 })).toMatchObject({ pass_rate: 50 })
})

test('rows bring their own checks, as objects, lists, JSON or a kind alone', () => {
  const rows = [{ contains: '12' }, [{ contains: '1' }, { contains: '2' }], '{"number": 12}', 'exact', '']
  const cases = rows.map((check) => ({ reply: '12', gold: '12', row: { check } }))
  expect(figures({ icontains: 'sorry', not: true }, cases, { column: 'check' })).toEqual({ pass_rate: 100 })
  expect(
    figures(
      [{ column: 'check' }],
      cases.slice(0, 4).map((one) => ({ ...one, reply: 'x' })),
    ),
  ).toEqual({ pass_rate: 0 })
})

test.each([
  [{ python: 'score.py:f' }],
  [{ ts: 'score.ts:f' }],
  [{ judge: 'Good?' }],
  [{ type: 'AccEvaluator' }],
  ['score.py:f'],
  [{ extract: 'regex', exact: true }],
])('data cannot name code, a model or an evaluator: %j', (check) => {
  expect(() => figures(undefined, [{ reply: 'x', row: { check } }], { column: 'check' })).toThrow(/cannot come from a row/)
})

test.each<[what: string, check: unknown, error: RegExp]>([
  ['broken JSON', '{"contains": ', /not JSON/],
  ['an unknown key', { contain: 'x' }, /no check/],
  ['no check at all', '', /it has no check/],
])('%s in a row is an error that says what to write', (_, check, error) => {
  expect(() => figures(undefined, [{ reply: 'x', row: { check } }], { column: 'check' })).toThrow(error)
})

test('a pattern costs linear time, and one that cannot is refused', () => {
  const started = performance.now()
  expect(right({ regex: '^(a+)+$' }, `${'a'.repeat(50_000)}b`)).toBe(false)
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(() => right({ regex: '(a)\\1' }, 'aa')).toThrow(/regex: .*cannot be used/)
})

test('an empty gold answer, which every reply contains, is an error', () => {
  expect(() => right('contains', 'anything', '')).toThrow(/it is empty, so every reply fulfils it/)
})

test('a broken regular expression is named with its place', () => {
  expect(() => scoringOfChecks(['exact', { regex: '(' }], 'check')).toThrow('check[1].regex: "(" cannot be used')
})
