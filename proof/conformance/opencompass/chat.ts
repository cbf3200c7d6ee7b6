import type { Quirk, Quirks } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { plain } from '../../../packages/core/src/base/text/index.ts'
import { chatMaker } from '../../../packages/core/src/prompt/compile/chat-maker.ts'
import type { Chat } from '../../../packages/core/src/prompt/conversation/chat-message.ts'
import { type Conversation, isTurn } from '../../../packages/core/src/prompt/conversation/conversation.ts'
import { asMessages } from '../../../packages/core/src/prompt/format/adapt/as-messages.ts'
import { compileFormat } from '../../../packages/core/src/prompt/format/compile-format.ts'
import { textOf } from '../../../packages/rolecall/src/formats.ts'
import { expectedMessages, plainValue } from './plain-value.ts'
import { writePrompt } from './promised-prompt.ts'
import { NotWritten, type Part, type Spoken } from './promised-words.ts'
import { isMarker, type PromptListItem, readPromptList } from './prompt-list.ts'
import type { TurnJson } from './vector.ts'

type Meta = { begin?: unknown; round?: (string | TurnJson)[]; reserved_roles?: TurnJson[] } | null
type ParseArgs = { chat: Chat['messages']; metaTemplate: Meta }
type ConvertArgs = { input: string | PromptListItem[]; mergeRole: boolean; skipEmpty: boolean }

/** How ChatInferencer and models with a chat template handle dialogues and chats. */
export const chatOperations = {
  chat_lm_parse: ({ chat, metaTemplate }: ParseArgs) => ({
    produce: (quirks: Quirks) =>
      plainValue(chatMaker(compileFormat({ meta_template: metaTemplate, is_api: false }, quirks)).render({ messages: chat })),
    rules: rulesThatHold({ chat, roles: rolesOf(metaTemplate), begin: metaTemplate?.begin }),
    promised: () => writePrompt({ parts: [chatPart(chat)] }, { metaTemplate, model: 'lm', mode: 'gen' }),
  }),
  chat_api_parse: ({ chat, metaTemplate }: ParseArgs, { expected }: { expected?: unknown }) => ({
    produce: (quirks: Quirks) =>
      plainValue(chatMaker(compileFormat({ meta_template: metaTemplate, is_api: true }, quirks)).render({ messages: chat })),
    expected: expectedMessages(expected),
  }),
  promptlist_to_openai: ([list]: [string | PromptListItem[]]) => ({
    produce: (quirks: Quirks) => messagesOf(asMessages(conversationOf(list), quirks)),
    rules: rulesThatHold({ dialogue: list }),
    promised: () => promisedMessages(list),
  }),
  /** A chat template that prints its input. The function has an option for each of two quirks. */
  convert_chat_messages: ({ input, mergeRole, skipEmpty }: ConvertArgs) => ({
    produce(quirks: Quirks) {
      const off: Quirk[] = [
        ...(mergeRole ? [] : ['chat-template-neighbours' as const]),
        ...(skipEmpty ? [] : ['chat-template-empty-turn' as const]),
      ]
      const chosen = new Set([...quirks].filter((name) => !off.includes(name)))
      const prompt = compileFormat({ chat_template: '{{ messages | tojson }}' }, chosen).render(conversationOf(input), { want: 'complete' })
      const text = String(plainValue(prompt))
      return text.startsWith('[{"role"') || text === '[]' ? JSON.parse(text) : text
    },
    rules: rulesThatHold({ converted: input, mergeRole, skipEmpty }),
    // A string template is the whole prompt.
    promised: () => (typeof input === 'string' ? input : promisedMessages(input)),
  }),
}

/** Messages one by one. */
function chatPart(chat: Chat['messages']): Part {
  const items = chat.map((message): Spoken => ({ role: message.role, words: typeof message.content === 'string' ? message.content : '' }))
  return { kind: 'chat', items, row: {} }
}

