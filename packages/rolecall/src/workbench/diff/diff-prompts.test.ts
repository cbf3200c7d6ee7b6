import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import type { Chat } from '../../../../core/src/prompt/conversation/chat-message.ts'
import { readChat } from '../../../../core/src/prompt/conversation/read-chat.ts'
import { diffPrompts, type PromptDiff, type Side } from './diff-prompts.ts'
import { exampleChats } from './example-chats.ts'
import { writeTemplate } from './write-template.ts'

type Model = Parameters<typeof compileChat>[0]

function sideOf(model: Model, chat: Chat): Side {
  if (typeof model !== 'string' && model.chat_template !== undefined) return writeTemplate({ source: model.chat_template })(chat)
  try {
    return { prompt: compileChat(model).render(chat), conversation: readChat(chat) }
  } catch (error) {
    if (error instanceof PromptError) return { refusal: error.problem }
    throw error
  }
}

function diff(first: Model, second: Model, chats = exampleChats): PromptDiff {
  return diffPrompts(chats.map(({ name, chat }) => ({ name, first: sideOf(first, chat), second: sideOf(second, chat) })))
}

const causeLines = ({ causes }: PromptDiff) => causes.map(({ text, count, of }) => `${count} of ${of}: ${text}`)

const chatml = (system = '<|im_end|>\n') =>
  `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% if m.role == 'system' %}${system}{% else %}<|im_end|>\n{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`
const texts = exampleChats.filter(({ chat }) => chat.messages.every(({ content }) => content !== '') && !chat.tools)

test('a format is the same as itself', () => {
  expect(diff({ chat_template: chatml() }, { chat_template: chatml() })).toMatchObject({
    pairs: exampleChats.length,
    same: exampleChats.length,
    causes: [],
  })
})

test('a newline missing in every system turn is one cause, counted over chats with a system turn', () => {
  const found = diff({ chat_template: chatml() }, { chat_template: chatml('<|im_end|>') }, texts)
  expect(causeLines(found)).toEqual(['3 of 3: between system and user, the second lacks "\\n"'])
  expect(found).toMatchObject({ pairs: 8, same: 5 })
  expect(found.causes[0]?.examples[0]).toEqual({
    name: 'a question with a system message',
    first: '<|im_end|>\n<|im_start|>user\n',
    second: '<|im_end|><|im_start|>user\n',
  })
})

describe('causes', () => {
  const base = { chat_template: chatml() }

  test('dropped, stripped and added text', () => {
    const dropsSystem = { chat_template: `{% set messages = messages | rejectattr('role', 'equalto', 'system') | list %}${chatml()}` }
    expect(causeLines(diff(base, dropsSystem, texts))).toContain('3 of 3: the second drops the system text')
    const trims = { chat_template: chatml().replace('m.content', 'm.content | trim') }
    expect(causeLines(diff(base, trims, texts))).toEqual([
      '1 of 8: whitespace around the user text is stripped in the second',
      '1 of 5: whitespace around the assistant text is stripped in the second',
    ])
    expect(causeLines(diff(base, { chat_template: `<s>${chatml()}` }, texts))).toEqual([
      '8 of 8: at the start, the second has "<s>" in addition',
    ])
  })

  test('a changed word is reported in general, format text exactly', () => {
    const louder = { chat_template: chatml().replace('m.content', "m.content | replace('France', 'FRANCE')") }
    expect(causeLines(diff(base, louder, texts))).toEqual(['7 of 8: the user text differs'])
    const thought = (close: string) => ({
      chat_template: chatml().replace(
        '{{ m.content }}',
        `{% if m.reasoning_content %}<think>{{ m.reasoning_content }}${close}{% endif %}{{ m.content }}`,
      ),
    })
    expect(causeLines(diff(thought('</think>'), thought('</think>\n\n'), texts))).toEqual([
      '1 of 5: inside the assistant turn, the second has "\\n\\n" in addition',
    ])
  })

  test('moved text', () => {
    const atEnd = {
      chat_template: `{% for m in messages if m.role != 'system' %}${'<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n'}{% endfor %}{{ messages[0].content if messages[0].role == 'system' }}<|im_start|>assistant\n`,
    }
    expect(causeLines(diff(base, atEnd, texts))).toContain('3 of 3: the system text is in a different place')
  })

  test('refusals, BOS and stops', () => {
    const refuses = { chat_template: `{% if tools %}{{ raise_exception('no tools') }}{% endif %}${chatml()}` }
    const refused = diff({ chat_template: `{{ tools }}${chatml()}` }, refuses).causes.filter(({ kind }) => kind === 'refused')
    expect(refused).toMatchObject([{ text: expect.stringContaining('the second rejects it'), of: exampleChats.length }])
    const lines = causeLines(diff('chatml', 'internlm2', texts))
    expect(lines).toContain('8 of 8: BOS: added by the tokenizer in the first, written by the format in the second')
    expect(lines).toContain('8 of 8: stops: "<|im_end|>" in the first, "</s>", "<|im_end|>" in the second')
  })

  test('a chat that both sides reject does not count as the same', () => {
    expect(diff('chatml', 'moss')).toMatchObject({ neither: expect.any(Number) })
    const { pairs, same, neither, causes } = diff('chatml', 'chatml')
    expect([pairs - same, causes]).toEqual([neither, []])
    expect(neither).toBeGreaterThan(0)
  })
})

test('the same text with different ids is a cause; ids are counted', () => {
  const [{ chat }] = texts as [(typeof texts)[number]]
  const side = sideOf({ chat_template: chatml() }, chat) as Exclude<Side, { refusal: string }>
  const found = diffPrompts([{ name: 'one', first: { ...side, ids: [1, 2, 3, 4] }, second: { ...side, ids: [1, 9, 4] } }])
  expect(causeLines(found)).toEqual(['1 of 1: the same text has different token ids'])
  expect(found.causes[0]?.examples).toEqual([{ name: 'one', first: '2 3 4', second: '9 4' }])
  expect(found.tokens).toEqual({ first: 4, second: 3, common: 2, pairs: 1 })
})

test('turns are paired by role and content: a system turn in addition drops nothing, and other words are the same turn', () => {
  const format = 'chatml'
  const pair = (first: Chat['messages'], second: Chat['messages']) =>
    diffPrompts([{ name: 'row 0', first: sideOf(format, { messages: first }), second: sideOf(format, { messages: second }) }])
  const question = { role: 'user', content: 'What is 1+1?' } as const
  const answered = [question, { role: 'assistant', content: '2' }, { role: 'user', content: 'And 2+2?' }] as const
  const added = causeLines(pair(answered, [{ role: 'system', content: 'Solve.' }, ...answered]))
  expect(added).toEqual(expect.arrayContaining(['1 of 1: only the second writes the system text']))
  expect(added.join('\n')).not.toMatch(/drops|different place|text differs/)
  expect(causeLines(pair(answered, answered.slice(2)))).toEqual(
    expect.arrayContaining(['1 of 1: the second drops the user text', '1 of 1: the second drops the assistant text']),
  )
  const reworded = causeLines(
    pair(
      [question],
      [
        { role: 'system', content: 'Solve.' },
        { role: 'user', content: 'What is 1 + 1?' },
      ],
    ),
  )
  expect(reworded).toEqual(expect.arrayContaining(['1 of 1: only the second writes the system text', '1 of 1: the user text differs']))
  expect(reworded.join('\n')).not.toContain('drops')
})
