import type { Chat, ChatMessage, Conversation, Item } from '@rolecall/core/internal/conversation'
import { readChat } from '@rolecall/core/internal/conversation'
import { plain } from '@rolecall/core/internal/text'
import type { Want } from './write-conversation.ts'

/** Traits of a conversation, by which differences between formats are described. */
export const features = {
  system: 'with a system message',
  'no-system': 'without a system message',
  'past-answer': 'with an earlier answer of the assistant',
  complete: 'that are complete, as for perplexity or training',
  'asks-for-reply': 'that ask for a reply',
  'assistant-first': 'that start with the assistant',
  neighbours: 'with two consecutive messages of one role',
  'ends-with-answer': 'that end with the assistant',
  'late-system': 'with a system message after other messages',
  'two-systems': 'with two system messages at the start',
  'only-system': 'with only a system message',
  'empty-text': 'with an empty text',
  'empty-system': 'with an empty system message',
  spaces: 'with leading or trailing whitespace',
  markers: 'whose texts contain markers, quotes or template code',
  reasoning: 'with reasoning in an earlier reply',
  tools: 'with tools',
  calls: 'with tool calls',
  'tool-result': 'with tool results',
  rounds: 'from datasets, in rounds',
} as const

export type Feature = keyof typeof features

/** A conversation to compare formats with. */
export type ConversationCase = { features: readonly Feature[]; want: Want; conversation: Conversation; shown: string; chat?: Chat }

/** All sequences of user and assistant up to this length are tried. */
export const longestOrder = 6

/**
 * The conversations for comparing formats: all role sequences up to a length, with and without a system message; system messages in odd
 * positions, empty texts, whitespace, markers in data, reasoning, tools, calls, results, and rounds of datasets.
 */
export function generateConversations(markers: readonly string[] = []): ConversationCase[] {
  return [...chats(markers).flatMap(bothWants), ...rounds()]
}

type Chats = { chat: Chat; features: readonly Feature[] }

function chats(markers: readonly string[]): Chats[] {
  const short = [['user'], ['user', 'assistant', 'user'], ['system', 'user'], ['system', 'user', 'assistant', 'user']]
  const hostile = hostileTexts(markers)
  return [
    ...orders(longestOrder).flatMap((roles) => [plainChat(roles), plainChat(['system', ...roles])]),
    { chat: plainChat(['system']).chat, features: ['only-system'] },
    ...orders(3).map((roles) => ({ chat: plainChat(['system', 'system', ...roles]).chat, features: ['two-systems'] as const })),
    ...orders(3).flatMap((roles) =>
      roles.map((_, index) => ({ chat: plainChat(roles.toSpliced(index + 1, 0, 'system')).chat, features: ['late-system'] as const })),
    ),
    ...short.flatMap((roles) =>
      eachMessage(roles, (role) => ({ content: '', feature: role === 'system' ? 'empty-system' : 'empty-text' })),
    ),
    ...short.flatMap((roles) => eachMessage(roles, (_, text) => ({ content: ` \n${text}\n `, feature: 'spaces' }))),
    ...hostile.flatMap((content) => eachMessage(short[3]!, () => ({ content, feature: 'markers' }))),
    ...withReasoning(),
    ...withTools(),
  ]
}

/** All sequences of user and assistant, shortest first. */
function orders(longest: number): string[][] {
  const all: string[][] = []
  let last: string[][] = [[]]
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((roles) => [
      [...roles, 'user'],
      [...roles, 'assistant'],
    ])
    all.push(...last)
  }
  return all
}

function textAt(role: string, index: number): string {
  return role === 'system' ? `Rule ${index + 1}.` : `Text ${index + 1}.`
}

function plainChat(roles: readonly string[]): Chats {
  return { chat: { messages: roles.map((role, index) => ({ role, content: textAt(role, index) })) }, features: [] }
}

function eachMessage(roles: readonly string[], change: (role: string, text: string) => { content: string; feature: Feature }): Chats[] {
  return roles.map((_, changed) => {
    let feature: Feature = 'markers'
    const messages = roles.map((role, index) => {
      const text = textAt(role, index)
      if (index !== changed) return { role, content: text }
      const { content, feature: found } = change(role, text)
      feature = found
      return { role, content }
    })
    return { chat: { messages }, features: [feature] }
  })
}

/** Texts that a template might misinterpret: its markers, placeholders, and template syntax. */
function hostileTexts(markers: readonly string[]): string[] {
  const languages = [
    '{{ messages }}{% for m in messages %}{# x #}',
    '{system_message}{user_message}{function_string}{question}',
    '{{ .System }}{{- end -}}{{"',
    `'quotes' "double" \\n \\ \t`,
    'é 你好 🙂 \u200b\u2028',
    '<s></s>[INST]<|im_start|>system\n<|im_end|>',
  ]
  return [...languages, ...[...new Set(markers)].slice(0, 8)]
}

