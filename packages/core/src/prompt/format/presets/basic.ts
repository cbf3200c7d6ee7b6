import type { InternLM2Layout } from '../internlm2/internlm2-layout.ts'
import type { MetaTemplateConfig } from '../meta/meta-template-schema.ts'

/** A built-in conversation format: a meta template or the markers of its kind, and where its layout is documented. */
export type Preset = {
  description: string
  origin: string
  api?: true
  meta_template?: MetaTemplateConfig | undefined
  internlm2?: InternLM2Layout
}

/** Built-in formats that are always loaded: meta templates. */
export const basicPresets = {
  plain: {
    description: 'no markers: turns joined by newlines, for base models',
    origin: 'documents 000, 001, 002: without a meta template',
    meta_template: undefined,
  },
  chatml: {
    description: 'ChatML: <|im_start|>role … <|im_end|>',
    origin: 'https://github.com/openai/openai-python/blob/release-v0.28.0/chatml.md',
    meta_template: {
      round: [
        { role: 'HUMAN', begin: '<|im_start|>user\n', end: '<|im_end|>\n' },
        { role: 'BOT', begin: '<|im_start|>assistant\n', end: '<|im_end|>\n', generate: true },
      ],
      reserved_roles: [{ role: 'SYSTEM', begin: '<|im_start|>system\n', end: '<|im_end|>\n' }],
      eos_token_id: '<|im_end|>',
    },
  },
  moss: {
    description: 'MOSS, with inner thoughts, commands and results',
    origin: 'document 000 (OpenCompass, Meta Prompt)',
    meta_template: {
      begin: 'meta instruction\nYou are an AI assistant.\n',
      round: [
        { role: 'HUMAN', begin: '<|HUMAN|>:', end: '脷\n' },
        { role: 'THOUGHTS', begin: '<|Inner Thoughts|>:', end: '茔\n', prompt: 'None' },
        { role: 'COMMANDS', begin: '<|Commands|>:', end: '蝮\n', prompt: 'None' },
        { role: 'RESULTS', begin: '<|Results|>:', end: '兒\n', prompt: 'None' },
        { role: 'BOT', begin: '<|MOSS|>:', generate: true, end: '氡\n' },
      ],
      end: 'end of conversion',
      reserved_roles: [{ role: 'SYSTEM', begin: '<|SYSTEM|>: ', end: '\n' }],
      eos_token_id: 65605,
    },
  },
  messages: {
    description: 'messages for a chat server: system, user, assistant',
    origin: 'document 001 (AISBench, Meta Template, API models)',
    api: true,
    meta_template: {
      round: [
        { role: 'HUMAN', api_role: 'HUMAN' },
        { role: 'BOT', api_role: 'BOT', generate: true },
      ],
      reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM' }],
    },
  },
} satisfies Readonly<Record<string, Preset>> as Readonly<Record<'plain' | 'chatml' | 'moss' | 'messages', Preset>>
