import type { Quirks } from '../../../base/fidelity/quirks.ts'
import { type Item, isLoose, type Turn } from '../../conversation/conversation.ts'
import type { Rounds } from './traits.ts'

/** A turn whose role is one of the format's. */
export type AdaptedTurn = Turn & {
  /** Written in place, not as part of a round. */
  standalone?: true
  /** The role is the fallback role. */
  fellBack?: true
}

/** One round: the turn of each role, and the items in between. */
export type Round = {
  before: Item[]
  turns: Map<string, Turn>
  /** Role → the items after it that belong to no role of the round: loose text, reserved roles. */
  after: Map<string, Item[]>
}

/**
 * Splits turns into rounds: a new one starts when a role does not come after the previous one in the format's order. No turns are one empty
 * round.
 */
export function splitRounds(items: readonly Item[], rounds: Rounds, quirks: Quirks): Round[] {
  const places = new Map(rounds.order.flatMap((entry, place) => ('name' in entry ? [[entry.name, place] as const] : [])))
  let current: Round = { before: [], turns: new Map(), after: new Map() }
  const split = [current]
  let lastPlace = -1
  let lastRole: string | undefined
  for (const [index, item] of items.entries()) {
    const role = roleInRound(item, items[index + 1], places, rounds, quirks)
    if (role === undefined) {
      if (lastRole === undefined) current.before.push(item)
      else current.after.set(lastRole, [...(current.after.get(lastRole) ?? []), item])
      continue
    }
    const place = places.get(role)!
    if (place <= lastPlace) {
      current = { before: [], turns: new Map(), after: new Map() }
      split.push(current)
    }
    lastPlace = place
    lastRole = role
    if (!isLoose(item) && item.role === role) current.turns.set(role, item)
  }
  return split
}

/** The role of the round that an item belongs to; undefined for an item that is written in place. */
function roleInRound(
  item: Item,
  next: Item | undefined,
  places: ReadonlyMap<string, number>,
  { isWhole, countsFallbacks = false }: Rounds,
  quirks: Quirks,
): string | undefined {
  if (isLoose(item)) return undefined
  const { role, fallbackRole, standalone, fellBack } = item as AdaptedTurn
  if (!isWhole) return places.has(role) ? role : undefined
  if (standalone) return undefined
  // Document 001: a turn whose fallback role speaks next is written before it, without an empty answer in between. For API models the
  // reference counts it as a separate round.
  if (fellBack && !countsFallbacks && next && !isLoose(next) && next.role === role) return undefined
  if (places.has(role)) return role
  // For API models the reference counts a reserved role as its fallback role, and then loses its text.
  const lost = countsFallbacks && quirks.has('reserved-role-in-round') ? fallbackRole : undefined
  return lost !== undefined && places.has(lost) ? lost : undefined
}
