import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { formatOfFlags } from './format-flags.ts'
import { formatSources } from './format-sources.ts'
import { isFormat, readFormat, readFrom, settingsOf } from './read-format.ts'

const template = '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}'
const meta = {
  round: [
    { role: 'HUMAN', begin: 'Q: ', end: '\n' },
    { role: 'BOT', begin: 'A: ', generate: true },
  ],
}
const conversation = { name: 'own', roles: ['A', 'B'], seps: ['\n'], separator_style: 0, messages: [], offset: 0 }
const modelfile = 'FROM tiny\nTEMPLATE """{{ .Prompt }}"""\n'

const folder = folderWith({
  'chat.jinja': template,
  'model/tokenizer_config.json': JSON.stringify({ chat_template: template, bos_token: '<s>' }),
  'mlc/mlc-chat-config.json': '{ "conv_template": "vicuna_v1.1" } // compiled',
  'mlc/both.txt': '',
  'meta.json': JSON.stringify(meta),
  'meta.yaml': 'round:\n  - { role: HUMAN, begin: "Q: " }\n  - { role: BOT, begin: "A: ", generate: true }\n',
  'snippet.json': JSON.stringify({ abbr: 'mine', path: '/models/mine', meta_template: meta }),
  'conversation.json': JSON.stringify(conversation),
  Modelfile: modelfile,
  'template.gotmpl': '{{ .Prompt }}',
  'config.yaml': 'models: []\ndatasets: []\n',
  'other.txt': 'nothing',
  chatml: 'a file',
  'moss/chat_template.jinja': template,
  'two/mlc-chat-config.json': '{ "conv_template": "vicuna_v1.1" }',
  'two/tokenizer_config.json': JSON.stringify({ chat_template: template }),
  'untemplated/mlc-chat-config.json': '{ "conv_template": "vicuna_v1.1" }',
  'untemplated/tokenizer_config.json': '{}',
})
const read = (given: string) => settingsOf(readFormat(given, { where: '--format', folder }))

describe('a format is read from', () => {
  test.each([
    ['chatml', { format: 'chatml' }],
    ['vicuna_v1.1', { conv_template: 'vicuna_v1.1' }],
    ['new/llama-2', { conv_template: 'new/llama-2' }],
    ['chat.jinja', { chat_template: template }],
    ['./chat.jinja', { chat_template: template }],
    ['model', { chat_template: template, special_tokens: { bos_token: '<s>' } }],
    ['model/tokenizer_config.json', { chat_template: template, special_tokens: { bos_token: '<s>' } }],
    ['mlc', { mlc_config: { conv_template: 'vicuna_v1.1' } }],
    ['mlc/mlc-chat-config.json', { mlc_config: { conv_template: 'vicuna_v1.1' } }],
    ['meta.json', { meta_template: meta }],
    ['meta.yaml', { meta_template: { round: [{ role: 'HUMAN' }, { role: 'BOT' }] } }],
    ['conversation.json', { conv_template: conversation }],
    ['Modelfile', { ollama_template: modelfile }],
    ['template.gotmpl', { ollama_template: '{{ .Prompt }}' }],
  ])('%s', (given, model) => {
    expect(read(given)).toMatchObject({ model })
  })

  test('the settings of a model, whose other settings are named', () => {
    expect(read('snippet.json')).toMatchObject({
      model: { meta_template: meta },
      notes: [{ code: 'only-format', text: 'only the format of this model is used, not abbr, path' }],
    })
  })
})

describe('a text with several meanings', () => {
  test('is the name of a format, and a note names a file that could be read', () => {
    expect(read('chatml').notes).toEqual([])
    expect(read('moss')).toMatchObject({
      model: { format: 'moss' },
      notes: [{ code: 'two-meanings', text: 'a format has this name; write ./moss for the file or folder' }],
    })
    expect(read('./moss').model).toHaveProperty('chat_template', template)
  })

  test('is a chat template rather than an mlc-chat-config.json, if the folder has one', () => {
    expect(read('two')).toMatchObject({
      model: { chat_template: template },
      notes: [{ code: 'two-meanings', text: expect.stringContaining('which --mlc-config takes') }],
    })
    expect(read('untemplated').model).toHaveProperty('mlc_config')
  })
})

describe('what cannot be read', () => {
  const problemOf = (given: string) => {
    try {
      read(given)
      return undefined
    } catch (error) {
      return error instanceof PromptError ? `${error.where}: ${error.problem} → ${error.fix}` : error
    }
  }

  test('is neither a name nor a file, and near names and files are suggested', () => {
    expect(problemOf('chatmll')).toMatch(
      /^--format: there is no format "chatmll", and no file or folder of this name → did you mean "chatml"\?/,
    )
    expect(problemOf('./chat.jinj')).toBe(
      '--format: there is no format "./chat.jinj", and no file or folder of this name → did you mean chat.jinja?',
    )
    expect(problemOf('nowhere/x.jinja')).toMatch(/→ give the name of a built-in format .* or an Ollama Modelfile/)
  })

  test('is a file without a format', () => {
    expect(problemOf('other.txt')).toMatch(/^--format: no conversation format found in other\.txt → give /)
    expect(problemOf('config.yaml')).toContain('a config is an argument of its own')
    for (const name of ['other.txt', 'config.yaml', 'gone']) expect(isFormat(join(folder, name))).toBe(false)
  })
})

test('a flag of one source reads only that source', () => {
  expect(formatOfFlags({ mlcConfig: 'two' }, { folder })).toMatchObject({ model: { mlc_config: { conv_template: 'vicuna_v1.1' } } })
  expect(() => formatOfFlags({ convTemplate: 'chat.jinja' }, { folder })).toThrow('there is no conversation template "chat.jinja"')
  expect(formatOfFlags({ convTemplate: 'llama-2', mlcConfig: 'mlc' }, { folder })).toMatchObject({
    name: 'llama-2',
    model: { conv_template: 'llama-2', mlc_config: { conv_template: 'vicuna_v1.1' } },
  })
  expect(() => formatOfFlags({ format: 'chatml', chatTemplate: 'chat.jinja' }, { folder })).toThrow('--format, --chat-template')
  expect(() => formatOfFlags({ format: 'chatml', specialTokens: 'bos_token=<s>' })).toThrow('they belong to a chat template')
  expect(formatOfFlags({ format: 'chat.jinja', specialTokens: 'bos_token=<x>' }, { folder })?.model).toMatchObject({
    special_tokens: { bos_token: '<x>' },
  })
})

test('names of one kind of format are not names of another', () => {
  const mlc = formatSources[1]
  expect(readFrom(mlc, 'llama-2', { where: '--conv-template' })).toMatchObject({ kind: 'settings', name: 'llama-2' })
  expect(() => readFrom(mlc, 'plain', { where: '--conv-template' })).toThrow('there is no conversation template "plain"')
})
