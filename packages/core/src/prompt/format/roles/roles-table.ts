import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { ChatMessage } from '../../conversation/chat-message.ts'
import { readChat } from '../../conversation/read-chat.ts'
import type { Format } from '../format.ts'
import type { ChatFate, TemplateRoles } from './template-roles.ts'

/** What a template does with one kind of conversation, and what `roles: auto` does about it. */
export type RolesRow = {
  group: 'system' | 'developer' | 'user' | 'assistant' | 'tools' | 'fields'
  what: string
  template: ChatFate
  /** The steps of the ladder, as codes of notes; `refused` if it admits none. */
  auto: readonly string[]
}

type Case = { group: RolesRow['group']; what: string; chat: string; tools?: true }

const cases: readonly Case[] = [
  { group: 'system', what: 'first', chat: 'S U' },
  { group: 'system', what: 'several, first', chat: 'S S U' },
  { group: 'system', what: 'alone', chat: 'S' },
  { group: 'system', what: 'after the user, last', chat: 'S U S' },
  { group: 'system', what: 'after an answer', chat: 'S U A S U' },
  { group: 'system', what: 'between call and result', chat: 'S U C S T', tools: true },
  { group: 'system', what: 'after a result, last', chat: 'S U C T S', tools: true },
  { group: 'developer', what: 'first', chat: 'D U' },
  { group: 'developer', what: 'several, first', chat: 'D D U' },
  { group: 'developer', what: 'after a system message', chat: 'S D U' },
  { group: 'developer', what: 'after an answer', chat: 'S U A D U' },
  { group: 'user', what: 'two in a row', chat: 'U U' },
  { group: 'user', what: 'after a result', chat: 'U C T U', tools: true },
  { group: 'assistant', what: 'first', chat: 'A U' },
  { group: 'assistant', what: 'two in a row', chat: 'U A A U' },
  { group: 'assistant', what: 'an empty turn', chat: 'U E U' },
  { group: 'tools', what: 'a call and its result', chat: 'U C T', tools: true },
  { group: 'tools', what: 'the same, without tools in the request', chat: 'U C T' },
  { group: 'tools', what: 'text and a call', chat: 'U K T', tools: true },
  { group: 'tools', what: 'parallel calls', chat: 'U B T T', tools: true },
  { group: 'tools', what: 'two rounds', chat: 'U C T C T', tools: true },
  { group: 'tools', what: 'a call without a result', chat: 'U C U', tools: true },
  { group: 'tools', what: 'a result without a call', chat: 'U T', tools: true },
  { group: 'tools', what: 'arguments that are not JSON', chat: 'U X T', tools: true },
  { group: 'fields', what: 'the name of a user', chat: 'N' },
  { group: 'fields', what: 'reasoning of the last answer', chat: 'U R' },
  { group: 'fields', what: 'reasoning of an earlier answer', chat: 'U R U' },
]

/** What a chat template does with the roles and their places, found by rendering. The format must be compiled with `roles`. */
export function rolesTable(format: Format & { roles(): TemplateRoles }): RolesRow[] {
  const roles = format.roles()
  return cases.map(({ group, what, chat, tools = false }) => ({
    group,
    what,
    template: roles.fate(chat, tools),
    auto: stepsOf(format, roles, chat, tools),
  }))
}

function stepsOf(format: Format, roles: TemplateRoles, chat: string, hasTools: boolean): string[] {
  const { messages, tools } = roles.example(chat, hasTools)
  try {
    const conversation = readChat({ messages: messages as readonly ChatMessage[], tools: tools as readonly object[] })
    const { notes } = format.render(conversation, { want: /[AER]$/.test(chat) ? 'complete' : 'generate' })
    return [...new Set(notes.map(({ code }) => code))].filter((code) => !ordinary.has(code))
  } catch (error) {
    if (error instanceof PromptError) return ['refused']
    throw error
  }
}

/** Notes that say nothing about roles. */
const ordinary: ReadonlySet<string> = new Set([
  'arguments-parsed',
  'arguments-as-text',
  'clock',
  'null-content',
  'text-as-part',
  'thought-renamed',
])
