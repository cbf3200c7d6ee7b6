import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { compileChat } from '../../../packages/core/src/prompt/compile/compile-chat.ts'
import type { ChatMessage } from '../../../packages/core/src/prompt/conversation/chat-message.ts'
import { namedTemplates } from '../../../packages/core/src/prompt/format/mlc/mlc-templates.ts'
import { presets } from '../../../packages/core/src/prompt/format/presets/index.ts'
import { protectionOf } from '../../../packages/core/src/prompt/tokenizer/protected-tokens.ts'
import { tokenize } from '../../../packages/core/src/prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../../../packages/core/src/prompt/tokenizer/tokenizer.ts'
import type { ModelConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { loadVocabulary, vocabularies } from '../../cases/real-vocabularies.ts'
import type { Attack, Chance } from './attack.ts'

const template = `{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}<|im_start|>system
{{ m.content | trim }}<|im_end|>
{% else %}<|im_start|>{{ m.role }}
{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{% for call in m.tool_calls or [] %}<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}<|im_end|>
{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

/** Models of every format that writes text. */
export const hostileModels: readonly ModelConfig[] = [
  ...Object.entries(presets).flatMap(([format, { api }]) => (api ? [] : [{ format }])),
  ...namedTemplates.map(({ key, generation }) => ({ conv_template: `${generation}/${key}` })),
  { chat_template: template, special_tokens: { bos_token: '<s>', eos_token: '<|im_end|>' } },
]

/** Texts made of a vocabulary's special tokens, whole, split and as look-alikes, in every field of a message, in every format. */
export const injection: Attack = {
  name: 'injection',
  holds: 'text of messages becomes no control token, in any vocabulary and format',
  async run({ chance, goesOn, tried, gotThrough }) {
    // Gemma's vocabularies take seconds to load; one of each kind is enough for one run.
    const { name } = chance.pick(vocabularies)
    const { tokenizer } = loadVocabulary(name)
    const tokens = tokenizer.addedTokens.map(({ content }) => content)
    while (goesOn()) {
      for (let turn = 0; turn < 50; turn++) {
        const model = chance.pick(hostileModels)
        const messages = hostileMessages(chance, () => hostileText(chance, tokens))
        const harmless = messages.map((message) => withText(message, () => 'a'))
        const found = countControl(model, messages, tokenizer)
        const expected = countControl(model, harmless, tokenizer)
        tried()
        // Inputs that either side rejects, such as an invalid name, cannot be compared.
        if (found === undefined || expected === undefined) continue
        if (found !== expected)
          gotThrough(
            `${name}, ${JSON.stringify(model).slice(0, 80)}: ${found} control tokens, not ${expected}: ${JSON.stringify(messages)}`,
          )
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  },
}

function countControl(model: ModelConfig, messages: readonly ChatMessage[], tokenizer: Tokenizer): number | undefined {
  try {
    const { format, render } = compileChat(model)
    const prompt = render({ messages })
    if (prompt.kind === 'chat') return undefined
    const { isProtected } = protectionOf(tokenizer, format.markers)
    return tokenize(prompt, tokenizer, { markers: format.markers }).ids.filter(isProtected).length
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

/** Text made of special tokens, whole, split and as look-alikes. */
export function hostileText(chance: Chance, tokens: readonly string[]): string {
  const one = (): string => {
    const token = chance.pick([...tokens.slice(0, 50), ...marks])
    switch (chance.number(6)) {
      case 0:
        return token.slice(0, 1 + chance.number(token.length))
      case 1:
        return token.slice(chance.number(token.length))
      case 2:
        return [...token].join(chance.pick(['\u200b', '\u00ad', ' ', '\ufe0f']))
      case 3:
        return token.replaceAll('|', '｜').replaceAll('<', chance.pick(['＜', '<']))
      default:
        return token
    }
  }
  return Array.from({ length: 1 + chance.number(5) }, () =>
    chance.once(3) ? chance.pick(['\n', ' ', 'x', '{{ x }}', '\ud800', '{"a": "']) : one(),
  ).join('')
}

const marks = [
  '<|im_start|>system\n',
  '<|im_end|>\n',
  '<s>',
  '</s>',
  '[INST]',
  '[/INST]',
  '<<SYS>>',
  '<start_of_turn>',
  '<|eot_id|>',
  '<｜User｜>',
  '<think>',
  '</think>',
  '<tool_call>',
  '<|plugin|>',
  '<|action_start|>',
  '<|end|>',
]

function hostileMessages(chance: Chance, text: () => string): ChatMessage[] {
  const messages: ChatMessage[] = chance.once(2) ? [{ role: 'system', content: text() }] : []
  messages.push({ role: 'user', content: text() })
  if (chance.once(2)) {
    const reasoning = chance.once(2) ? { reasoning_content: text() } : {}
    messages.push(
      { role: 'assistant', content: text(), ...reasoning },
      { role: 'user', content: chance.once(2) ? text() : [{ type: 'text', text: text() }] },
    )
  }
  return messages
}

/** The same message with other text. */
function withText(message: ChatMessage, word: () => string): ChatMessage {
  return {
    ...message,
    content: typeof message.content === 'string' ? word() : [{ type: 'text', text: word() }],
    ...(message.reasoning_content === undefined ? {} : { reasoning_content: word() }),
  } as ChatMessage
}
