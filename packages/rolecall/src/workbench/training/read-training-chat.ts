import type { ChatMessage, Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { TrainingChat } from '@rolecall/core/internal/masks'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
} from '@rolecall/core/internal/python'
import { isUnfit, rowFormats } from '../../evaluation/dataset/row-formats/index.ts'

/** Supported row layouts of training conversations. */
export const conversationKinds = {
  messages: 'messages: [{ role, content }]',
  sharegpt: 'conversations: [{ from, value }]',
  'prompt-completion': 'prompt and completion, as texts or as lists of messages',
  alpaca: 'instruction, input and output',
} as const

/** A conversation and its number in its file, from 0. */
export type NumberedConversation = { chat: TrainingChat; number: number }

export type ConversationKind = keyof typeof conversationKinds

/** The layout of a row, by its columns. */
export function conversationKind(row: Row): ConversationKind | undefined {
  if (isList(dictGet(row, 'messages'))) return 'messages'
  if (isList(dictGet(row, 'conversations') ?? dictGet(row, 'conversation'))) return 'sharegpt'
  if (dictHas(row, 'prompt') && dictHas(row, 'completion')) return 'prompt-completion'
  return dictHas(row, 'instruction') && dictHas(row, 'output') ? 'alpaca' : undefined
}

/** The conversation of a row, with its tools as a list or JSON. */
export function readTrainingChat(row: Row, where: string): TrainingChat {
  const kind = conversationKind(row)
  if (kind === undefined) {
    throw new PromptError('no-conversation', {
      where,
      problem: 'this row has no conversation',
      fix: `use one of: ${Object.values(conversationKinds).join('; ')}`,
    })
  }
  const tools = toolsOf(dictGet(row, 'tools'), where)
  return { messages: readers[kind](row, where) as ChatMessage[], ...(tools && { tools }) }
}

type Reader = (row: Row, where: string) => readonly PyValue[]

const readers: Readonly<Record<ConversationKind, Reader>> = {
  messages: (row) => dictGet(row, 'messages') as readonly PyValue[],
  sharegpt(row, where) {
    const read = rowFormats.sharegpt!.read(row)
    if (isUnfit(read)) throw new PromptError('no-conversation', { where, ...read })
    const answer = dictGet(read, 'answer')
    const asked = dictGet(read, 'messages') as readonly PyValue[]
    const messages = answer === undefined ? asked : [...asked, { role: 'assistant', content: answer }]
    return withWeights(messages, (dictGet(row, 'conversations') ?? dictGet(row, 'conversation')) as readonly PyValue[])
  },
  'prompt-completion': (row) => [...said(dictGet(row, 'prompt'), 'user'), ...said(dictGet(row, 'completion'), 'assistant')],
  alpaca(row) {
    const [instruction, input, output, system] = ['instruction', 'input', 'output', 'system'].map((key) => dictGet(row, key))
    const asked = [instruction, input].filter((text) => typeof text === 'string' && text !== '').join('\n\n')
    return [
      ...(typeof system === 'string' && system !== '' ? said(system, 'system') : []),
      ...said(asked, 'user'),
      ...said(output, 'assistant'),
    ]
  },
}

/** Copies the weights of turns. */
function withWeights(messages: readonly PyValue[], turns: readonly PyValue[]): readonly PyValue[] {
  const weights = turns.map((turn) => (isDict(turn) ? dictGet(turn, 'weight') : undefined))
  // A separate system column adds a message before the turns.
  const before = messages.length - turns.length
  return messages.map((message, index) => {
    const weight = weights[index - before]
    return weight === undefined || !isDict(message) ? message : dictFromEntries([...dictEntries(message), ['weight', weight]])
  })
}

function said(value: PyValue | undefined, role: string): readonly PyValue[] {
  return isList(value) && value.every(isDict) ? (value as readonly PyDict[]) : [{ role, content: value ?? '' }]
}

function toolsOf(given: PyValue | undefined, where: string): readonly PyValue[] | undefined {
  const tools = typeof given === 'string' && given.trim() !== '' ? parsed(given, where) : given
  if (tools === undefined || tools === null || tools === '' || (isList(tools) && tools.length === 0)) return undefined
  if (isList(tools)) return tools
  throw badTools(where)
}

function parsed(text: string, where: string): PyValue {
  try {
    return parseJson(text)
  } catch {
    throw badTools(where)
  }
}

function badTools(where: string): PromptError {
  return new PromptError('bad-tools', {
    where: `${where} › tools`,
    problem: 'this is not a list of tools',
    fix: 'write a list of { type: "function", function: … }, or JSON of one',
  })
}
