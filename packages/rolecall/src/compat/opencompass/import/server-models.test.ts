import { describe, expect, test } from 'vitest'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { openaiApi } from '../../../model/openai/openai-api.ts'
import { readSettings } from '../../../model/openai/openai-settings.ts'
import { importConfig } from './import-config.ts'

const imported = (text: string) => importConfig('config.py', { read: () => text, modelTypes: ['openai'] })
const model = (fields: string) => imported(`import os\nmodels = [dict(abbr='m', ${fields})]`)

describe("OpenCompass's API models run as type 'openai'", () => {
  test('the address and the rate limit come from the config; ENV is the default key', () => {
    const { config, models } = model(
      "type=OpenAISDK, path='gpt', key='ENV', openai_api_base='http://127.0.0.1:8000/v1', query_per_second=2, batch_size=8, temperature=None",
    )
    expect(config.models).toEqual([
      { abbr: 'm', type: 'openai', path: 'gpt', openai_api_base: 'http://127.0.0.1:8000/v1', query_per_second: 2, batch_size: 8 },
    ])
    expect(models).toEqual([{ abbr: 'm', needs: [], missing: [] }])
  })

  test('other settings are sent to the server unchanged', () => {
    const { config } = model(
      "type='OpenAI', path='gpt', openai_extra_kwargs=dict(reasoning_effort='high'), generation_kwargs=dict(top_p=0.5, typical_p=0.2)",
    )
    expect(config.models).toEqual([
      {
        abbr: 'm',
        type: 'openai',
        path: 'gpt',
        generation_kwargs: { top_p: 0.5 },
        extra_body: { reasoning_effort: 'high', typical_p: 0.2 },
        temperature: 0.7,
      },
    ])
  })

  test('without a temperature, OpenAI gets the 0.7 of its class, and OpenAISDK none', () => {
    const temperatureOf = (fields: string) => (model(`path='gpt', ${fields}`).config.models[0] as { temperature?: number }).temperature
    expect(model('type=OpenAISDK').notes.map(({ code }) => code)).toContain('own-temperature')
    for (const set of ['type=OpenAISDK, temperature=0.2', 'type=OpenAISDK, openai_extra_kwargs=dict(temperature=1)', 'type=OpenAI'])
      expect(model(set).notes).toEqual([])
    expect(temperatureOf('type=OpenAI')).toBe(0.7)
    expect(temperatureOf('type=OpenAI, temperature=0')).toBe(0)
    expect(temperatureOf('type=OpenAI, generation_kwargs=dict(temperature=0.2)')).toBeUndefined()
    expect(temperatureOf('type=OpenAISDK')).toBeUndefined()
  })

  test('an address under another name is an error, because rows would go to the vendor', () => {
    for (const name of ['url', 'api_base', 'host_ip'])
      for (const type of ['OpenAI', 'OpenAISDK', "'OpenAISDKStreaming'"])
        expect(() => model(`type=${type}, path='g', ${name}='http://10.0.0.1/v1'`)).toThrow(
          `models › m › ${name}: "${name}" is not read by OpenAI and OpenAISDK: rows would go to OpenAI's own server. Write the address as`,
        )
    expect(model("type=OpenAI, path='g', url='', openai_api_base='http://a/v1'").config.models[0]!.openai_api_base).toBe('http://a/v1')
  })

  test("a key given as an environment variable keeps the variable's name", () => {
    const named = (variable: string) => ({ abbr: 'm', type: 'openai', path: 'g', key_env: variable, temperature: 0.7 })
    expect(model("type=OpenAI, path='g', key='DEEPSEEK_API_KEY'").config.models[0]).toEqual(named('DEEPSEEK_API_KEY'))
    expect(model("type=OpenAI, path='g', key=os.environ['MY_KEY']").config.models[0]).toEqual(named('MY_KEY'))
  })

  test('a literal key is removed', () => {
    const { config, notes } = model("type=OpenAI, path='g', key='sk-0123456789'")
    expect(config.models[0]).toEqual({ abbr: 'm', type: 'openai', path: 'g', temperature: 0.7 })
    expect(notes).toEqual([
      {
        code: 'key',
        where: 'config.py › models[0].key',
        text: 'the key was left out: put it into an environment variable, OPENAI_API_KEY or the one that key_env names',
      },
    ])
  })

  test('a key is removed from every model, and no other setting named key is', () => {
    const text = `datasets = [dict(abbr='d', infer_cfg=dict(retriever=dict(key='a field')), eval_cfg=dict(evaluator=dict(
      judge_cfg=dict(type='X', key=['eyJhbGci']), judges=[dict(path='p', api_key='abc', key='ENV')])))]`
    const { config, notes } = imported(text)
    expect(JSON.stringify(config.datasets)).not.toMatch(/eyJ|abc/)
    expect(JSON.stringify(config.datasets)).toContain('"key":"a field"')
    expect(notes.map(({ where }) => where)).toEqual([
      'config.py › datasets[0].eval_cfg.evaluator.judge_cfg.key',
      'config.py › datasets[0].eval_cfg.evaluator.judges[0].api_key',
    ])
  })

  test('classes with another protocol keep their name', () => {
    for (const type of ['OpenAISDKResponse', 'Claude', 'VLLM', 'HuggingFaceCausalLM'])
      expect(model(`type=${type}`).config.models[0]!.type).toBe(type)
    expect(model("type=OpenAISDK, azure_endpoint='https://x'").config.models[0]!.type).toBe('OpenAISDK')
  })
})

