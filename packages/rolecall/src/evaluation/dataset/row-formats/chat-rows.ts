import type { Row } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import type { RowFormat, Unfit } from './row-format.ts'

/** Speakers in ShareGPT's files and similar ones. */
const speakers: Readonly<Record<string, string>> = {
  system: 'system',
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  chatgpt: 'assistant',
  bing: 'assistant',
  bard: 'assistant',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  observation: 'tool',
  function_response: 'tool',
}

/** ShareGPT: `conversations: [{ from, value }]`. */
export const sharegpt: RowFormat = {
  does: 'ShareGPT’s rows, `conversations: [{ from, value }]`: what is asked as chat messages, the last answer as a column',
  columns: ['messages', 'answer'],
  read(row) {
    const turns = dictGet(row, 'conversations') ?? dictGet(row, 'conversation')
    if (!isList(turns)) return noList('conversations', '[{ "from": "human", "value": … }, …]')
    const system = dictGet(row, 'system')
    const messages: PyDict[] = typeof system === 'string' && system !== '' ? [{ role: 'system', content: system }] : []
    for (const [index, turn] of turns.entries()) {
      const from = isDict(turn) ? dictGet(turn, 'from') : undefined
      const value = isDict(turn) ? dictGet(turn, 'value') : undefined
      const role = typeof from === 'string' ? speakers[from.toLowerCase()] : undefined
      if (role === undefined || typeof value !== 'string') {
        return {
          problem: `conversations[${index}] is not a turn of a known speaker (from: ${JSON.stringify(from ?? null)})`,
          fix: `write { "from": …, "value": … } with one of: ${Object.keys(speakers).join(', ')}`,
        }
      }
      messages.push({ role, content: value })
    }
    return withAnswer(row, messages)
  },
}

/** OpenAI: `messages: [{ role, content }]`. */
export const messages: RowFormat = {
  does: 'OpenAI’s rows, `messages: [{ role, content }]`, as in fine-tuning files: the last answer becomes a column, and so do its tool calls (`calls`)',
  columns: ['messages', 'answer'],
  read(row) {
    const given = dictGet(row, 'messages')
    if (!isList(given) || !given.every(isDict)) return noList('messages', '[{ "role": "user", "content": … }, …]')
    return withAnswer(row, given)
  },
}

/** The expected answer is the last message of the chat. */
function withAnswer(row: Row, all: readonly PyDict[]): Row | Unfit {
  const last = all.at(-1)
  const isAnswered = last !== undefined && dictGet(last, 'role') === 'assistant'
  const asked = isAnswered ? all.slice(0, -1) : all
  if (asked.length === 0) return { problem: 'the chat asks nothing', fix: 'begin with a turn of the user' }
  const own = dictEntries(row).filter(([name]) => name !== 'messages' && name !== 'conversations')
  const answer: [string, PyValue][] = isAnswered ? [['answer', textOf(dictGet(last, 'content') ?? '')]] : []
  const calls = isAnswered ? dictGet(last, 'tool_calls') : undefined
  const called: [string, PyValue][] = isList(calls) ? [['calls', calls]] : []
  return dictFromEntries([...own, ['messages', asked], ...answer, ...called])
}

/** The text of a message, joined if it has several parts. */
function textOf(content: PyValue): PyValue {
  if (!isList(content)) return content
  const texts = content.map((part) => (isDict(part) && dictGet(part, 'type') === 'text' ? dictGet(part, 'text') : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content
}

function noList(column: string, example: string): Unfit {
  return { problem: `"${column}" does not contain a list of turns`, fix: `write ${column}: ${example}` }
}
