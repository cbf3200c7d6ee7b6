import { basicPresets, type Preset } from './basic.ts'
import { internlm2, internlmXComposer2 } from './internlm2.ts'

export type { Preset }

const { plain, chatml, ...others } = basicPresets

/** Built-in formats, by their name for `format:` and `--format`. */
export const presets: Readonly<Record<string, Preset>> = {
  plain,
  chatml,
  internlm2: {
    description: 'InternLM2-Chat: ChatML with names, tools, an interpreter and files',
    origin: 'document 004 (InternLM, Chat Format)',
    internlm2,
  },
  'internlm2.5': {
    description: 'InternLM2.5-Chat: as internlm2',
    origin: 'document 004 (InternLM, Chat Format)',
    internlm2,
  },
  'internlm-xcomposer2': {
    description: 'InternLM-XComposer2: as internlm2, with the first names of its tokens; no calls',
    origin: 'https://huggingface.co/internlm/internlm-xcomposer2-7b',
    internlm2: internlmXComposer2,
  },
  ...others,
}
