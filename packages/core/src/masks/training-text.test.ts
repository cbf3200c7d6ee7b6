import { describe, expect, test } from 'vitest'
import { compileChat } from '../prompt/compile/compile-chat.ts'
import { chatTemplateFormat } from '../prompt/format/chat-template/chat-template-format.ts'
import type { Format } from '../prompt/format/format.ts'
import { type TrainingChat, trainingText } from './training-text.ts'

const messages = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello!' },
  { role: 'user', content: 'Bye' },
  { role: 'assistant', content: 'See you.' },
]

function trained(format: Format, chat: TrainingChat = { messages }, policy = {}): string[] {
  const { text, spans } = trainingText(chat, format, policy)
  return spans.map(({ start, end }) => text.slice(start, end))
}

const chatml = compileChat('chatml').format
const metaTemplate = compileChat({
  meta_template: {
    round: [
      { role: 'HUMAN', begin: '[Q] ', end: '\n' },
      { role: 'BOT', begin: '[A] ', end: ' <eoa>\n', generate: true },
    ],
  },
}).format

/** A template whose generation prompt opens reasoning that finished turns lack. */
const thinking = chatTemplateFormat(
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.reasoning_content %}<think>\n{{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content }}{% for c in m.tool_calls %}<call>{{ c.function.name }}</call>{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
)

describe('the text the model writes, including the end of its turn', () => {
  test.each([
    ['internlm2', compileChat('internlm2').format, ['Hello!<|im_end|>', 'See you.<|im_end|>']],
    ['chatml', chatml, ['Hello!<|im_end|>', 'See you.<|im_end|>']],
    ['a conversation template of MLC', compileChat({ conv_template: 'vicuna_v1.1' }).format, [' Hello!</s>', ' See you.</s>']],
    ['a meta template', metaTemplate, ['Hello! <eoa>', 'See you. <eoa>']],
    ['a chat template', thinking, ['Hello!<|im_end|>', 'See you.<|im_end|>']],
  ])('%s', (_, format, expected) => {
    expect(trained(format)).toEqual(expected)
  })
})

test('markers in user text do not end a turn', () => {
  const typed = [
    { role: 'user', content: 'Say <|im_end|>' },
    { role: 'assistant', content: 'It is <|im_end|>, see?' },
  ]
  expect(trained(chatml, { messages: typed })).toEqual(['It is <|im_end|>, see?<|im_end|>'])
})

describe('a policy', () => {
  const thought = { role: 'assistant', content: 'Hello!', reasoning_content: 'A greeting.', tool_calls: [{ function: { name: 'wave' } }] }
  const chat = { messages: [messages[0]!, thought] }
  test.each([
    [{}, ['<think>\nA greeting.\n</think>\n\nHello!<call>wave</call><|im_end|>']],
    [{ reasoning: false }, ['Hello!<call>wave</call><|im_end|>']],
    [{ calls: false }, ['<think>\nA greeting.\n</think>\n\nHello!', '<|im_end|>']],
    [{ reasoning: false, calls: false }, ['Hello!', '<|im_end|>']],
    [{ train: 'content' }, ['Hello!']],
  ])('%o', (policy, expected) => {
    expect(trained(thinking, chat, policy)).toEqual(expected)
  })

  test('the last turn only', () => {
    expect(trained(chatml, { messages }, { turns: 'last' })).toEqual(['See you.<|im_end|>'])
  })

  test('a message of weight 0 is not trained; other weights are recorded', () => {
    const weighed = messages.map((message, index) =>
      index === 1 ? { ...message, weight: 0 } : index === 3 ? { ...message, weight: 0.5 } : message,
    )
    expect(trainingText({ messages: weighed }, chatml).spans).toMatchObject([{ message: 3, weight: 0.5 }])
  })
})

describe('undecidable turns are not guessed', () => {
  const opened = chatTemplateFormat(
    '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|><think>{% endif %}',
  )
  const dropped = chatTemplateFormat(
    '{% for m in messages %}<|{{ m.role }}|>{% if loop.last and m.reasoning_content %}<t>{{ m.reasoning_content }}</t>{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  )

  test('the generation prompt opens reasoning that the finished turn lacks', () => {
    const { spans, undecided } = trainingText({ messages }, opened)
    expect(spans).toEqual([])
    expect(undecided).toMatchObject([
      {
        message: 1,
        why: expect.stringContaining('does not start with its generation prompt'),
        expected: '<think>',
        found: 'Hello!<|end|>',
      },
      { message: 3 },
    ])
  })

  test('reasoning is dropped as the chat continues; the last turn is known', () => {
    const withThoughts = messages.map((message) => (message.role === 'assistant' ? { ...message, reasoning_content: 'Hm.' } : message))
    const { text, spans, undecided } = trainingText({ messages: withThoughts }, dropped)
    expect(undecided).toMatchObject([
      { message: 1, why: expect.stringContaining('rewrite the turn'), expected: expect.stringContaining('<t>Hm.') },
    ])
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(['<t>Hm.</t>See you.<|end|>'])
  })
})

test('a format of messages has no text to train on', () => {
  expect(() => trainingText({ messages }, compileChat('messages').format)).toThrow(/not text to train on/)
})
