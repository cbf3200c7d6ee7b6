import { describe, expect, test } from 'vitest'
import { quirksOf } from '../../../base/fidelity/quirks.ts'
import { plain, textOf } from '../../../base/text/index.ts'
import type { Conversation, Turn } from '../../conversation/conversation.ts'
import { messagesMetaFormat } from './messages-meta-format.ts'

type Message = { role: string; content: string }

const options = { where: 'meta_template', quirks: quirksOf(undefined), api: true }

function conversationOf(messages: readonly Message[], given: Partial<Turn> = {}): Conversation {
  const turns = messages.map(
    ({ role, content }): Turn => ({ role, path: 'm', content: [plain(content, { by: 'template', path: 'm' })], ...given }),
  )
  return { kind: 'dialogue', notes: [], sections: turns.map((turn) => ({ kind: 'chat', items: [turn] })) }
}

function merge(meta: readonly Message[], messages: readonly Message[]) {
  const prompt = messagesMetaFormat(meta, options).render(conversationOf(messages), { want: 'generate' })
  return prompt.kind === 'chat' && prompt.messages.map(({ role, content }) => `${role}: ${textOf(content)}`)
}

const system = { role: 'system', content: 'S' }
const user = { role: 'user', content: 'U' }
const assistant = { role: 'assistant', content: 'A' }
const asked = { role: 'user', content: 'x' }
const answered = { role: 'assistant', content: 'y' }

describe('the messages of the meta template', () => {
  test('are prepended to the text of the same role', () => {
    expect(merge([user], [asked])).toEqual(['user: Ux'])
    expect(merge([system, user], [{ role: 'system', content: 's' }, asked])).toEqual(['system: Ss', 'user: Ux'])
  })

  test('wait for a role that speaks later', () => {
    expect(merge([assistant], [asked, answered, asked])).toEqual(['user: x', 'assistant: Ay', 'user: x'])
  })

  test('are inserted if the role does not speak any more', () => {
    expect(merge([system, user], [asked])).toEqual(['system: S', 'user: Ux'])
    expect(merge([user, system], [asked, answered])).toEqual(['user: Ux', 'system: S', 'assistant: y'])
    expect(merge([user, user], [asked])).toEqual(['user: Ux', 'user: U'])
  })

  test('belong to the format, the text they are joined with does not', () => {
    const prompt = messagesMetaFormat([user], options).render(conversationOf([asked]), { want: 'generate' })
    expect(prompt.kind === 'chat' && prompt.messages[0]!.content).toMatchObject([
      { text: 'U', control: true, source: { by: 'format', path: 'meta_template[0].content' } },
      { text: 'x', control: false, source: { by: 'template' } },
    ])
  })

  test('cannot be joined with parts', () => {
    const conversation = conversationOf([asked], { parts: ['x'] })
    expect(() => messagesMetaFormat([user], options).render(conversation, { want: 'generate' })).toThrow(
      expect.objectContaining({ code: 'bad-message', where: 'meta_template[0].content' }),
    )
    expect(messagesMetaFormat([system], options).render(conversation, { want: 'generate' })).toMatchObject({
      messages: [{ role: 'system' }, { parts: ['x'] }],
    })
  })

  test('are refused with a dialogue, and a string template is left alone', () => {
    const format = messagesMetaFormat([system], options)
    expect(() => format.render({ kind: 'dialogue', sections: [{ kind: 'round', items: [] }], notes: [] }, { want: 'generate' })).toThrow(
      expect.objectContaining({ code: 'wrong-meta-template', where: 'meta_template' }),
    )
    expect(format.render({ kind: 'text', content: [], notes: [] }, { want: 'generate' })).toMatchObject({
      messages: [{ role: 'user', content: [] }],
    })
  })
})

test('mistakes have their path in the list', () => {
  expect(() => messagesMetaFormat([{ role: 'tool', content: 'x' }], options)).toThrow(
    expect.objectContaining({ code: 'wrong-value', where: 'meta_template[0].role', fix: 'use one of: system, user, assistant' }),
  )
  expect(() => messagesMetaFormat([system, { role: 'user' }], options)).toThrow(
    expect.objectContaining({ code: 'missing', where: 'meta_template[1].content' }),
  )
})
