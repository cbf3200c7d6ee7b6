import { describe, expect, test } from 'vitest'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { openaiApi } from './openai-api.ts'
import { readSettings } from './openai-settings.ts'

const read = (config: ModelConfig, environment: Record<string, string> = {}) =>
  readSettings({ path: 'm', ...config }, environment, openaiApi)

describe("the server's address", () => {
  test('base_url, or the environment, or OpenAI; without the endpoint that OpenCompass appends', () => {
    const key = { OPENAI_API_KEY: 'k' }
    expect(read({ base_url: 'http://127.0.0.1:8000/v1/' }, { OPENAI_BASE_URL: 'http://other.test' }).baseUrl).toBe(
      'http://127.0.0.1:8000/v1',
    )
    expect(read({}, { OPENAI_BASE_URL: 'http://other.test/v1' }).baseUrl).toBe('http://other.test/v1')
    expect(read({}, key).baseUrl).toBe('https://api.openai.com/v1')
    for (const base of ['https://x.test/v1/chat/completions', 'https://x.test/v1/completions/', 'https://x.test/v1']) {
      expect(read({ openai_api_base: base }).baseUrl).toBe('https://x.test/v1')
      expect(read({ openai_api_base: [base] }).baseUrl).toBe('https://x.test/v1')
    }
  })

  test('a query belongs to every request, and is not part of the address that is shown', () => {
    const { baseUrl, query } = read({ base_url: 'http://x.test/v1/?api-version=1&key=secret-abcdef' })
    expect([baseUrl, query]).toEqual(['http://x.test/v1', '?api-version=1&key=secret-abcdef'])
    expect(read({ openai_api_base: 'http://x.test/v1/chat/completions?api-version=1' })).toMatchObject({ baseUrl: 'http://x.test/v1' })
    expect(read({ base_url: 'http://x.test/v1' }).query).toBe('')
  })

  test('an invalid address is refused', () => {
    for (const base_url of ['127.0.0.1:8000', 'localhost', '', 'ftp://x.test'])
      expect(() => read({ base_url })).toThrow(/not a server address. Write it with http:\/\//)
  })

  test('OpenAI without a key is refused before anything is sent', () => {
    expect(() => read({})).toThrow('m › key_env: https://api.openai.com/v1 needs a key, but OPENAI_API_KEY is not set')
  })

  test('a model needs a name', () => {
    expect(() => readSettings({ abbr: 'a', base_url: 'http://x.test' }, {}, openaiApi)).toThrow(
      "a › path: the model's name on the server is missing",
    )
  })
})

describe('secrets', () => {
  test('keys are read from the environment', () => {
    const environment = { OPENAI_API_KEY: 'one', MY_KEY: 'two', GATEWAY: 'three' }
    expect(read({ base_url: 'http://x.test' }, environment)).toMatchObject({ key: 'one', secrets: ['one'] })
    const own = read({ base_url: 'http://x.test', key_env: 'MY_KEY', headers: { 'X-Gate': '$GATEWAY', 'x-team': 'evals' } }, environment)
    expect(own).toMatchObject({ key: 'two', headers: { 'x-gate': 'three', 'x-team': 'evals' }, secrets: ['two', 'three'] })
    expect(read({ base_url: 'http://x.test', key_env: 'NOT_SET' }, environment).key).toBeUndefined()
  })

  test('only certain keys are removed from replies: other header values may occur in text', () => {
    const config = {
      base_url: 'http://x.test',
      headers: { 'X-Title': 'Rolecall evaluation', 'x-api-key': 'abcdefgh1234', Authorization: 'Basic dXNlcjpwYXNz' },
      extra_body: { guided_choice: ['Positive sentiment', 'Negative sentiment'] },
    }
    const { keys, secrets } = read(config, { OPENAI_API_KEY: 'sk-0123456789' })
    expect(keys).toEqual(expect.arrayContaining(['sk-0123456789', 'abcdefgh1234', 'Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz']))
    expect(keys.join(' ')).not.toMatch(/evaluation|sentiment/)
    expect(secrets).toEqual(expect.arrayContaining(['Rolecall evaluation', 'Positive sentiment']))
  })

  test('a login in the address is a secret, and not part of the address', () => {
    expect(read({ base_url: 'http://ann:se%20cret@x.test/v1' })).toMatchObject({ baseUrl: 'http://x.test/v1', key: 'se cret' })
  })

  test('a key is trimmed, and refused if it is not a valid header', () => {
    expect(read({ base_url: 'http://x.test' }, { OPENAI_API_KEY: 'sk-one\n' }).key).toBe('sk-one')
    expect(() => read({ base_url: 'http://x.test' }, { OPENAI_API_KEY: '密钥' })).toThrow(
      'the key in OPENAI_API_KEY has characters that no key has',
    )
  })

  test('a header whose variable is not set is refused', () => {
    expect(() => read({ base_url: 'http://x.test', headers: { 'api-key': '$NONE' } })).toThrow('the environment variable NONE is not set')
  })
})

test("limits in Rolecall's words win over OpenCompass's, and have defaults", () => {
  const base_url = 'http://x.test'
  expect(read({ base_url })).toMatchObject({
    concurrency: 16,
    retries: 6,
    timeout: 600_000,
    longestWait: 60_000,
    longestDown: 60_000,
    longestFirst: 1000,
  })
  expect(read({ base_url, query_per_second: 2, max_workers: 4, retry: 1 })).toMatchObject({
    requestsPerMinute: 120,
    concurrency: 4,
    retries: 1,
  })
  expect(read({ base_url, batch_size: 8, retry: null })).toMatchObject({ concurrency: 8, retries: 6 })
  const ours = { requests_per_minute: 30, concurrency: 2, retries: 0, timeout: 5, max_retry_wait: 1, max_server_wait: 0 }
  expect(read({ base_url, query_per_second: 2, max_workers: 4, retry: 1, ...ours })).toMatchObject({
    requestsPerMinute: 30,
    concurrency: 2,
    retries: 0,
    timeout: 5000,
    longestWait: 1000,
    longestDown: 0,
  })
})
