import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { readChat } from '../../conversation/read-chat.ts'
import { promptText } from '../prompt-text.ts'
import { toNewConversation, toOldConversation } from './convert-conversation.ts'
import type { MlcConversation } from './mlc-conversation.ts'
import { mlcFormat } from './mlc-format.ts'
import { namedTemplates } from './mlc-templates.ts'
import { namedConversation, readMlcConversation } from './read-mlc-conversation.ts'

const messages = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello!' },
  { role: 'user', content: 'Bye' },
]
const say = (conversation: MlcConversation, given = messages) =>
  promptText(mlcFormat(conversation).render(readChat({ messages: given }), { want: 'generate' }))
const ids = (conversation: MlcConversation) => {
  const prompt = mlcFormat(conversation).render(readChat({ messages }), { want: 'generate' })
  return prompt.kind === 'completion' ? prompt.pieces.flatMap((piece) => ('ids' in piece ? piece.ids : [])) : []
}

describe('the two generations', () => {
  test('every template that converts writes the same, with and without a system message', () => {
    const converted: string[] = []
    for (const { key, generation } of namedTemplates) {
      const own = namedConversation(`${generation}/${key}`)
      try {
        const other = own.generation === 'old' ? toNewConversation(own) : toOldConversation(own)
        converted.push(`${generation}/${key}`)
        expect([key, say(other), ids(other)]).toEqual([key, say(own), ids(own)])
        const system = [{ role: 'system', content: 'Be brief.' }, ...messages]
        const hasOwn =
          own.generation === 'old' ? own.system.text !== '' : own.systemMessage !== '' && own.systemTemplate !== '{system_message}'
        if (hasOwn) expect([key, say(other, system)]).toEqual([key, say(own, system)])
      } catch (error) {
        if (!(error instanceof PromptError)) throw error
      }
    }
    expect(converted).toEqual(
      expect.arrayContaining([
        'old/vicuna_v1.1',
        'old/rwkv',
        'old/conv_one_shot',
        'old/llama-2',
        'new/redpajama_chat',
        'new/chatml',
        'new/aya-23',
      ]),
    )
    expect(converted.length).toBeGreaterThan(50)
  })

  test('there and back again is the same template', () => {
    for (const name of ['vicuna_v1.1', 'chatml', 'rwkv', 'moss']) {
      const old = namedConversation(`old/${name}`)
      if (old.generation !== 'old') throw new Error('not old')
      const back = toOldConversation(toNewConversation({ ...old, addBos: false }))
      expect(back).toEqual({ ...old, addBos: false })
    }
  })

  const refused: [name: string, conversation: MlcConversation, message: string][] = [
    [
      'styles',
      namedConversation('old/LM'),
      'conv_template.separator_style: the style "lm" writes only the last user text, which the other generation cannot express. Keep this generation, or change the template.',
    ],
    [
      'three separators',
      readMlcConversation({ conv_template: 'vicuna_v1.1', conv_config: { seps: ['a', 'b', 'c'] } }),
      'conv_config.seps: there are 3 separators, and the present generation has one or two, which the other generation cannot express',
    ],
    [
      'other speakers',
      readMlcConversation({
        conv_template: 'vicuna_v1.1',
        conv_config: {
          messages: [
            ['Bob', 'hi'],
            ['Al', 'ho'],
          ],
        },
      }),
      'message 0 is from "Bob", which is not one of the roles',
    ],
    ['a tool role', namedConversation('hermes2_pro_llama3'), 'the old generation has two roles, and there is "tool"'],
    ['role templates', namedConversation('ministral3'), 'what the role "user" says is put in a template'],
    ['several stops', namedConversation('qwen2'), 'there are several stop texts, and the old generation has one'],
    [
      'stripped reasoning',
      readMlcConversation({ conv_template: 'chatml_nosystem', conv_config: { strip_reasoning_in_history: true } }),
      'past replies are written without their reasoning',
    ],
    ['a system text without its separator', namedConversation('new/dolly'), 'the system text does not end with the separator "\\n\\n"'],
    [
      'a first turn without its role',
      readMlcConversation({ conv_template: 'new/chatml', conv_config: { add_role_after_system_message: false } }),
      'the first turn is written without its role',
    ],
  ]
  for (const [name, conversation, message] of refused) {
    test(`${name} cannot be expressed in the other`, () => {
      expect(() => (conversation.generation === 'old' ? toNewConversation(conversation) : toOldConversation(conversation))).toThrow(message)
    })
  }
})
