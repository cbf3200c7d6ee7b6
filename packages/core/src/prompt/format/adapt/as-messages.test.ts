import { expect, test } from 'vitest'
import { plain, textOf } from '../../../base/text/index.ts'
import type { Conversation, Turn } from '../../conversation/conversation.ts'
import { asMessages } from './as-messages.ts'

const content = (text: string) => [plain(text, { by: 'template', path: 't' })]
const say = (role: string): Turn => ({ role, content: content(role), path: role })
const rolesOf = (conversation: Conversation) =>
  asMessages(conversation, new Set()).sections.flatMap(({ items }) => items.map((item) => ('role' in item ? item.role : '')))

test('the roles of a chat stay as they are', () => {
  const roles = ['system', 'user', 'assistant', 'tool', 'environment', 'function']
  expect(rolesOf({ kind: 'dialogue', sections: [{ kind: 'round', items: roles.map(say) }], notes: [] })).toEqual(roles)
})

test('text without a role is the user’s', () => {
  const chat = asMessages({ kind: 'text', content: content('Hi'), notes: [] } as Conversation, new Set())
  expect(chat.sections).toMatchObject([{ kind: 'chat', items: [{ role: 'user' }] }])
  expect(textOf((chat.sections[0]!.items[0] as Turn).content as never)).toBe('Hi')
})
