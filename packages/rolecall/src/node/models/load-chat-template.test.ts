import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { loadConfig } from '../config/load-config.ts'
import { withFoundTemplate } from './find-chat-template.ts'
import { chooseTemplate, loadChatTemplate, withSpecialTokens } from './load-chat-template.ts'
import { modelConfigOf } from './model-flags.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-templates-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('a tokenizer config provides its template and tokens, as text or added tokens', () => {
  const path = file(
    'tokenizer_config.json',
    JSON.stringify({ chat_template: '{{ bos_token }}', bos_token: { content: '<s>' }, eos_token: '</s>', pad_token: null }),
  )
  expect(loadChatTemplate(path)).toEqual({
    templates: { default: '{{ bos_token }}' },
    specialTokens: { bos_token: '<s>', eos_token: '</s>' },
    file: path,
  })
})

test('of named templates, tool_use is chosen if there are tools', () => {
  const path = file(
    'named.json',
    JSON.stringify({
      chat_template: [
        { name: 'default', template: 'D' },
        { name: 'tool_use', template: 'T' },
      ],
    }),
  )
  const loaded = loadChatTemplate(path)
  expect([chooseTemplate(loaded), chooseTemplate(loaded, { tools: true }), chooseTemplate(loaded, { name: 'tool_use' })]).toEqual([
    'D',
    'T',
    'T',
  ])
  expect(() => chooseTemplate(loaded, { name: 'rag' })).toThrow('choose one of: default, tool_use'.replace('c', 'C'))
})

test('in a folder, chat_template.jinja overrides the config, and additional templates are added', () => {
  const model = join(folder, 'model')
  mkdirSync(join(model, 'additional_chat_templates'), { recursive: true })
  writeFileSync(join(model, 'tokenizer_config.json'), JSON.stringify({ chat_template: 'old', eos_token: '</s>' }))
  writeFileSync(join(model, 'chat_template.jinja'), 'new')
  writeFileSync(join(model, 'additional_chat_templates', 'rag.jinja'), 'R')
  expect(loadChatTemplate(model)).toMatchObject({ templates: { default: 'new', rag: 'R' }, specialTokens: { eos_token: '</s>' } })
})

test('an invalid template is an error with its location', () => {
  expect(() => loadChatTemplate(file('number.json', '{"chat_template": 5}'))).toThrow(
    'number.json › chat_template: 5 is not a chat template',
  )
  const list = { chat_template: [{ name: 'default', template: 'D' }, { name: 'other' }] }
  expect(() => loadChatTemplate(file('list.json', JSON.stringify(list)))).toThrow('list.json › chat_template[1]: {"name":"other"} is no')
})

test('a GGUF file provides its templates and special tokens', () => {
  const text = (value: string) => {
    const bytes = Buffer.from(value)
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(bytes.length))
    return Buffer.concat([length, bytes])
  }
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const u64 = (value: number) => Buffer.concat([u32(value), u32(0)])
  const entry = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), u32(type), value])
  const entries = [
    entry('general.alignment', 4, u32(32)),
    entry('tokenizer.ggml.scores', 9, Buffer.concat([u32(6), u64(2), u32(0), u32(0)])),
    entry('tokenizer.ggml.tokens', 9, Buffer.concat([u32(8), u64(2), text('<s>'), text('</s>')])),
    entry('tokenizer.ggml.bos_token_id', 4, u32(0)),
    entry('tokenizer.ggml.eos_token_id', 4, u32(1)),
    entry('tokenizer.chat_template', 8, text('{{ bos_token }}é')),
    entry('tokenizer.chat_template.tool_use', 8, text('T')),
  ]
  const whole = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0), u64(entries.length), ...entries, Buffer.alloc(100)])
  expect(loadChatTemplate(file('model.gguf', whole))).toMatchObject({
    templates: { default: '{{ bos_token }}é', tool_use: 'T' },
    specialTokens: { bos_token: '<s>', eos_token: '</s>' },
  })
  const nested = Buffer.concat([
    Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0), u64(1), text('a'), u32(9)]),
    ...Array.from({ length: 200_000 }, () => Buffer.concat([u32(9), u64(1)])),
  ])
  expect(() => loadChatTemplate(file('nested.gguf', nested))).toThrow('nested more than 16 levels deep')
  const long = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0), u64(1), text('a'), u32(9), u32(0), u64(2 ** 27), Buffer.alloc(100)])
  expect(() => loadChatTemplate(file('long.gguf', long))).toThrow('its lists are too long')
  expect(() => loadChatTemplate(file('cut.gguf', whole.subarray(0, 200)))).toThrow('truncated')
  expect(() => loadChatTemplate(file('other.gguf', Buffer.alloc(50)))).toThrow('does not begin with "GGUF"')
})

test('missing files and invalid JSON are errors', () => {
  expect(() => loadChatTemplate(join(folder, 'nothing'))).toThrow('no such file')
  expect(() => loadChatTemplate(file('bad.json', '{'))).toThrow('not JSON')
})

test('a config’s chat_template may be a path, relative to the config', async () => {
  file('tokenizer_config.json', JSON.stringify({ chat_template: '{{ bos_token }}', bos_token: '<s>', eos_token: '</s>' }))
  const path = file(
    'rolecall.config.json',
    JSON.stringify({ models: [{ abbr: 'm', chat_template: 'tokenizer_config.json', special_tokens: { eos_token: '<e>' } }], datasets: [] }),
  )
  const { config } = await loadConfig(path)
  expect(config.models[0]).toMatchObject({ chat_template: '{{ bos_token }}', special_tokens: { bos_token: '<s>', eos_token: '<e>' } })
})

