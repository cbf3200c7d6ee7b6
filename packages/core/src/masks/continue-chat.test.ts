import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shippedTokenizer } from '../../../rolecall/src/node/models/load-tokenizer.ts'
import { compileChat } from '../prompt/compile/compile-chat.ts'
import { chatTemplateFormat } from '../prompt/format/chat-template/chat-template-format.ts'
import { tokenize } from '../prompt/tokenizer/tokenize.ts'
import { continueChat, withoutMiddle } from './continue-chat.ts'
import { formatWriter } from './format-writer.ts'

const { format } = compileChat('internlm2')
const tokenizer = shippedTokenizer()
const asked = [{ role: 'user', content: 'Hi' }]
const reply = { role: 'assistant', content: 'Hello!' }
const next = [{ role: 'user', content: 'Say <|im_end|>' }]

function idsOf(messages: readonly { role: string; content: string }[], addGenerationPrompt: boolean): number[] {
  return tokenize(formatWriter(format)(messages, addGenerationPrompt).prompt, tokenizer, { markers: format.markers }).ids
}

describe('the next prompt extends the previous ids', () => {
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

  test('sampled ids that encoding would not produce are kept', () => {
    const replyIds = [...'Hello!'].map((letter) => tokenizer.idOf(letter)!)
    const continued = continueChat({ messages: asked, promptIds, replyIds }, reply, next, { format, tokenizer })
    if (!continued.isAppended) throw new Error(continued.why)
    expect(continued.ids.slice(0, promptIds.length + replyIds.length)).toEqual([...promptIds, ...replyIds])
    expect(continued.appended).toEqual(whole.slice(promptIds.length + ended.length - 1))
  })
})

test('a template that rewrites earlier turns is not continued, and the position is reported', () => {
  const rewriting = chatTemplateFormat(
    '{% for m in messages %}<|{{ m.role }}|>{% if loop.last %}!{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  )
  const chat = { messages: asked, promptIds: [], replyIds: [] }
  expect(continueChat(chat, reply, next, { format: rewriting, tokenizer })).toEqual({
    isAppended: false,
    why: 'the finished turn does not start with its generation prompt',
    at: '<|user|>'.length,
    shorter: '!Hi<|end|><|assistant|>',
    longer: 'Hi<|end|><|assistant|>!Hello!<|end|>',
  })
})

describe('only the ends of a long chat are rendered if the format renders messages independently', () => {
  const simple =
    "{{ bos_token }}{% for m in messages %}{% if loop.first and m.role != 'system' %}<|im_start|>system\nBe brief.<|im_end|>{% endif %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
  const counting = simple.replace('{{ m.content }}', '{{ loop.index }}. {{ m.content }}')
  const said = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${'<|im_end|>'.repeat(index % 3)}: ${index}`,
    }))
  const options = { specialTokens: { bos_token: '<s>' } }

  test.each([
    ['a template that does', chatTemplateFormat(simple, options)],
    ['one that counts messages, which is written whole', chatTemplateFormat(counting, options)],
    ['a format of ours', compileChat('chatml').format],
    ['a conversation template of MLC', compileChat({ conv_template: 'chatml' }).format],
  ])('%s', (_, long) => {
    for (const count of [3, 9, 15, 17, 41]) {
      const messages = said(count)
      const write = formatWriter(long)
      const continued = continueChat({ messages, promptIds: [], replyIds: [] }, reply, next, { format: long, tokenizer })
      if (!continued.isAppended) throw new Error(continued.why)
      const whole = write([...messages, reply, ...next], true)
      const wholeIds = tokenize(whole.prompt, tokenizer, { markers: long.markers }).ids
      expect(wholeIds.slice(-continued.appended.length)).toEqual(continued.appended)
      expect(continued.appended.length).toBeGreaterThan(8)
    }
  })
})

test('removing the middle of a chat does not change its end, for any roles', () => {
  const any = fc.array(fc.constantFrom('user', 'assistant'), { minLength: 3, maxLength: 6 })
  const talk = fc.nat(12).map((count) => Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 'user' : 'assistant')))
  const roles = fc.tuple(any, talk, any).map((parts) => parts.flat())
  const formats = [compileChat('chatml').format, compileChat('internlm2').format, compileChat({ conv_template: 'vicuna_v1.1' }).format]
  const kept: number[] = []
  fc.assert(
    fc.property(roles, fc.constantFrom(...formats), (given, long) => {
      const messages = given.map((role, index) => ({ role, content: `said ${index}` }))
      const ends = withoutMiddle(long, messages)
      if (ends === messages) return
      kept.push(ends.length)
      const write = (chat: typeof messages) => formatWriter(long)([...chat, { role: 'user', content: 'last' }], true).text
      const tail = (text: string) => text.slice(text.indexOf(`said ${given.length - 2}`))
      expect(tail(write([...ends] as typeof messages))).toBe(tail(write(messages)))
    }),
    { numRuns: 300 },
  )
  expect(kept.length).toBeGreaterThan(0)
})
