import { afterEach, expect, test } from 'vitest'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { control } from '../../../../core/src/base/text/index.ts'
import type { Constraint } from '../../../../core/src/constrain/index.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { type ConstrainBy, constraintFields } from './constraint-fields.ts'
import { openOpenAI } from './open-openai.ts'

const opened: ScriptedServer[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
const json: Constraint = { kind: 'json-schema', schema, name: 'thing' }
const prompt: Prompt = {
  kind: 'completion',
  pieces: [control('1+1=', { by: 'template', path: 'test' })],
  bos: 'tokenizer',
  stop: [],
  notes: [],
}

test('every server gets the constraint in its field', () => {
  const fields = (constraint: Constraint, by: ConstrainBy) => constraintFields(constraint, by, 'm')
  expect(fields(json, 'response_format')).toEqual({
    response_format: { type: 'json_schema', json_schema: { name: 'thing', schema, strict: true } },
  })
  expect(fields({ kind: 'json-object' }, 'response_format')).toEqual({ response_format: { type: 'json_object' } })
  expect(fields(json, 'structured_outputs')).toEqual({ structured_outputs: { json: schema } })
  expect(fields(json, 'guided')).toEqual({ guided_json: schema })
  expect(fields(json, 'json_schema')).toEqual({ json_schema: schema })
  expect(fields({ kind: 'choice', choices: ['a'] }, 'guided')).toEqual({ guided_choice: ['a'] })
  expect(fields({ kind: 'pattern', pattern: 'a+' }, 'structured_outputs')).toEqual({ structured_outputs: { regex: 'a+' } })
  expect(fields(json, 'sglang')).toEqual(fields(json, 'response_format'))
  expect(fields({ kind: 'pattern', pattern: 'a+' }, 'sglang')).toEqual({ regex: 'a+' })
  expect(fields({ kind: 'choice', choices: ['a.b', 'c'] }, 'sglang')).toEqual({ regex: String.raw`(a\.b|c)` })
  expect(() => fields({ kind: 'pattern', pattern: 'a+' }, 'json_schema')).toThrow('m › constrain_by: a reply has to be a pattern')
})

test('a reply that violates the schema is noted', async () => {
  const replies = ['{"a": 1}', '{"a": "x"}', 'Sure!', '{"a": 1']
  const sent: unknown[] = []
  const server = await scriptedServer(({ body }) => {
    sent.push(JSON.parse(body))
    const text = replies[sent.length - 1]
    return { json: { choices: [{ text, finish_reason: sent.length === 4 ? 'length' : 'stop' }] } }
  })
  opened.push(server)
  const config: ModelConfig = { abbr: 'm', path: 'm', base_url: `${server.url}/v1`, constrain_by: 'guided' }
  const model = openOpenAI(config)
  const notes: string[][] = []
  for (const _ of replies) {
    const reply = await model.generate(prompt, { maxTokens: 9, constraint: json })
    notes.push(reply.notes.filter(({ code }) => code === 'not-constrained').map(({ text }) => text))
  }
  await model.close?.()
  expect(sent[0]).toMatchObject({ prompt: '1+1=', guided_json: schema })
  expect(notes.map(([text]) => text)).toEqual([
    undefined,
    expect.stringContaining('a expected an integer, found "x"'),
    expect.stringContaining('it is not JSON'),
    undefined,
  ])
})
