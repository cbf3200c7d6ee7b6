import { expect, test } from 'vitest'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'

registerOpenCompass()

const teval = (subset: string) => evaluatorOf({ type: 'TEvalEvaluator', subset }, true, 'mine')
const gold = (format: string, template: object) =>
  JSON.stringify({ template, ground_truth: { action: 'search', args: { q: 'tea' } }, meta_data: { response_format: format } })
const marks = Object.fromEntries(
  ['thought', 'action', 'args'].flatMap((part) => [
    [`${part}_start`, `${part}: `],
    [`${part}_end`, ''],
  ]),
)

test.each([
  ['json', '```json\n{"t": "x", "a": "search", "b": {"q": "tea"}}\n```', 1, 1],
  ['json', "{'t': 'x', 'a': 'search', 'b': 'tea'}", 1, 0.5],
  ['json', '{"t": "x", "a": "search"}', 0, 0],
  ['json', '[1]', 0, 0],
  ['string', "thought: x\naction: search\nargs: {'q': 'tea'}", 1, 1],
  ['string', 'thought: x\naction: search\nargs: tea', 1, 0.5],
  ['string', 'action: search', 0, 0],
])('a call as %s: %s', (format, prediction, hasFormat, share) => {
  const reference = gold(format, format === 'json' ? { thought: 't', action: 'a', args: 'b' } : marks)
  const { keep } = teval('instruct').judge({ prediction, reference, row: {} })
  expect(keep).toEqual({ [`${format}_format_metric`]: hasFormat, [`${format}_args_em_metric`]: share })
})

test('what is refused: subsets that need embeddings, other gold answers, templates without marks', () => {
  expect(() => teval('plan')).toThrow('sentence-embedding model for "plan"')
  expect(() => teval('constructor')).toThrow('sentence-embedding model for "constructor"')
  expect(() => teval('review').judge({ prediction: 'A', reference: '{}', row: {} })).toThrow('ground_truth')
  expect(() => teval('instruct_zh').judge({ prediction: 'A', reference: gold('string', {}), row: {} })).toThrow('thought_start')
})