function withReasoning(): Chats[] {
  const answers = ['<think>\nLet me see.\n</think>\n\nYes.', 'Hmm.</think> Yes.', '<think>a</think>b</think>\n\n c']
  return answers.map((content) => ({
    chat: {
      messages: [
        { role: 'user', content: 'One?' },
        { role: 'assistant', content },
        { role: 'user', content: 'Two?' },
      ],
    },
    features: ['reasoning'],
  }))
}

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Current weather in "a city" – °C',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const
const clock = { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } } as const

function withTools(): Chats[] {
  const call = { id: 'call00001', type: 'function', function: { name: 'get_weather', arguments: { city: 'Ulm' } } } as const
  const asked: ChatMessage = { role: 'user', content: 'Weather in Ulm?' }
  const called: ChatMessage = { role: 'assistant', content: '', tool_calls: [call] }
  const result: ChatMessage = { role: 'tool', content: '7 °C', tool_call_id: 'call00001' }
  const chats = orders(2).map((roles) => plainChat(roles).chat.messages)
  return [
    ...[[weather], [weather, clock]].flatMap((tools) => [
      ...chats.map((messages): Chats => ({ chat: { messages, tools }, features: ['tools'] })),
      ...chats.map(
        (messages): Chats => ({ chat: { messages: [{ role: 'system', content: 'Rule.' }, ...messages], tools }, features: ['tools'] }),
      ),
    ]),
    { chat: { messages: [asked, called, result], tools: [weather] }, features: ['tools', 'calls', 'tool-result'] },
    { chat: { messages: [asked, called, result] }, features: ['calls', 'tool-result'] },
    { chat: { messages: [asked, called] }, features: ['calls'] },
    {
      chat: { messages: [asked, { role: 'assistant', content: 'I look.' }, { role: 'tool', content: '7 °C' }] },
      features: ['tool-result'],
    },
    {
      chat: {
        messages: [asked, { role: 'assistant', content: 'I look.' }, { role: 'tool', content: '7 °C' }, { role: 'user', content: 'So?' }],
      },
      features: ['tool-result'],
    },
  ]
}

function bothWants({ chat, features: special }: Chats): ConversationCase[] {
  const conversation = readChat(chat)
  const own = [...special, ...featuresOf(chat.messages, special)]
  const shown = chat.messages.map(({ role }) => role).join(', ')
  return (['generate', 'complete'] as const).map((want) => ({
    features: [...new Set<Feature>([...own, ...askFeatures(chat.messages, want)])],
    want,
    conversation,
    shown,
    chat,
  }))
}

function featuresOf(messages: readonly ChatMessage[], special: readonly Feature[]): Feature[] {
  const roles = messages.map(({ role }) => role)
  const spoken = roles.filter((role) => role !== 'system')
  return [
    special.includes('late-system') ? [] : [roles[0] === 'system' ? ('system' as const) : ('no-system' as const)],
    spoken[0] === 'assistant' ? ['assistant-first' as const] : [],
    spoken.some((role, index) => index > 0 && role === spoken[index - 1]) ? ['neighbours' as const] : [],
    spoken.at(-1) === 'assistant' ? ['ends-with-answer' as const] : [],
  ].flat()
}

function askFeatures(messages: readonly ChatMessage[], want: Want): Feature[] {
  const answers = messages.filter(({ role }) => role === 'assistant').length
  return [want === 'complete' ? 'complete' : 'asks-for-reply', ...(answers > 0 ? ['past-answer' as const] : [])]
}

/** Rounds of datasets; the format supplies the text of missing roles. */
function rounds(): ConversationCase[] {
  return [1, 2, 3].flatMap((count) =>
    [false, true].flatMap((hasSystem) =>
      (['generate', 'complete'] as const).map((want): ConversationCase => {
        const turn = (role: string, text: string): Item => ({
          role,
          content: [plain(text, { by: 'field', path: 'text' })],
          path: `round[${text}]`,
        })
        const items = Array.from({ length: count }, (_, index) => [
          turn('HUMAN', `Question ${index}?`),
          turn('BOT', `Answer ${index}.`),
        ]).flat()
        const begin = hasSystem ? [{ kind: 'begin' as const, items: [turn('SYSTEM', 'Rule.')] }] : []
        const spoken: Feature[] = count > 1 || want === 'complete' ? ['past-answer'] : []
        return {
          features: ['rounds', hasSystem ? 'system' : 'no-system', want === 'complete' ? 'complete' : 'asks-for-reply', ...spoken],
          want,
          conversation: { kind: 'dialogue', sections: [...begin, { kind: 'round', items }], notes: [] },
          shown: `${hasSystem ? 'SYSTEM, ' : ''}${'HUMAN, BOT, '.repeat(count).slice(0, -2)}`,
        }
      }),
    ),
  )
}
