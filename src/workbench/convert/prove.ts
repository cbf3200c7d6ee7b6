import type { Format } from '../../prompt/format/format.ts'
import { type Case, type Feature, features, generateConversations } from './conversations.ts'
import { type Group, groupByFeatures } from './group.ts'
import type { Loss } from './losses.ts'
import { type Write, writeConversation } from './writer.ts'

/** How two formats compare on a conversation. */
export type Outcome = 'same' | 'both-refuse' | 'different' | 'refused-by-second' | 'refused-by-first' | 'other-ids'

/** A class of conversations in which two formats are not the same, with an example. */
export type Difference = {
  outcome: Exclude<Outcome, 'same' | 'both-refuse'>
  /** Which conversations, in words. */
  conversations: string
  features: readonly Feature[]
  count: number
  why: string
  example: { messages: string; first: string; second: string }
}

/** Two formats compared over generated conversations. */
export type Proof = {
  /** How many conversations were written by both, and alike. */
  same: number
  /** How many both refuse. */
  refused: number
  /** How many were compared. */
  total: number
  /** How many of the same were also compared by token ids. */
  byIds: number
  /** Where the second would write something else, or nothing. */
  losses: readonly Difference[]
  /** What the first refuses and the second writes. */
  extras: readonly Difference[]
}

export type ProveOptions = {
  /** The ids of what a format has written, without what stands in front of every conversation; undefined: bytes alone are compared. */
  idsOf?(format: Format, prompt: Extract<ReturnType<Format['render']>, { kind: 'completion' }>): readonly number[]
  /** What the layout of the first format writes: it tells what the first does beyond its layout from what the second cannot say. */
  plain?: Write
  /** Which conversations are compared; all of them by default. */
  isCompared?(one: Case): boolean
  /** Why differences are known to be. */
  known?: readonly Loss[]
}

type Compared = { one: Case; outcome: Outcome; first: string; second: string; why: string }

/** Writes generated conversations in two formats and compares them byte by byte, and by ids where there is a tokenizer. */
export function proveSame(first: Format, second: Format, options: ProveOptions = {}): Proof {
  const all = generateConversations([...first.markers, ...second.markers])
  const cases = options.isCompared ? all.filter(options.isCompared) : all
  const compared = cases.map((one) => compare(first, second, one, options))
  const count = (outcome: Outcome) => compared.filter((each) => each.outcome === outcome).length
  // A class is told from what is the same: what is not the same in another way is a class of its own.
  const differencesOf = (outcomes: readonly Difference['outcome'][]) =>
    outcomes.flatMap((outcome) => {
      const told = compared.filter((each) => each.outcome === outcome || each.outcome === 'same')
      const marked = told.map((each) => ({ item: each, features: each.one.features, is: each.outcome === outcome }))
      return groupByFeatures(marked).map((group) => describe(group, outcome, options))
    })
  return {
    same: count('same'),
    refused: count('both-refuse'),
    total: compared.length,
    byIds: options.idsOf === undefined ? 0 : count('same'),
    losses: differencesOf(['different', 'refused-by-second', 'other-ids']),
    extras: differencesOf(['refused-by-first']),
  }
}

function compare(first: Format, second: Format, one: Case, { idsOf }: ProveOptions): Compared {
  const [a, b] = [first, second].map((format) => writeConversation(format, one.conversation, one.want)) as [Written, Written]
  if ('refused' in a && 'refused' in b) return { one, outcome: 'both-refuse', first: '', second: '', why: '' }
  if ('refused' in a) return { one, outcome: 'refused-by-first', first: '', second: (b as Text).text, why: a.refused }
  if ('refused' in b) return { one, outcome: 'refused-by-second', first: a.text, second: '', why: b.refused }
  if (a.text !== b.text) return { one, outcome: 'different', first: a.text, second: b.text, why: '' }
  if (idsOf === undefined) return { one, outcome: 'same', first: a.text, second: b.text, why: '' }
  const [ids, others] = [idsOf(first, a.prompt), idsOf(second, b.prompt)]
  const isSame = ids.length === others.length && ids.every((id, index) => id === others[index])
  return { one, outcome: isSame ? 'same' : 'other-ids', first: ids.join(' '), second: others.join(' '), why: '' }
}

type Written = ReturnType<typeof writeConversation>
type Text = Extract<Written, { text: string }>

function describe({ features: names, items }: Group<Compared>, outcome: Difference['outcome'], options: ProveOptions): Difference {
  const example = items.toSorted((one, other) => one.first.length + one.second.length - (other.first.length + other.second.length))[0]!
  const told = names.length === 0 ? example.one.features : names
  const reasons = (options.known ?? []).filter((loss) => loss.features.every((feature) => told.includes(feature)))
  const closest = reasons.toSorted((one, other) => other.features.length - one.features.length)[0]
  return {
    outcome,
    conversations: names.length === 0 ? `such as: ${example.one.shown}` : names.map((name) => features[name]).join(', '),
    features: names,
    count: items.length,
    why: closest?.why ?? reasonOf(outcome, example, options),
    example: { messages: example.one.shown, ...excerpts(example.first, example.second) },
  }
}

function reasonOf(outcome: Difference['outcome'], { why, one, first }: Compared, { plain }: ProveOptions): string {
  if (outcome === 'refused-by-second') return `it refuses them: ${why}`
  if (outcome === 'refused-by-first') return `the source refuses them: ${why}`
  if (outcome === 'other-ids') return 'the same text is split into other tokens'
  const isPlain = one.chat !== undefined && plain?.(one.chat, one.want) === first
  return isPlain ? 'the other language writes this in another way' : 'the source does more here than write texts around messages'
}

/** Both texts from a little before the place where they part. */
export function excerpts(first: string, second: string): { first: string; second: string } {
  let at = 0
  while (at < Math.min(first.length, second.length) && first[at] === second[at]) at++
  const from = Math.max(0, at - 30)
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, at + 50)}${text.length > at + 50 ? '…' : ''}`
  return { first: cut(first), second: cut(second) }
}
