import type { Quirks } from '../../config/fidelity.ts'
import { type Item, isLoose, type Turn } from '../../conversation/conversation.ts'
import type { MetaTemplate, Role } from './read-meta-template.ts'

/** One round: which turn speaks for which role of the meta template, and what is said in between. */
export type Round = {
  before: Item[]
  turns: Map<string, Turn>
  /** Role → what is said after it that belongs to no role of the round: loose text, reserved roles. */
  after: Map<string, Item[]>
}

/**
 * Splits turns into rounds: a new one starts when a role does not come after the one before it in the meta template's
 * `round`. No turns at all are one empty round.
 */
export function splitRounds(items: readonly Item[], meta: MetaTemplate, quirks: Quirks): Round[] {
  const places = new Map(meta.round?.flatMap((entry, place) => ('name' in entry ? [[entry.name, place] as const] : [])))
  let current: Round = { before: [], turns: new Map(), after: new Map() }
  const rounds = [current]
  let lastPlace = -1
  let lastRole: string | undefined
  for (const [index, item] of items.entries()) {
    const role = roleInRound(item, items[index + 1], places, meta.api, quirks)
    if (role === undefined) {
      if (lastRole === undefined) current.before.push(item)
      else current.after.set(lastRole, [...(current.after.get(lastRole) ?? []), item])
      continue
    }
    const place = places.get(role)!
    if (place <= lastPlace) {
      current = { before: [], turns: new Map(), after: new Map() }
      rounds.push(current)
    }
    lastPlace = place
    lastRole = role
    if (!isLoose(item) && item.role === role) current.turns.set(role, item)
  }
  return rounds
}

/** The role of the round that an item speaks for; undefined for what is said where it stands. */
function roleInRound(
  item: Item,
  next: Item | undefined,
  places: ReadonlyMap<string, number>,
  api: boolean,
  quirks: Quirks,
): string | undefined {
  if (isLoose(item) || item.standalone) return undefined
  // Document 001: what falls back to a role that speaks next is said before it, without an empty answer in between. For API
  // models the reference counts it as a round of its own.
  if (item.fellBack && !api && next && !isLoose(next) && next.role === item.role) return undefined
  if (places.has(item.role)) return item.role
  // For API models the reference counts a reserved role as its fallback role, and then loses what it says.
  const lost = api && quirks.has('reserved-role-in-round') ? item.fallbackRole : undefined
  return lost !== undefined && places.has(lost) ? lost : undefined
}

/** The role that a turn outside the rounds speaks in. */
export function roleOf(turn: Turn, meta: MetaTemplate): Role {
  const role = meta.roles.get(turn.role)
  if (!role) throw new Error(`role ${turn.role} was not adapted`)
  return role
}
