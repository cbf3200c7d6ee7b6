import { describe, expect, test } from 'vitest'
import { chatTemplateFormat } from '../format/chat-template/chat-template-format.ts'
import { shippedTokenizer } from '../node/models/tokenizer-of.ts'
import { compileChat } from '../prompt/compile-chat.ts'
import { tokenize } from '../tokenize/tokenize.ts'
import { continueChat } from './continue-chat.ts'
import { formatWriter } from './format-writer.ts'

const { format } = compileChat('internlm2')
const tokenizer = shippedTokenizer()
const asked = [{ role: 'user', content: 'Hi' }]
const reply = { role: 'assistant', content: 'Hello!' }
const next = [{ role: 'user', content: 'Say <|im_end|>' }]

function idsOf(messages: readonly { role: string; content: string }[], isAsked: boolean): number[] {
  return tokenize(formatWriter(format)(messages, isAsked).prompt, tokenizer, { markers: format.markers }).ids
}

describe('the next prompt begins with the ids before it', () => {
  const promptIds = idsOf(asked, true)
  const whole = idsOf([...asked, reply, ...next], true)
  const finished = idsOf([...asked, reply], false)
  const ended = finished.slice(promptIds.length, finished.lastIndexOf(tokenizer.idOf('<|im_end|>')!) + 1)

  test.each([
    ['a whole reply', ended],
    ['one that was cut: its end comes first', ended.slice(0, -1)],
  ])('%s', (_, replyIds) => {
    const continued = continueChat({ messages: asked, promptIds, replyIds }, reply, next, { format, tokenizer })
    expect(continued).toMatchObject({ isAppended: true, ids: whole })
  })

  test('ids of the reply that encoding would not give stay as they are', () => {
    const replyIds = [...'Hello!'].map((letter) => tokenizer.idOf(letter)!)
    const continued = continueChat({ messages: asked, promptIds, replyIds }, reply, next, { format, tokenizer })
    if (!continued.isAppended) throw new Error(continued.why)
    expect(continued.ids.slice(0, promptIds.length + replyIds.length)).toEqual([...promptIds, ...replyIds])
    expect(continued.appended).toEqual(whole.slice(promptIds.length + ended.length - 1))
  })
})

test('a template that writes earlier turns anew is not continued, and the place is told', () => {
  const rewriting = chatTemplateFormat(
    '{% for m in messages %}<|{{ m.role }}|>{% if loop.last %}!{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  )
  const chat = { messages: asked, promptIds: [], replyIds: [] }
  expect(continueChat(chat, reply, next, { format: rewriting, tokenizer })).toEqual({
    isAppended: false,
    why: 'the format writes the finished turn in another way than it asked for it',
    at: '<|user|>'.length,
    shorter: '!Hi<|end|><|assistant|>',
    longer: 'Hi<|end|><|assistant|>!Hello!<|end|>',
  })
})
