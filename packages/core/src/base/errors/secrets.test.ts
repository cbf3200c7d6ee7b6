import { describe, expect, test } from 'vitest'
import { checkConfig } from '../../../../rolecall/src/evaluation/config/check-config.ts'
import { datasetSchema } from '../../../../rolecall/src/evaluation/config/dataset-schema.ts'
import { modelSchema } from '../../../../rolecall/src/evaluation/config/model-schema.ts'
import { isSecret, redactMessage, secretsIn, withoutMarks, withoutSecrets } from './secrets.ts'

describe('a secret is removed', () => {
  test.for([
    ...['key', 'keys', 'api_key', 'apiKey', 'OPENAI_API_KEY', 'x-api-key', 'token', 'auth_token', 'accessToken', 'hf_token'],
    ...[
      'secret',
      'client_secret',
      'secret_key',
      'password',
      'db_password',
      'passwd',
      'authorization',
      'cookie',
      'credentials',
      'session_id',
    ],
  ])('by its name: %s', (name) => {
    expect(withoutSecrets({ [name]: 'hunter2', path: 'qwen' })).toEqual({ [name]: { $secret: name }, path: 'qwen' })
  })

  test('in lists and objects with a secret name, at any depth', () => {
    const given = { key: ['one', 'ENV', 'two'], auth: { user: 'ann', more: [{ code: 'three' }] } }
    expect(secretsIn(given)).toEqual(['one', 'two', 'ann', 'three'])
    expect(withoutMarks(withoutSecrets(given))).toEqual({ key: ['ENV'], auth: { more: [{}] } })
  })

  test('by its format', () => {
    const texts = ['Bearer abc', 'sk-proj-0123456789abcdef', 'hf_0123456789abcdefghij', 'ghp_0123456789abcdefghij', 'AKIA0123456789ABCDEF']
    for (const text of texts) expect(withoutSecrets({ note: text })).toEqual({ note: { $secret: 'note' } })
    expect(withoutSecrets({ path: 'sk-learn', abbr: 'hf_qwen' })).toEqual({ path: 'sk-learn', abbr: 'hf_qwen' })
  })

  test('from headers and bodies that are sent verbatim, unless it is a plain word', () => {
    const given = {
      headers: { 'X-Gate': 'hunter2', 'X-Team': '$TEAM' },
      extra_body: { reasoning_effort: 'high', top_k: 5, gateway: { pin: 'Hunter2' }, user: 'ann-7' },
    }
    expect(secretsIn(given)).toEqual(['hunter2', 'Hunter2', 'ann-7'])
    expect(withoutMarks(withoutSecrets(given))).toEqual({
      headers: { 'X-Team': '$TEAM' },
      extra_body: { reasoning_effort: 'high', top_k: 5, gateway: {} },
    })
  })

  test('from addresses anywhere', () => {
    expect(withoutSecrets('http://ann:p@ss@host/v1')).toBe('http://host/v1')
    expect(withoutSecrets('see https://host/v1?api-version=2&api_key=abc&sig=x#access_token=y now')).toBe(
      'see https://host/v1?api-version=2&api_key=***&sig=***#access_token=*** now',
    )
    expect(secretsIn({ base_url: 'http://ann:pass@host/v1?key=abc' })).toEqual(['pass', 'abc'])
  })

  test('and a config with a redacted secret is refused when it is run', () => {
    const config = { models: [{ type: 'openai', path: 'qwen', extra_body: { gateway: 'Hunter2' } }] }
    expect(() => checkConfig(withoutSecrets(config))).toThrow('config.models[0].extra_body.gateway: a secret stood here')
    expect(checkConfig(withoutMarks(withoutSecrets(config))).models).toEqual([{ type: 'openai', path: 'qwen', extra_body: {} }])
  })
})

describe('a message has no keys', () => {
  test.for([
    ['GET https://ann:pw@host/v1?api_key=abc&page=2', 'GET https://host/v1?api_key=***&page=2'],
    ['headers: Authorization: Bearer abc, X-Api-Key: def; Accept: json', 'headers: Authorization: ***, X-Api-Key: ***; Accept: json'],
    [`{'api_key': 'abc', 'model': 'm'}`, `{'api_key': '***', 'model': 'm'}`],
    ['{\\"access_token\\": \\"a b\\"}', '{\\"access_token\\": \\"***\\"}'],
    ['{"api_key": "a\\"b", "model": "m"}', '{"api_key": "***", "model": "m"}'],
    ['400: {"headers": {"Authorization": "Bearer ab', '400: {"headers": {"Authorization": "***"'],
    ['Incorrect API key provided: sk-proj-0123456789abcdef.', 'Incorrect API key provided: ***'],
    ['sent Bearer abc123def', 'sent ***'],
    ['File "/home/ann/run/task.py", C:\\Users\\ann\\x', 'File "~/run/task.py", ~\\x'],
  ] as const)('%s', ([given, expected]) => {
    expect(redactMessage(given)).toBe(expected)
    expect(redactMessage(expected)).toBe(expected)
  })

  test('other messages stay', () => {
    for (const text of [
      'HTTP 500: model: qwen, max_tokens=16',
      'Basic authentication is required',
      'see http://host/v1/chat?page=2',
      'task: 3',
    ])
      expect(redactMessage(text)).toBe(text)
  })
})

describe('other values stay', () => {
  test('rows, templates and tokens of a vocabulary', () => {
    const given = {
      rows: [{ token: 'of data', headers: { to: 'http://a:b@c' } }],
      special_tokens: { bos_token: '<s>' },
      infer_cfg: { ice_token: '</E>', prompt_template: { template: { secret: 'a label: {key}', token: 'another' } } },
    }
    expect(withoutSecrets(given)).toEqual(given)
  })

  test('the names of environment variables, and words that mean no key', () => {
    for (const value of ['ENV', 'EMPTY', 'None', '', '$MY_KEY', null, undefined, 5]) expect(isSecret('key', value)).toBe(false)
    expect(withoutSecrets({ key_env: 'MY_KEY' })).toEqual({ key_env: 'MY_KEY' })
  })

  test('every setting of the schema except the key', () => {
    const names = [...Object.keys(modelSchema.shape), ...Object.keys(datasetSchema.shape)]
    expect(names.filter((name) => isSecret(name, 'a text'))).toEqual(['key'])
  })

  test('functions, numbers and maps are unchanged', () => {
    const tidy = (text: string) => text
    expect(withoutSecrets({ tidy, n: 1.5, big: 2n, map: new Map([['a', 'b']]) })).toEqual({
      tidy,
      n: 1.5,
      big: 2n,
      map: new Map([['a', 'b']]),
    })
  })
})
