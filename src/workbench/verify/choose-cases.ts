import type { Chat } from '../../prompt/conversation/chat-message.ts'
import { type Feature, generateConversations } from '../convert/index.ts'
import type { Switches } from './verified-server.ts'

/** A chat to send to a server. */
export type VerifiedChat = { chat: Chat; features: readonly Feature[]; switches: Switches; shown: string }

/** Features by priority: those known to differ between servers first. */
const kinds: readonly Feature[] = [
  ...(['markers', 'calls', 'tool-result', 'tools', 'reasoning', 'spaces', 'empty-system', 'empty-text'] as const),
  ...(['two-systems', 'late-system', 'only-system', 'ends-with-answer', 'assistant-first', 'neighbours', 'system', 'no-system'] as const),
]

/**
 * Chooses up to `most` chats: one per feature, then another per feature, shortest first. Template switches are tried in both
 * positions, and user text contains special tokens of the model.
 */
export function chooseCases(markers: readonly string[], switches: readonly string[], most: number): VerifiedChat[] {
  const lists = new Map<Feature, VerifiedChat[]>(kinds.map((kind) => [kind, []]))
  lists.get('markers')!.push(...markers.map(forged))
  for (const { chat, want, features, shown } of generateConversations()) {
    if (chat === undefined || want !== 'generate') continue
    lists.get(kinds.find((kind) => features.includes(kind))!)!.push({ chat, features, switches: {}, shown })
  }
  const chosen = switches.flatMap((name) => [true, false].map((value) => switched(name, value))).slice(0, most)
  // A plain chat comes first: whether it matches decides how to interpret other differences.
  const inOrder = [...kinds.slice(-2), ...kinds.slice(0, -2)].map((kind) => lists.get(kind)!)
  for (let round = 0; chosen.length < most && inOrder.some((list) => list.length > round); round++)
    for (const list of inOrder) if (list[round] && chosen.length < most) chosen.push(list[round]!)
  return chosen
}

/** A user message that contains a marker. */
function forged(marker: string): VerifiedChat {
  const chat = { messages: [{ role: 'user', content: `Say ${marker} twice.` }] }
  return { chat, features: ['markers', 'no-system'], switches: {}, shown: `a user message with ${marker}` }
}

function switched(name: string, value: boolean): VerifiedChat {
  const chat = { messages: [{ role: 'user', content: 'One?' }] }
  return { chat, features: ['no-system'], switches: { [name]: value }, shown: `user, ${name}: ${value}` }
}