/** Every string is the user's, and blank ones separate nothing; roles are looked up, else their fallback speaks. */
function promisedMessages(list: string | PromptListItem[]): unknown {
  if (typeof list === 'string') return [{ role: 'user', content: list }]
  return itemsOf(list).flatMap((item) => {
    if (typeof item === 'string') return item.trim() === '' ? [] : [{ role: 'user', content: item }]
    const role = [item.role, item.fallback_role].map(messageRole).find((name) => ['user', 'assistant', 'system'].includes(name ?? ''))
    if (role === undefined) throw new NotWritten('no such role')
    return [{ role, content: item.prompt ?? '' }]
  })
}

type Input = {
  chat?: Chat['messages']
  roles?: readonly TurnJson[]
  begin?: unknown
  dialogue?: string | PromptListItem[]
  converted?: string | PromptListItem[]
  mergeRole?: boolean
  skipEmpty?: boolean
}

/** The chat rules that apply to an input. */
const conditions = {
  'chat-begin-dropped': ({ chat, begin }: Input) => chat !== undefined && Boolean(begin),
  'chat-role-bare': ({ chat = [], roles = [] }: Input) =>
    roles.length > 0 && chat.some(({ role }) => !roles.some((one) => messageRole(one.role) === role)),
  'chat-generating-role': ({ roles = [] }: Input) => roles.length > 0 && roles.find((role) => role.generate)?.role !== 'BOT',
  'chat-empty-line': ({ chat = [], roles = [] }: Input) => roles.length === 0 && chat.length > 1 && chat.some(({ content }) => !content),
  'chat-without-bot': ({ roles = [] }: Input) => roles.length > 0 && !roles.some((role) => messageRole(role.role) === 'assistant'),
  'dialogue-as-chat': ({ dialogue }: Input) =>
    itemsOf(dialogue).some((item) =>
      typeof item === 'string' ? item.includes('section') || item.trim() === '' : !['HUMAN', 'BOT', 'SYSTEM'].includes(item.role ?? ''),
    ),
  'chat-says-nothing': ({ dialogue }: Input) =>
    itemsOf(dialogue).some((item) => item === '' || (typeof item !== 'string' && !('prompt' in item))),
  'chat-template-string': ({ converted }: Input) => typeof converted === 'string',
  'chat-template-empty-turn': ({ converted, skipEmpty }: Input) =>
    skipEmpty === true && itemsOf(converted).some((item) => typeof item !== 'string' && !item.prompt),
  'chat-template-neighbours': ({ converted, mergeRole, skipEmpty }: Input) => {
    const roles = itemsOf(converted).flatMap((item) => (typeof item === 'string' || (skipEmpty && !item.prompt) ? [] : [item.role]))
    return mergeRole === true && roles.some((role, index) => index > 0 && role === roles[index - 1])
  },
}

export type ChatRuleName = keyof typeof conditions

/** Rules about chat rows, which no vector covers; packages/rolecall/src/evaluation/run/ask/chat.test.ts tests them. */
export type ChatRowRuleName = 'chat-rounds-cut' | 'chat-columns' | 'chat-examples-unused'

function rulesThatHold(input: Input): ChatRuleName[] {
  return (Object.keys(conditions) as ChatRuleName[]).filter((rule) => conditions[rule](input))
}

function rolesOf(meta: Meta): TurnJson[] {
  return [...(meta?.round ?? []), ...(meta?.reserved_roles ?? [])].filter((role): role is TurnJson => typeof role !== 'string')
}

function itemsOf(list: string | PromptListItem[] | undefined): (string | TurnJson)[] {
  return Array.isArray(list) ? list.filter((item): item is string | TurnJson => !isMarker(item)) : []
}

function messageRole(role: string | undefined): string | undefined {
  return role === 'HUMAN' ? 'user' : role === 'BOT' ? 'assistant' : role === 'SYSTEM' ? 'system' : role
}

function conversationOf(given: string | PromptListItem[]): Conversation {
  if (typeof given !== 'string') return readPromptList(given, false)
  return { kind: 'text', content: [plain(given, { by: 'template', path: 'text' })], notes: [] }
}

function messagesOf({ sections }: Conversation & { kind: 'dialogue' }): unknown[] {
  return sections.flatMap(({ items }) => items.filter(isTurn).map(({ role, content = [] }) => ({ role, content: textOf(content) })))
}
