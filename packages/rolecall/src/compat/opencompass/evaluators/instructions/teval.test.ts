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
  expect(() => teval('plan')).toThrow('no embedding model is named')
  expect(() => teval('constructor')).toThrow('no subset "constructor"')
  expect(() => teval('review').judge({ prediction: 'A', reference: '{}', row: {} })).toThrow('ground_truth')
  expect(() => teval('instruct_zh').judge({ prediction: 'A', reference: gold('string', {}), row: {} })).toThrow('thought_start')
})

const withEmbeddings = (subset: string) => evaluatorOf({ type: 'TEvalEvaluator', subset, embeddings: 'energetic-ai' }, true, 'mine')
/** The metrics of an answer if equal texts have the similarity 1 and others 0.1. */
const likeness = (subset: string, answered: string, gold: object) => {
  const { embeds, judge } = withEmbeddings(subset)
  const reference = JSON.stringify(gold)
  const prediction = embeds!.pairs(answered, reference).map(([one, other]) => (one === other ? 1 : 0.1))
  return judge({ prediction, answered, reference, row: {} }).keep
}

test('plans are compared action by action, in their order', () => {
  const action = (name: string, id: number, args: object = {}) => ({ name, id, args })
  const ground_truth = [action('a', 0), action('b', 1), action('c', 2), action('FinishAction', 3)]
  const said = (...plan: object[]) => likeness('plan', `Plan: ${JSON.stringify(plan)}`, { ground_truth })
  expect(said(...ground_truth)).toEqual({ precision: 1, recall: 1, f1_score: 1, parse_rate: 1 })
  expect(said(action('c', 0), action('a', 1), action('b', 2))).toMatchObject({ precision: 2 / 3, recall: 2 / 3 })
  // An action without a partner counts as one, as in OpenCompass.
  expect(said(action('x', 0))).toMatchObject({ precision: 1, recall: 1 / 3 })
  expect(said({ name: 'a' })).toEqual({ precision: 0, recall: 0, f1_score: 0, parse_rate: 0 })
  const words = { ground_truth, meta: { prompt_type: 'str', API_list: ['a.x', 'b'] } }
  expect(likeness('plan', 'First a.x then. Then b', words)).toMatchObject({ parse_rate: 1, precision: 0.5 })
})

test('steps: thoughts and arguments by likeness, names exactly', () => {
  const ground_truth = { thought: 'look', name: 'web.find', args: { q: 'tea' } }
  expect(likeness('reason_retrieve_understand', JSON.stringify({ ...ground_truth, name: 'x' }), { ground_truth })).toEqual({
    thought: 1,
    name: 0,
    args: 1,
    parse_rate: 1,
  })
  expect(likeness('reason_retrieve_understand_zh', 'none', { ground_truth })).toEqual({ thought: 0, name: 0, args: 0, parse_rate: 0 })
  expect(likeness('retrieve', 'use web.find', { ground_truth })).toEqual({ name: 1, parse_rate: 1 })
  expect(likeness('retrieve', 'web.find or web.open', { ground_truth })).toEqual({ name: 0, parse_rate: 1 })
  expect(likeness('reason', 'look', { ground_truth })).toEqual({ thought: 1, parse_rate: 1 })
})
