import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { modelConfigOf, openModel } from './model-flags.ts'

const model = (name: string) => fileURLToPath(new URL(`../../../embedded-model/${name}`, import.meta.url))

test('without flags it is the embedded model with its format', () => {
  expect(modelConfigOf({})).toEqual({ abbr: 'tiny-chat', type: 'embedded', format: 'internlm2' })
  expect(modelConfigOf({ model: 'embedded', format: 'chatml' })).toEqual({ abbr: 'tiny-chat', type: 'embedded', format: 'chatml' })
})

test('a server is a name and an address; either may have an @', () => {
  expect(modelConfigOf({ model: 'openai:org@v2/m@https://user@host/v1' })).toMatchObject({
    path: 'org@v2/m',
    base_url: 'https://user@host/v1',
  })
  expect(modelConfigOf({ model: 'openai:gpt-5' })).toEqual({ format: 'messages', abbr: 'gpt-5', type: 'openai', path: 'gpt-5' })
})

test('a GGUF file uses its own template unless another is given', () => {
  const path = model('tiny-chat.q8_0.gguf')
  const config = modelConfigOf({ model: `gguf:${path}` })
  expect(config).toMatchObject({ abbr: 'tiny-chat.q8_0', type: 'gguf', path })
  expect(config.chat_template).toContain('<|im_start|>')
  expect(modelConfigOf({ model: `gguf:${path}`, format: 'internlm2' })).toEqual({
    abbr: 'tiny-chat.q8_0',
    type: 'gguf',
    path,
    format: 'internlm2',
  })
})

test('errors say what to write', () => {
  expect(() => modelConfigOf({ model: 'gpt' })).toThrow(/embedded, gguf:PATH or openai:NAME@URL/)
  expect(() => modelConfigOf({ model: 'gguf:nowhere.gguf' })).toThrow(/there is no .*nowhere\.gguf/)
  expect(() => modelConfigOf({ format: 'chatml', chatTemplate: 'x.jinja' })).toThrow(
    /--format, --chat-template: only one format can be set/,
  )
})

test('a model is opened with its chat renderer', async () => {
  const { model: opened, maker } = await openModel(modelConfigOf({}))
  const { text } = await opened.generate(maker.render({ messages: [{ role: 'user', content: '2 + 2 = ?' }] }), { maxTokens: 8 })
  expect(text).toBe('4')
})

test('tokens that are assumed for a bare template are noted', () => {
  const source = '{{ bos_token }}{% for m in messages %}<start_of_turn>{{ m.role }}\n{{ m.content }}<end_of_turn>\n{% endfor %}'
  const notes: string[] = []
  modelConfigOf({ chatTemplate: './gemma.jinja' }, folderWith({ 'gemma.jinja': source }), (found) =>
    notes.push(...found.map(({ text }) => text)),
  )
  expect(notes).toEqual([expect.stringContaining('bos_token is <bos>, as in Gemma')])
})
