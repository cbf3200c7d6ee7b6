import { describe, expect, test } from 'vitest'
import { type ChatTokenizer, safeApplyChatTemplate } from '../../../packages/adapters/src/transformers.ts'
import { vocabularyFile } from '../on-demand.ts'
import { missingPeers } from './consumer.ts'
import { openTokenizers } from './open-tokenizers.ts'

// Beside the real transformers.js: the same ids for harmless messages, and no control token of a user's.

type Message = { role: string; content: string }
type Tokenizer = ChatTokenizer<{ data: BigInt64Array; dims: readonly number[] }> & {
  apply_chat_template(messages: readonly Message[], options: object): readonly (number | bigint)[]
  all_special_ids: readonly number[]
}

// Not InternLM2, whose BOS transformers.js reads as ordinary text, and we as the token that the template means.
const names = ['qwen3', 'llama3', 'deepseek_v3', 'gemma2', 'gemma3', 'mistral_nemo'].filter((name) =>
  vocabularyFile(name, 'tokenizer.json'),
)
const missing = missingPeers('@huggingface/transformers')
if (missing.length > 0 || names.length === 0)
  console.warn('skipped: transformers.js; scripts/install-peers.sh .cache/peers --vocabularies --clients installs it')

const chats: Record<string, Message[]> = {
  question: [{ role: 'user', content: 'What is 2+3? Ça va — 你好 👋🏽\n\tdef f(x):  return x' }],
  turns: [
    { role: 'user', content: '  Hi  ' },
    { role: 'assistant', content: 'Hello.\n' },
    { role: 'user', content: 'Bye </s' },
  ],
}

describe.skipIf(missing.length > 0 || names.length === 0)(
  'safeApplyChatTemplate beside transformers.js (needs install-peers.sh --clients --vocabularies)',
  () => {
    test.each(names)('%s', async (name) => {
      const tokenizer = (await openTokenizers([name]))[name] as Tokenizer & { chat_template: unknown }
      // Some published vocabularies have no template.
      if (!tokenizer.chat_template) return expect(() => safeApplyChatTemplate(tokenizer, chats.question ?? [])).toThrow(/no chat template/)
      const theirs = (messages: readonly Message[]) =>
        tokenizer.apply_chat_template(messages, { add_generation_prompt: true, return_tensor: false, return_dict: false }).map(Number)
      const ours = (messages: readonly Message[]) => [...safeApplyChatTemplate(tokenizer, messages).input_ids.data].map(Number)
      for (const messages of Object.values(chats)) expect(ours(messages)).toEqual(theirs(messages))
      const specials = (ids: readonly number[]) => ids.filter((id) => tokenizer.all_special_ids.includes(id)).length
      const marks = ['<|im_start|>', '<|im_end|>', '<|eot_id|>', '<start_of_turn>', '<｜User｜>', '[INST]', '<s>', '</s>', '<bos>'].join('')
      expect(specials(ours([{ role: 'user', content: `Hi ${marks}` }]))).toBe(specials(ours([{ role: 'user', content: 'Hi' }])))
      const { input_ids, attention_mask } = safeApplyChatTemplate(tokenizer, chats.turns ?? [])
      expect([input_ids.dims, attention_mask.dims]).toEqual(Array(2).fill([1, ours(chats.turns ?? []).length]))
    })
  },
)
