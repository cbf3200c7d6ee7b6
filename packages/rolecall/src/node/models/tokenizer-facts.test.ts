import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { ggufFile } from '../../../../../proof/testing/gguf-file.ts'
import { loadChatTemplate } from './load-chat-template.ts'
import { tokenizerFacts } from './tokenizer-facts.ts'

const config = { chat_template: '{{ bos_token }}', bos_token: '<s>', eos_token: '</s>', add_bos_token: false }
const bosFirst = {
  type: 'TemplateProcessing',
  single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
}

function factsOf(files: Readonly<Record<string, object>>) {
  const folder = folderWith(Object.fromEntries(Object.entries(files).map(([name, json]) => [name, JSON.stringify(json)])))
  return tokenizerFacts(folder, loadChatTemplate(folder))
}

test('the post-processor of tokenizer.json decides whether BOS is added, also within a sequence', () => {
  expect(factsOf({ 'tokenizer_config.json': config }).addsBos).toBe(false)
  expect(factsOf({ 'tokenizer_config.json': { ...config, add_bos_token: true } }).addsBos).toBe(true)
  expect(factsOf({ 'tokenizer_config.json': config, 'tokenizer.json': { post_processor: bosFirst } }).addsBos).toBe(true)
  const sequence = { type: 'Sequence', processors: [{ type: 'ByteLevel' }, bosFirst] }
  expect(factsOf({ 'tokenizer_config.json': config, 'tokenizer.json': { post_processor: sequence } }).addsBos).toBe(true)
  const none = { 'tokenizer_config.json': { ...config, add_bos_token: true }, 'tokenizer.json': { post_processor: null } }
  expect(factsOf(none).addsBos).toBe(false)
})

test('end-of-generation tokens come from the ids in generation_config.json', () => {
  const files = {
    'tokenizer_config.json': { ...config, added_tokens_decoder: { 7: { content: '<|im_end|>' } } },
    'tokenizer.json': { added_tokens: [{ id: 8, content: '<|eot|>' }] },
    'generation_config.json': { eos_token_id: [7, 8, 99] },
  }
  expect(factsOf(files)).toMatchObject({ tokens: { bos_token: '<s>', eos_token: '</s>' }, stops: ['<|im_end|>', '<|eot|>'] })
})

test('a template for tools is detected', () => {
  const templates = [
    { name: 'default', template: 'a' },
    { name: 'tool_use', template: 'b' },
  ]
  expect(factsOf({ 'tokenizer_config.json': { ...config, chat_template: templates } }).hasToolTemplate).toBe(true)
})

test('added tokens are matched as a whole', () => {
  const files = {
    'tokenizer_config.json': { ...config, added_tokens_decoder: { 7: { content: '<|im_end|>' } } },
    'tokenizer.json': { added_tokens: [{ id: 6, content: '<|im_start|>' }] },
  }
  expect(factsOf(files).specials).toEqual(['<|im_start|>', '<|im_end|>'])
})

test('a GGUF file has all facts in its metadata', () => {
  const path = join(folderWith({}), 'model.gguf')
  writeFileSync(
    path,
    ggufFile({
      'tokenizer.chat_template': '{{ bos_token }}',
      'tokenizer.ggml.tokens': ['<s>', '</s>', '<|im_end|>', 'word'],
      'tokenizer.ggml.token_type': [3, 3, 4, 1],
      'tokenizer.ggml.bos_token_id': 0,
      'tokenizer.ggml.eos_token_id': 1,
      'tokenizer.ggml.eot_token_id': 2,
      'tokenizer.ggml.add_bos_token': true,
    }),
  )
  expect(tokenizerFacts(path, loadChatTemplate(path))).toEqual({
    tokens: { bos_token: '<s>', eos_token: '</s>' },
    addsBos: true,
    stops: ['<|im_end|>'],
    specials: ['<s>', '</s>', '<|im_end|>'],
  })
})
