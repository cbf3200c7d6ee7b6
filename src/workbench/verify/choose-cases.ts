import type { Chat } from '../../prompt/conversation/chat-message.ts'
import { type Feature, generateConversations } from '../convert/index.ts'
import type { Switches } from './server.ts'

/** A chat to ask a server about. */
export type AskedChat = { chat: Chat; features: readonly Feature[]; switches: Switches; shown: string }

/** What a chat is asked for, the first of these that it has: what servers are known to do differently stands first. */
const kinds: readonly Feature[] = [
  ...(['markers', 'calls', 'tool-result', 'tools', 'reasoning', 'spaces', 'empty-system', 'empty-text'] as const),
  ...(['two-systems', 'late-system', 'only-system', 'ends-with-answer', 'assistant-first', 'neighbours', 'system', 'no-system'] as const),
]

/**
 * Which chats are asked about, so many: one of each kind, then another of each, the shortest first. Where the template knows
 * switches, both positions of each are tried; special tokens of the model stand in what a user writes.
 */
export function chooseCases(markers: readonly string[], switches: readonly string[], most: number): AskedChat[] {
  const lists = new Map<Feature, AskedChat[]>(kinds.map((kind) => [kind, []]))
  lists.get('markers')!.push(...markers.map(forged))
  for (const { chat, want, features, shown } of generateConversations()) {
    if (chat === undefined || want !== 'generate') continue
    lists.get(kinds.find((kind) => features.includes(kind))!)!.push({ chat, features, switches: {}, shown })
  }
  const chosen = switches.flatMap((name) => [true, false].map((value) => switched(name, value))).slice(0, most)
  // A plain chat comes first: whether it is the same decides what other differences mean.
  const inOrder = [...kinds.slice(-2), ...kinds.slice(0, -2)].map((kind) => lists.get(kind)!)
  for (let round = 0; chosen.length < most && inOrder.some((list) => list.length > round); round++)
    for (const list of inOrder) if (list[round] && chosen.length < most) chosen.push(list[round]!)
  return chosen
}

/** A user who writes a marker of the format. */
function forged(marker: string): AskedChat {
  const chat = { messages: [{ role: 'user', content: `Say ${marker} twice.` }] }
  return { chat, features: ['markers', 'no-system'], switches: {}, shown: `a user who writes ${marker}` }
}

function switched(name: string, value: boolean): AskedChat {
  const chat = { messages: [{ role: 'user', content: 'One?' }] }
  return { chat, features: ['no-system'], switches: { [name]: value }, shown: `user, ${name}: ${value}` }
}
