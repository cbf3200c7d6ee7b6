import { expect, test } from 'vitest'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { compilePrompt } from './compile-prompt.ts'

const dataset = { infer_cfg: { prompt_template: { template: '{q}' } } }

test.each<[string, unknown, unknown]>([
  ['two empty objects', {}, {}],
  ['no dataset', { format: 'chatml' }, undefined],
  ['null as dataset', { format: 'chatml' }, null],
  ['a text as infer_cfg', { format: 'chatml' }, { infer_cfg: 'x' }],
  ['an infer_cfg without a template', { format: 'chatml' }, { infer_cfg: {} }],
  ['no model', undefined, dataset],
  ['null as model', null, dataset],
  ['a text as model', 'chatml', dataset],
  ['an unknown format', { format: 'nope' }, dataset],
])('%s is a PromptError with a place and a fix', (_, model, given) => {
  let thrown: unknown
  try {
    compilePrompt(model as never, given as never).render({ row: { q: '1' }, mode: 'gen' })
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(PromptError)
  expect(thrown).toMatchObject({ where: expect.stringMatching(/./), fix: expect.stringMatching(/./) })
})

test('two empty objects name what is missing', () => {
  expect(() => compilePrompt({}, {} as never)).toThrow('dataset › infer_cfg: it is missing')
})
