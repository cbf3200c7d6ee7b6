import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { isPath, namedTemplates, presets, splitFormat, templateNamed } from '@rolecall/core/internal/format'
import { loadChatTemplate } from '../models/load-chat-template.ts'
import { mlcModelOf } from '../models/read-mlc-config.ts'
import { readWholeText } from '../read-whole-file.ts'
import type { FormatSource, GivenSource, SourceFormat } from './format-source.ts'

/** The ways to give a format. Where a text could mean several, the first one counts, and a note names the others. */
export const formatSources = [
  {
    what: 'the name of a built-in format (`rolecall list formats` lists them)',
    names: () => Object.keys(presets),
    read: ({ text }) => ({ kind: 'settings', settings: { format: text } }),
  },
  {
    what: 'the name or file of an MLC conversation template',
    flag: { name: '--conv-template', value: 'name', over: '--mlc-config' },
    names: () => namedTemplates.flatMap(({ key, generation }) => [key, `${generation}/${key}`]),
    files: { keys: ['seps', 'separator_style', 'role_templates', 'system_template'] },
    read({ text, content }, { where }) {
      if (content === undefined) templateNamed(text, where)
      return { kind: 'settings', settings: { conv_template: (content as never) ?? text } }
    },
  },
  {
    what: 'a chat template (a model on a hub as ORG/NAME, a model folder, tokenizer_config.json, .jinja or .gguf file)',
    flag: { name: '--chat-template', value: 'path' },
    files: {
      named: /\.(?:jinja2?|j2|gguf)$|^tokenizer_config\.json$/,
      inFolder: ['chat_template.jinja', 'tokenizer_config.json'],
      keys: ['chat_template', 'tokenizer_class', 'added_tokens_decoder'],
    },
    read: chatTemplates,
  },
  {
    what: 'an mlc-chat-config.json or its folder',
    flag: { name: '--mlc-config', value: 'path' },
    files: { named: /^mlc-chat-config\.json$/, inFolder: ['mlc-chat-config.json'], keys: ['conv_template', 'conv_config'] },
    read: ({ text }, { folder = '.', where, model }) => ({ kind: 'settings', settings: mlcModelOf(text, folder, where, model) }),
  },
  {
    what: 'a meta template in JSON or YAML',
    files: { keys: ['round', 'reserved_roles', 'meta_template'] },
    read: metaTemplate,
  },
  {
    what: 'an Ollama Modelfile or template (.gotmpl, .tmpl)',
    files: { named: /^modelfile|\.(?:gotmpl|tmpl|modelfile)$/i },
    read: ({ text, path = text }) => ({ kind: 'settings', settings: { ollama_template: readWholeText(path) } }),
  },
] as const satisfies readonly FormatSource[]

/** A template may also be given as text. */
function chatTemplates({ text, path = text }: GivenSource): SourceFormat {
  if (!isPath(text)) return { kind: 'settings', settings: { chat_template: text } }
  const templates = loadChatTemplate(path)
  return { kind: 'templates', templates, tokenizer: tokenizerBeside(path) }
}

/** The tokenizer of a GGUF file, a model folder or the folder of a template. */
export function tokenizerBeside(path: string): string | undefined {
  if (path.endsWith('.gguf')) return path
  const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path)
  return ['tokenizer.json', 'tokenizer.model'].map((name) => join(folder, name)).find((file) => existsSync(file))
}

/** A meta template alone, or in the settings of a model, of which only the format counts. */
function metaTemplate({ text, content = {} }: GivenSource): SourceFormat {
  if (content.meta_template === undefined) return { kind: 'settings', settings: { meta_template: content as never } }
  const { format, rest } = splitFormat(content as { meta_template: never })
  const ignored = Object.keys(rest)
  const note: Note = { code: 'only-format', where: text, text: `only the format of this model is used, not ${ignored.join(', ')}` }
  return { kind: 'settings', settings: format, notes: ignored.length === 0 ? [] : [note] }
}
