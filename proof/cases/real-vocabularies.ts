import { readFileSync } from 'node:fs'
import { Tokenizer as Library } from '@huggingface/tokenizers'
import { readHuggingFaceTokenizer } from '../../packages/core/src/internal/tokenizer.ts'
import type { Tokenizer } from '../../packages/rolecall/src/index.ts'
import { vocabularyFile } from '../testing/on-demand.ts'
import { sampleOf } from '../testing/sampling.ts'

type Json = { added_tokens: { id: number; content: string; special: boolean }[]; model: object }

/** A real vocabulary with the turns its models were trained on. */
export type Vocabulary = { name: string; begin: (role: string) => string; end: string; change?: (json: Json) => Json }

const chatml = { begin: (role: string) => `<|im_start|>${role}\n`, end: '<|im_end|>\n' }
const sixTokens = ['<|plugin|>', '<|interpreter|>', '<|action_end|>', '<|action_start|>', '<|im_end|>', '<|im_start|>']

export const vocabularies: readonly Vocabulary[] = [
  { name: 'qwen3', ...chatml },
  { name: 'llama3', begin: (role) => `<|start_header_id|>${role}<|end_header_id|>\n\n`, end: '<|eot_id|>' },
  { name: 'llama2', begin: (role) => (role === 'user' ? '<s>[INST] ' : ' [/INST] '), end: '</s>' },
  {
    name: 'internlm2',
    ...chatml,
    // The package has the vocabulary without the chat tokens, whose ids are the last ones.
    change: (json) => ({
      ...json,
      added_tokens: sixTokens.map((content, index) => ({
        id: 92_538 + index,
        content,
        special: true,
        lstrip: false,
        rstrip: false,
        normalized: false,
      })),
    }),
  },
  { name: 'mistral_nemo', begin: (role) => (role === 'user' ? '[INST]' : '[/INST]'), end: '</s>' },
  { name: 'gemma2', begin: (role) => `<start_of_turn>${role}\n`, end: '<end_of_turn>\n' },
  { name: 'gemma3', begin: (role) => `<start_of_turn>${role}\n`, end: '<end_of_turn>\n' },
  { name: 'deepseek_v3', begin: (role) => (role === 'user' ? '<｜User｜>' : '<｜Assistant｜>'), end: '<｜end▁of▁sentence｜>' },
]

/** Similar to each other, and the slowest to load of all. */
export const gemmas = sampleOf(['gemma2', 'gemma3'], 1)

/** Ours, the library that encodes whole strings, and the format's markers. */
export type LoadedVocabulary = { tokenizer: Tokenizer; markers: string[]; readonly library: Library }

type Change = (json: Json, config: object) => [Json, object]

const unchanged = new Map<string, LoadedVocabulary>()

/** Reads a vocabulary; `change` may alter its files first, to try a setting. Those as they are published are read once: Gemma's takes seconds. */
export function loadVocabulary(name: string, change?: Change): LoadedVocabulary {
  if (change) return readVocabulary(name, change)
  const found = unchanged.get(name) ?? readVocabulary(name, (json, config) => [json, config])
  unchanged.set(name, found)
  return found
}

function readVocabulary(name: string, change: Change): LoadedVocabulary {
  const vocabulary = vocabularies.find((one) => one.name === name)!
  const { json: file, config: settings } = vocabularyJson(name)
  const [json, config] = change(vocabulary.change?.(file) ?? file, settings)
  let library: Library | undefined
  return {
    tokenizer: readHuggingFaceTokenizer(json, config, name),
    markers: [vocabulary.begin('user'), vocabulary.begin('assistant'), vocabulary.end],
    // Not every test asks it.
    get library() {
      library ??= new Library(json, config)
      return library
    },
  }
}

/** The files of a vocabulary as published. */
export function vocabularyJson(name: string): { json: Json; config: object } {
  const read = (file: 'tokenizer.json' | 'tokenizer_config.json') => JSON.parse(readFileSync(vocabularyFile(name, file)!, 'utf8'))
  return { json: read('tokenizer.json'), config: read('tokenizer_config.json') }
}
