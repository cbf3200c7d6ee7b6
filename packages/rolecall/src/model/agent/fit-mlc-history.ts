import { fitWindow, windowChat } from '@rolecall/core/internal/compile'
import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { type FittedHistory, type Fitting, systemLength } from './fit-history.ts'

/**
 * Drops the oldest messages as MLC's chats do (document 003: `mean_gen_len`, `shift_fill_factor`): when a reply of the expected length no
 * longer fits, the window is cleared and refilled with the system text and the end of the conversation.
 */
export function fitMlcHistory(messages: readonly ChatMessage[], { window, reserve, fill, dropped, render, count }: Fitting): FittedHistory {
  const whole = render(messages)
  if (whole.kind === 'chat') return { prompt: whole, dropped, notes: [] }
  const { prefix, all } = windowChat(whole, whole, { hasSystem: false })
  // In addition to the messages, the prompt has the head of the reply, the system text, and text that the template adds before them.
  const own = Math.max(0, all.length - (messages.length - systemLength(messages)) - 1)
  // Separators depend on the position of turns, so that messages are dropped from the rendered text, not before rendering.
  const kept = all.filter((_, index) => index < own || index >= own + dropped)
  const decision = fitWindow(
    { prefix, all: kept, hasSystem: own > 0, lastRound: [] },
    {
      used: 0,
      maxWindowSize: window,
      meanGenLen: reserve,
      shiftFillFactor: fill,
      count: (pieces) => count({ ...whole, pieces, bos: 'none' }),
    },
  )
  const end = decision.pieces.length
  return {
    prompt: { ...whole, pieces: decision.pieces, answer: { start: end, end } },
    dropped: dropped + (decision.shifted ? Math.max(0, decision.dropped.end - own) : 0),
    notes: decision.notes,
  }
}
