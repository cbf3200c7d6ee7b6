import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'

/** How much of a long conversation the model sees. */
export type HistoryOptions = {
  /** Maximum tokens of prompt and reply together; the model's context by default. */
  window?: number
  /** How many of them are reserved for the reply; a quarter by default, and never more than the reply may have. */
  reserve?: number
  /** How much of the window the conversation may fill again after an overflow (MLC's `shift_fill_factor`); 0.75 by default. */
  fill?: number
  /** `rounds`, the default: drops whole rounds; `mlc`: drops messages, as MLC's chats do. */
  shift?: 'rounds' | 'mlc'
  /** How many messages after the system messages have been dropped already. */
  dropped?: number
}

export type FittedHistory = { prompt: Prompt; dropped: number; notes: readonly Note[] }

export type Fitting = {
  window: number
  reserve: number
  fill: number
  dropped: number
  render: (messages: readonly ChatMessage[]) => Prompt
  count: (prompt: Prompt) => number
}

/**
 * Drops the oldest rounds of a chat that no longer fits, as document 003's chats do. System messages and the last round stay. After an
 * overflow only a part of the window is filled again, so that rounds are not dropped at every turn.
 */
export function fitHistory(messages: readonly ChatMessage[], { window, reserve, fill, dropped, render, count }: Fitting): FittedHistory {
  const start = systemLength(messages)
  const without = (number: number) => [...messages.slice(0, start), ...messages.slice(start + number)]
  let prompt = render(without(dropped))
  let tokens = count(prompt)
  if (tokens + reserve <= window) return { prompt, dropped, notes: [] }
  let left = dropped
  for (const next of roundStarts(messages, start + dropped).map((index) => index - start)) {
    left = next
    prompt = render(without(left))
    tokens = count(prompt)
    if (tokens <= fill * window && tokens + reserve <= window) break
  }
  return { prompt, dropped: left, notes: left > dropped ? [droppedNote(left - dropped, window)] : [] }
}

/** The number of system messages at the start. */
export function systemLength(messages: readonly ChatMessage[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first < 0 ? messages.length : first
}

/** Where rounds begin after a position: at user messages, except the files that belong to them. */
function roundStarts(messages: readonly ChatMessage[], from: number): number[] {
  return messages.flatMap(({ role, name }, index) => (index > from && role === 'user' && name !== 'file' ? [index] : []))
}

function droppedNote(count: number, window: number): Note {
  return {
    code: 'history-dropped',
    text: `the oldest ${count === 1 ? 'message was' : `${count} messages were`} left out to stay within the window of ${window} tokens`,
  }
}