describe("AISBench's API models run as type 'openai'", () => {
  const fields =
    "attr='service', type=VLLMCustomAPIChat, path='/weights/q', model='qwen', request_rate=0.5, retry=2, api_key='', batch_size=4"

  test('host_ip and host_port form the address, model is the name, path the tokenizer', () => {
    const sampling = 'generation_kwargs=dict(temperature=0.5, top_k=10, ignore_eos=True, seed=None)'
    const { config } = model(`${fields}, host_ip='10.0.0.1', host_port=8080, url='', ${sampling}`)
    expect(config.models).toEqual([
      {
        abbr: 'm',
        type: 'openai',
        retry: 2,
        batch_size: 4,
        base_url: 'http://10.0.0.1:8080/v1',
        path: 'qwen',
        tokenizer_path: '/weights/q',
        requests_per_minute: 30,
        generation_kwargs: { temperature: 0.5, top_k: 10 },
        extra_body: { ignore_eos: true },
      },
    ])
  })

  const addresses: [string, string][] = [
    ["url='http://host/api/'", 'http://host/api/v1'],
    ["url='host:1/v1', enable_ssl=True", 'https://host:1/v1'],
    ["host_ip='::1', host_port=9", 'http://[::1]:9/v1'],
    ['host_port=9', 'http://localhost:9/v1'],
  ]
  for (const [given, address] of addresses) test(given, () => expect(model(`${fields}, ${given}`).config.models[0]!.base_url).toBe(address))

  test('the model type reads them as intended', () => {
    const { config } = model(`${fields}, host_ip='10.0.0.1', host_port=8080`)
    expect(readSettings(config.models[0] as ModelConfig, {}, openaiApi)).toMatchObject({
      model: 'qwen',
      baseUrl: 'http://10.0.0.1:8080/v1',
      concurrency: 4,
      requestsPerMinute: 30,
      retries: 2,
    })
  })

  test('a model without a name needs none: its server is asked', () => {
    const { models, config } = model("type=VLLMCustomAPIChatStream, path='', model='', host_port=8080")
    expect(models[0]!.needs).toEqual([])
    expect(config.models[0]).toEqual({ abbr: 'm', type: 'openai', stream: true, base_url: 'http://localhost:8080/v1' })
  })

  test('the completions of VLLMCustomAPI', () => {
    const { config } = model("type=VLLMCustomAPI, model='q', host_port=1")
    expect(config.models[0]).toMatchObject({ type: 'openai', endpoint: 'completions', path: 'q' })
  })
})

test.each(['YOUR_API_KEY', 'your-key', 'sk-xxxxxx', '<key>', 'put_it_here'])('%s stands for a key: it is none, and no variable', (key) => {
  const { config, notes } = model(`type=OpenAISDK, path='gpt', key='${key}'`)
  expect(config.models[0]).not.toHaveProperty('key_env')
  expect(config.models[0]).not.toHaveProperty('key')
  expect(notes.map(({ text }) => text)).toContain(`"${key}" stands for a key: it is read from OPENAI_API_KEY`)
})
