import { describe, expect, test } from 'vitest'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import { modelSchema } from '../../evaluation/config/model-schema.ts'
import { modelFlagUsage, modelTypeFields, modelTypeNamed, modelTypeOf, modelTypes, runnableType, tokenizerNamed } from './index.ts'
import { type ModelHost, shippedTokenizer } from './model-type.ts'

describe.for(modelTypes.map((type) => [type.name, type] as const))('models of type %s', ([name, type]) => {
  test('are found by name, by flag and by their OpenCompass classes', () => {
    expect(modelTypeNamed(name)).toBe(type)
    expect(type.flag.usage.split(':')[0]).toBe(name)
    expect(modelFlagUsage).toContain(type.flag.usage)
    for (const found of [name, ...(type.classes ?? [])]) expect(modelTypeOf({ type: found })).toBe(type)
  })

  test('have specific settings, which the schema knows and other types do not use', () => {
    const keys = Object.keys(type.fields)
    expect(Object.keys(modelSchema.shape)).toEqual(expect.arrayContaining(keys))
    const other = modelTypes.find((one) => one !== type)!
    for (const key of keys.filter((one) => !(one in other.fields))) {
      const unusedIn = (of: string) => checkConfig({ models: [{ type: of, [key]: undefined }] }).unused.map(({ where }) => where)
      expect([unusedIn(name), unusedIn(other.name)]).toEqual([[], [`config.models[0].${key}`]])
    }
  })
})

test('no two types share a name or a class, and a setting of several means the same in each', () => {
  const names = modelTypes.flatMap(({ name, classes = [] }) => [name, ...classes])
  expect(new Set(names).size).toBe(names.length)
  for (const { fields } of modelTypes)
    for (const [key, schema] of Object.entries(fields)) expect(modelTypeFields).toHaveProperty(key, schema)
})

test('a model that no type runs is an error that lists the types', () => {
  expect(() => runnableType({ abbr: 'm', type: 'HuggingFaceCausalLM' })).toThrow(
    'm › type: nothing here can run a model of type "HuggingFaceCausalLM". Set type to "embedded" or "gguf" or "openai" or "anthropic" or "google"',
  )
  expect(() => runnableType({})).toThrow('model › type: the model has no type')
  expect(runnableType({ type: 'opencompass.models.OpenAISDK' }).name).toBe('openai')
})

test('a tokenizer is the shipped one, that of the weights, or the configured one', () => {
  expect(tokenizerNamed({ type: 'embedded', tokenizer_path: 'own' })).toBe(shippedTokenizer)
  expect(tokenizerNamed({ type: 'gguf', path: 'm.gguf' })).toBe('m.gguf')
  expect(tokenizerNamed({ type: 'gguf', path: 'm.gguf', tokenizer_path: 'own' })).toBe('own')
  expect(tokenizerNamed({ type: 'openai', path: 'qwen' })).toBeUndefined()
  expect(tokenizerNamed({ type: 'Other', tokenizer_path: 'own' })).toBe('own')
})

test('identities match those of recorded answers', () => {
  const host = {
    environment: { OPENAI_BASE_URL: 'http://env' },
    resolve: (path: string) => `/${path}`,
    fileMark: (path: string) => `mark of ${path}`,
    shippedIdentity: () => 'weights',
  } as Partial<ModelHost> as ModelHost
  const identity = (type: string, more = {}) => modelTypeNamed(type)!.identity({ path: 'p', ...more }, host)
  expect(identity('embedded')).toBe('weights')
  expect(identity('gguf', { tokenizer_path: 't' })).toBe(' mark of /p mark of /t')
  expect(identity('openai')).toBe('http://env mark of /p ')
  expect(identity('openai', { base_url: 'http://own' })).toBe(' mark of /p ')
})
