import type { Note } from '../../base/errors/note.ts'
import type { ChatMessage } from '../../prompt/conversation/chat-message.ts'
import type { Prompt } from '../../prompt/format/format.ts'

/** How much of a long conversation a model is shown. */
export type HistoryOptions = {
  /** How many tokens prompt and reply may have together; the model's context by default. */
  window?: number
  /** How many of them are kept free for the reply; a quarter by default, and never more than the reply may have. */
  reserve?: number
  /** When the window has overflowed: how much of it the conversation may fill again (MLC's `shift_fill_factor`); 0.75 by default. */
  fill?: number
  /** `rounds`, the default: whole rounds are left out; `mlc`: messages, as MLC's chats do. */
  shift?: 'rounds' | 'mlc'
  /** How many messages behind those of the system have been left out already. */
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
 * Leaves out the oldest rounds of a chat when it no longer fits, as document 003's chats do: what the system says and the last
 * round stay, and once the window has overflowed only a part of it is filled again, so that this does not happen at every
 * turn.
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

/** Where rounds begin behind a place: at what a user says, not at a file that belongs to it. */
function roundStarts(messages: readonly ChatMessage[], from: number): number[] {
  return messages.flatMap(({ role, name }, index) => (index > from && role === 'user' && name !== 'file' ? [index] : []))
}

function droppedNote(count: number, window: number): Note {
  return {
    code: 'history-dropped',
    text: `the oldest ${count === 1 ? 'message was' : `${count} messages were`} left out to stay within the window of ${window} tokens`,
  }
}
