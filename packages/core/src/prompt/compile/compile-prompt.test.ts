import { expect, test } from 'vitest'
import type { ModelConfig } from '../../../../rolecall/src/evaluation/config/config-schema.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { bodyOf } from '../format/flatten.ts'
import { compilePrompt, compileWithSharedFormat } from './compile-prompt.ts'

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

test('a turn with prompt_mm, as in AISBench, is a message with parts', () => {
  const turn = {
    role: 'HUMAN',
    prompt_mm: {
      text: { type: 'text', text: '{question}' },
      image: { type: 'image_url', image_url: { url: 'file://{image}' } },
    },
  }
  const dataset = {
    reader_cfg: { input_columns: ['question', 'image'], output_column: 'answer' },
    infer_cfg: { prompt_template: { type: 'MMPromptTemplate', template: { round: [turn, { role: 'BOT', prompt: '{answer}' }] } } },
  }
  const content = [
    { type: 'text', text: 'Which?' },
    { type: 'image_url', image_url: { url: 'file:///cat.png' } },
  ]
  const row = { question: 'Which?', image: '/cat.png', answer: 'cat' }
  const api: ModelConfig = {
    meta_template: {
      round: [
        { role: 'HUMAN', api_role: 'HUMAN' },
        { role: 'BOT', api_role: 'BOT', generate: true },
      ],
    },
    is_api: true,
  }
  for (const model of [api, { format: 'messages' } satisfies ModelConfig]) {
    const prompt = compilePrompt(model, dataset).render({ row, mode: 'gen' }).prompt
    expect(JSON.parse(bodyOf(prompt))).toEqual([{ role: 'user', content }])
  }
  const both = { ...turn, prompt: 'x' }
  expect(() => compilePrompt(api, { infer_cfg: { prompt_template: { template: { round: [both] } } } })).toThrow(
    'both a prompt and a prompt_mm',
  )
})

test('datasets of one model share its format, unless one reproduces quirks of the reference', () => {
  const model: ModelConfig = { format: 'chatml' }
  const about = (prompt: string) => ({ infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt }] } } } })
  const [one, other] = [about('{question}'), about('{word}')].map((dataset) => compileWithSharedFormat(model, dataset))
  expect(other!.format).toBe(one!.format)
  expect(compileWithSharedFormat(model, { ...about('{question}'), compat: 'opencompass' }).format).not.toBe(one!.format)
  expect(compileWithSharedFormat({ ...model }, about('{question}')).format).not.toBe(one!.format)
})
