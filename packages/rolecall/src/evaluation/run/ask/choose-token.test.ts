import { expect, test } from 'vitest'
import { control } from '../../../../../core/src/base/text/index.ts'
import { chooseToken } from './choose-token.ts'
import type { Request, RequestPlan } from './inferencer.ts'

const pieces = ['Q: ', 'a?'].map((text) => control(text, { by: 'format', path: 'f' }))
// Only what the choice of a token reads of a plan.
const plan = {
  where: 'd',
  dataset: { infer_cfg: { inferencer: { type: 'CLPInferencer', choices: ['A', 'BC'], single_token: false } } },
  tokenizer: { name: 't', encodeRun: (choice: string) => ({ ids: [...choice].map((letter) => letter.charCodeAt(0)) }) },
  write: () => ({ prompt: { kind: 'completion', pieces, stop: [], notes: [] }, conversation: { sections: [] } }),
} as unknown as RequestPlan

test('only the tokens of the choice, the last piece, are needed', () => {
  const request = chooseToken.ask(plan, { row: {}, examples: [] }).next().value as Request & { kind: 'score' }
  const needs = (...pieces: [number, number] | []) =>
    request.needs!({ id: 1, span: [0, 1], ...(pieces.length === 2 ? { pieces } : {}) } as never, 0)
  expect([needs(2, 2), needs(1, 2), needs(1, 1), needs(0, 0), needs()]).toEqual([true, true, false, false, false])
  expect(request.prompts.map(({ prompt, label }) => [label, prompt.kind === 'completion' && prompt.answer])).toEqual([
    ['A', { start: 2, end: 3 }],
    ['BC', { start: 2, end: 3 }],
  ])
})

test('a choice of several tokens is as likely as all of them together', () => {
  const steps = chooseToken.ask(plan, { row: {}, examples: [] })
  steps.next()
  const scored = [
    [null, -9, -3],
    [null, -9, -1, -1.5],
  ].map((logProbabilities) => ({ tokens: [], logProbabilities, reused: 0, notes: [] }))
  const { value, done } = steps.next({ kind: 'score', scored } as never)
  expect(done).toBe(true)
  expect(value).toMatchObject({
    prediction: 'BC',
    scores: [
      { label: 'A', value: -3 },
      { label: 'BC', value: -2.5 },
    ],
  })
})
