import { expect, test } from 'vitest'
import { outputConstraint } from './plan-requests.ts'

const schema = { type: 'object', properties: { answer: { type: 'integer' } } }
const plan = (output_schema: unknown, type = 'embedded', needs: 'generate' | 'score' = 'generate') =>
  ({ model: { type }, dataset: { infer_cfg: {}, output_schema }, name: { dataset: 'd' }, inferencer: { needs } }) as never

test('a dataset with a schema constrains what is generated', () => {
  expect(outputConstraint(plan(schema))).toEqual({ kind: 'json-schema', schema, where: 'd › output_schema' })
  expect(outputConstraint(plan(undefined))).toBeUndefined()
  expect(outputConstraint(plan(undefined, 'embedded', 'score'))).toBeUndefined()
})

test('likelihoods cannot be constrained, and a path must have been read', () => {
  expect(() => outputConstraint(plan(schema, 'embedded', 'score'))).toThrow('the model only computes likelihoods')
  expect(() => outputConstraint(plan('answer.json'))).toThrow('it is a path (answer.json), but files cannot be read here')
})

test('what cannot be enforced is refused for local models; a server decides itself', () => {
  const unsupported = { type: 'array', uniqueItems: true }
  expect(() => outputConstraint(plan(unsupported))).toThrow('d › output_schema')
  expect(outputConstraint(plan(unsupported, 'openai'))).toMatchObject({ schema: unsupported })
})
