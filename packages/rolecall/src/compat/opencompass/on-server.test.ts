import { expect, test } from 'vitest'
import { onServer } from './on-server.ts'

const url = 'http://127.0.0.1:8000/v1'

test('a base model is sent the rendered text', () => {
  expect(onServer({ abbr: 'b', type: 'HuggingFaceBaseModel', path: 'org/b', batch_size: 4 }, { url })).toEqual({
    ...{ abbr: 'b', path: 'org/b', batch_size: 4 },
    ...{ type: 'openai', endpoint: 'completions', base_url: url },
  })
})

test('a model with a text format completes it, whatever its class', () => {
  const meta_template = { round: [{ role: 'HUMAN', begin: 'H: ' }] }
  expect(onServer({ type: 'TheirModel', meta_template }, { url })).toMatchObject({ endpoint: 'completions', meta_template })
})

test('a chat model is sent messages, unless its template is available', () => {
  expect(onServer({ type: 'VLLMwithChatTemplate', path: 'org/c' }, { url })).toEqual({
    ...{ type: 'openai', format: 'messages', path: 'org/c', base_url: url },
  })
  const roles = { round: [{ role: 'HUMAN', api_role: 'HUMAN' }] }
  expect(onServer({ type: 'VLLM', meta_template: roles }, { url })).not.toHaveProperty('endpoint')
})

test('a model on another server moves, and the server may use another name for it', () => {
  const model = { type: 'OpenAISDK', path: 'gpt', openai_api_base: 'https://api.openai.com/v1' }
  expect(onServer(model, { url, name: 'mine' })).toEqual({ type: 'OpenAISDK', path: 'mine', base_url: url })
})

test.each(['MindieStreamApi', 'TritonCustomAPI', 'TGICustomAPIStream'])(
  '%s completes a text, at the server that is named in its place',
  (type) => {
    const model = { type, path: 'tiny', host_ip: 'localhost', host_port: 8080 }
    expect(onServer(model, { url })).toEqual({ type: 'openai', path: 'tiny', endpoint: 'completions', base_url: url })
  },
)
