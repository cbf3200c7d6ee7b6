import { type TrainingChat, type TrainingRow, type TrainingSetup, trainingRow, wholeTurns } from '@rolecall/core/internal/masks'
import type { SeenStep } from './seen-branches.ts'

/** The requests of a chat as a stock server would have seen them, and the turns that cannot be decided. */
export type SeenTurns = { steps: SeenStep[]; undecided: TrainingRow['undecided'] }

/**
 * Renders the chat up to each turn of the model: what that turn's prompt was, and what the model wrote behind it. So a template that drops earlier
 * reasoning gives a prompt without it, and the turn itself has its own.
 */
export function seenTurns({ messages, tools }: TrainingChat, setup: TrainingSetup): SeenTurns {
  const policy = { ...wholeTurns, ...setup.policy }
  const isWhole = policy.train === 'turn' && policy.reasoning && policy.calls
  const steps: SeenStep[] = []
  const undecided: TrainingRow['undecided'][number][] = []
  const places = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  for (const place of policy.turns === 'last' ? places.slice(-1) : places) {
    const chat = { messages: messages.slice(0, place + 1), ...(tools && { tools }) }
    const row = trainingRow(chat, { ...setup, policy: { ...wholeTurns, turns: 'last' } })
    undecided.push(...row.undecided)
    const start = row.mask.indexOf(1)
    if (start < 0) continue
    const end = row.mask.lastIndexOf(1) + 1
    const trained = isWhole ? undefined : trainingRow(chat, { ...setup, policy: { ...policy, turns: 'last' } }).mask.slice(start, end)
    steps.push({ promptIds: row.ids.slice(0, start), replyIds: row.ids.slice(start, end), replyMask: trained })
  }
  return { steps, undecided }
}
