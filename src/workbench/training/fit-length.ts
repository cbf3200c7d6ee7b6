import { type TrainingRow, type TrainingSetup, trainingRow } from './training-row.ts'
import type { TrainingChat } from './training-text.ts'

/** What to do with an overlong conversation: drop it, or truncate it after a model turn. */
export type Overlong = 'drop' | 'cut'

/** A row that fits, and the number of messages removed; undefined if none fits. */
export function fittingRow(
  chat: TrainingChat,
  setup: TrainingSetup,
  maxLength: number,
  overlong: Overlong,
): { row: TrainingRow; messagesCut: number } | undefined {
  const row = trainingRow(chat, setup)
  if (row.ids.length <= maxLength) return { row, messagesCut: 0 }
  if (overlong === 'drop') return undefined
  for (let count = chat.messages.length - 1; count > 1; count--) {
    if (chat.messages[count - 1]!.role !== 'assistant') continue
    const shorter = trainingRow({ ...chat, messages: chat.messages.slice(0, count) }, setup)
    if (shorter.ids.length <= maxLength) return { row: shorter, messagesCut: chat.messages.length - count }
  }
  return undefined
}
