import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { schemasWithValues } from '../../../../../proof/testing/schemas.ts'
import { control } from '../../../../core/src/base/text/index.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import type { LanguageModel } from '../language-model/language-model.ts'

let model: LanguageModel
beforeAll(async () => {
  model = await loadEmbedded()
}, 60_000)

const source = { by: 'format', path: 'test' } as const
const prompt: Prompt & { kind: 'completion' } = {
  kind: 'completion',
  bos: 'in-prompt',
  pieces: [control('<s><|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n', source)],
  stop: [{ token: '<|im_end|>', source }],
  notes: [],
}

const city = {
  type: 'object',
  properties: { city: { type: 'string', maxLength: 20 }, people: { type: 'integer', minimum: 0, maximum: 99_999_999 } },
  required: ['city', 'people'],
  additionalProperties: false,
}

test('a constrained reply is a value of its schema, ends with it, and is streamed', async () => {
  const told: string[] = []
  const reply = await model.generate(prompt, {
    maxTokens: 200,
    constraint: { kind: 'json-schema', schema: city },
    stopTexts: ['"'],
    onText: (text) => told.push(text),
  })
  expect(reply.finish).toBe('stop')
  expect(new Ajv2020().validate(city, JSON.parse(reply.text))).toBe(true)
  expect(told.join('')).toBe(reply.text)
  expect(reply.text.endsWith('}')).toBe(true)
  expect(reply.notes.map(({ code }) => code)).toContain('stops-unused')
})

test('the model still chooses the likelier of two texts', async () => {
  const choose = (...choices: string[]) => model.generate(prompt, { maxTokens: 20, constraint: { kind: 'choice', choices } })
  expect(await choose('Madrid', 'Paris', 'Rome')).toMatchObject({ text: 'Paris', finish: 'stop' })
  expect((await choose('yes', 'no')).text).toMatch(/^(yes|no)$/)
  const matched = await model.generate(prompt, { maxTokens: 40, constraint: { kind: 'pattern', pattern: 'P[a-z]{3,8}' } })
  expect(matched.text).toMatch(/^P[a-z]{3,8}$/)
})

test('a reply truncated by the token limit is the beginning of a value, with a note', async () => {
  const options = { constraint: { kind: 'json-schema', schema: city } as const }
  const whole = await model.generate(prompt, { ...options, maxTokens: 200 })
  for (const maxTokens of [1, 5, whole.tokens.reply - 1]) {
    const cut = await model.generate(prompt, { ...options, maxTokens })
    expect(cut).toMatchObject({ finish: 'length', tokens: { reply: maxTokens } })
    expect(whole.text.startsWith(cut.text)).toBe(true)
  }
  expect(await model.generate(prompt, { ...options, maxTokens: whole.tokens.reply })).toMatchObject({ finish: 'stop', text: whole.text })
})

test('an unenforceable constraint is refused before generation', () => {
  const constraint = { kind: 'json-schema', schema: { type: 'array', uniqueItems: true }, where: 'sums › output_schema' } as const
  expect(() => model.checkConstraint?.(constraint)).toThrow('sums › output_schema#/uniqueItems: uniqueItems cannot be enforced')
})

test('every complete reply validates at any temperature', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  await fc.assert(
    fc.asyncProperty(schemasWithValues(2), fc.nat(), async ({ schema }, seed) => {
      const options = { maxTokens: 60, sampling: { temperature: 1.5, seed }, constraint: { kind: 'json-schema', schema } as const }
      const { text, finish } = await model.generate(prompt, options)
      if (finish === 'stop') expect(ajv.validate(schema, JSON.parse(text)), `${text} for ${JSON.stringify(schema)}`).toBe(true)
    }),
    { numRuns: propertyRuns(100) },
  )
}, 60_000)