describe('special tokens of a bare template', () => {
  const bare = (name: string, source: string, beside: Readonly<Record<string, object>> = {}) => {
    const place = join(folder, name)
    mkdirSync(place)
    for (const [file, json] of Object.entries(beside)) writeFileSync(join(place, file), JSON.stringify(json))
    writeFileSync(join(place, 'any.jinja'), source)
    return loadChatTemplate(join(place, 'any.jinja'))
  }
  const gemma = '{{ bos_token }}<|turn>user'

  test('the files beside it give them, the tokenizer config before the map', () => {
    const map = { bos_token: { content: '<a>' }, eos_token: '<b>' }
    expect(bare('map', gemma, { 'special_tokens_map.json': map }).specialTokens).toEqual({ bos_token: '<a>', eos_token: '<b>' })
    const both = bare('both', gemma, { 'special_tokens_map.json': map, 'tokenizer_config.json': { bos_token: '<c>' } })
    expect(both.specialTokens).toEqual({ bos_token: '<c>', eos_token: '<b>' })
    expect(both.notes).toBeUndefined()
  })

  test('without files, its family gives those that it reads, and a note says so', () => {
    const { specialTokens, notes } = bare('family', gemma)
    expect(specialTokens).toEqual({ bos_token: '<bos>' })
    expect(notes).toMatchObject([{ code: 'assumed-tokens', text: expect.stringContaining('bos_token is <bos>, as in Gemma') as string }])
    expect(bare('mistral', '{{ bos_token + "[INST]" }}{{ eos_token }}').specialTokens).toEqual({ bos_token: '<s>', eos_token: '</s>' })
  })

  test('those of an unknown family are unknown, and a note names the files and the setting that give them', () => {
    const { specialTokens, notes } = bare('unknown', '{{ bos_token }}<|im_start|>')
    expect(specialTokens).toEqual({})
    expect(notes).toMatchObject([
      { code: 'unknown-tokens', text: expect.stringMatching(/^bos_token .*tokenizer_config.json.*special_tokens/) as string },
    ])
  })

  test('what a template does not read, or mentions in a comment, is not looked for', () => {
    expect(bare('none', '{# bos_token #}<|turn>user').notes).toBeUndefined()
  })
})

describe('--special-tokens', () => {
  const bare = (source: string) => loadChatTemplate(join(folderWith({ 'any.jinja': source }), 'any.jinja'))
  const unknown = bare('{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}')

  test('gives the tokens of a bare template, an empty one included', () => {
    const { specialTokens, notes } = withSpecialTokens(unknown, 'bos_token=,eos_token=<a,b>')
    expect({ specialTokens, notes }).toEqual({ specialTokens: { bos_token: '', eos_token: '<a,b>' }, notes: undefined })
  })

  test('is asked for where a template reads tokens that nothing gives', () => {
    expect(() => withSpecialTokens(unknown, undefined)).toThrow(
      /reads bos_token and eos_token.*--special-tokens "bos_token=…,eos_token=…"/s,
    )
    expect(() => withSpecialTokens(unknown, 'bos_token=<s>')).toThrow(/reads eos_token, which/)
    expect(withSpecialTokens(bare('{{ messages }}'), undefined).specialTokens).toEqual({})
  })

  test('leaves the note about those that are still assumed', () => {
    const family = loadChatTemplate(join(folderWith({ 'any.jinja': '{{ bos_token }}{{ eos_token }}<|turn>user' }), 'any.jinja'))
    const names = Object.keys(family.specialTokens)
    const [first, ...others] = names
    expect(names.length).toBeGreaterThan(1)
    const { specialTokens, notes } = withSpecialTokens(family, `${first}=<x>`)
    expect(specialTokens[first!]).toBe('<x>')
    expect(notes).toMatchObject([{ code: 'assumed-tokens', text: expect.stringMatching(new RegExp(`^${others.join('.*')} is `)) }])
    expect(withSpecialTokens(family, names.map((name) => `${name}=<x>`).join(',')).notes).toBeUndefined()
  })

  test('leaves notes about other things', () => {
    const config = { chat_template: '{{ bos_token }}<|im_start|>', bos_token: '<s>', response_schema: {} }
    const path = folderWith({ 'tokenizer_config.json': JSON.stringify(config) })
    expect(withSpecialTokens(loadChatTemplate(path), 'bos_token=<x>').notes).toMatchObject([{ code: 'response-schema' }])
    const notes: string[] = []
    withFoundTemplate({ type: 'HuggingFacewithChatTemplate', path, special_tokens: { bos_token: '<x>' } }, '.', ({ code }) =>
      notes.push(code),
    )
    expect(notes).toEqual(['found-template', 'response-schema'])
  })

  test('counts for a template that is given as text', () => {
    const flags = { model: 'embedded', chatTemplate: '{{ bos_token }}{{ messages }}', specialTokens: 'bos_token=<s>' }
    expect(modelConfigOf(flags, '.')).toMatchObject({ special_tokens: { bos_token: '<s>' } })
  })

  test('must be names and tokens', () => {
    expect(() => withSpecialTokens(unknown, '<s>')).toThrow('"<s>" gives no token')
    expect(() => withSpecialTokens(unknown, '')).toThrow('"" gives no token')
  })
})
