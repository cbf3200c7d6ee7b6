import type { Format } from '@rolecall/core/internal/format'
import { type ConversationCase, type Feature, features, generateConversations } from './generate-conversations.ts'
import { type Group, groupByFeatures } from './group.ts'
import type { Loss } from './losses.ts'
import { type Write, writeConversation } from './write-conversation.ts'

/** How two formats compare on a conversation. */
export type ProofOutcome = 'same' | 'both-refuse' | 'different' | 'refused-by-second' | 'refused-by-first' | 'other-ids'

/** A class of conversations in which two formats differ, with an example. */
export type Difference = {
  outcome: Exclude<ProofOutcome, 'same' | 'both-refuse'>
  /** Describes the conversations. */
  conversations: string
  features: readonly Feature[]
  count: number
  why: string
  example: { messages: string; first: string; second: string }
}

/** Two formats compared over generated conversations. */
export type Proof = {
  /** Conversations rendered identically by both. */
  same: number
  /** Conversations rejected by both. */
  refused: number
  /** Conversations compared. */
  total: number
  /** Identical conversations also compared by token ids. */
  byIds: number
  /** Where the second renders something else or rejects the conversation. */
  losses: readonly Difference[]
  /** Where the first rejects what the second renders. */
  extras: readonly Difference[]
}

export type ProveOptions = {
  /** The token ids of a prompt without the common prefix; undefined compares bytes only. */
  idsOf?(format: Format, prompt: Extract<ReturnType<Format['render']>, { kind: 'completion' }>): readonly number[]
  /** The first format's layout: separates what the first does beyond its layout from what the second cannot express. */
  plain?: Write
  /** Selects the conversations; all by default. */
  isCompared?(one: ConversationCase): boolean
  /** Known reasons for differences. */
  known?: readonly Loss[]
}

type Compared = { one: ConversationCase; outcome: ProofOutcome; first: string; second: string; why: string }

/** Renders generated conversations in two formats and compares bytes and, with a tokenizer, token ids. */
export function proveSame(first: Format, second: Format, options: ProveOptions = {}): Proof {
  const all = generateConversations([...first.markers, ...second.markers])
  const cases = options.isCompared ? all.filter(options.isCompared) : all
  const compared = cases.map((one) => compare(first, second, one, options))
  const count = (outcome: ProofOutcome) => compared.filter((each) => each.outcome === outcome).length
  // Classes are separated from identical conversations only: other outcomes form their own classes.
  const differencesOf = (outcomes: readonly Difference['outcome'][]) =>
    outcomes.flatMap((outcome) => {
      const relevant = compared.filter((each) => each.outcome === outcome || each.outcome === 'same')
      const marked = relevant.map((each) => ({ item: each, features: each.one.features, is: each.outcome === outcome }))
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

function compare(first: Format, second: Format, one: ConversationCase, { idsOf }: ProveOptions): Compared {
  const [a, b] = [first, second].map((format) => writeConversation(format, one.conversation, one.want)) as [
    WrittenConversation,
    WrittenConversation,
  ]
  if ('refused' in a && 'refused' in b) return { one, outcome: 'both-refuse', first: '', second: '', why: '' }
  if ('refused' in a) return { one, outcome: 'refused-by-first', first: '', second: (b as Text).text, why: a.refused }
  if ('refused' in b) return { one, outcome: 'refused-by-second', first: a.text, second: '', why: b.refused }
  if (a.text !== b.text) return { one, outcome: 'different', first: a.text, second: b.text, why: '' }
  if (idsOf === undefined) return { one, outcome: 'same', first: a.text, second: b.text, why: '' }
  const [ids, others] = [idsOf(first, a.prompt), idsOf(second, b.prompt)]
  const isSame = ids.length === others.length && ids.every((id, index) => id === others[index])
  return { one, outcome: isSame ? 'same' : 'other-ids', first: ids.join(' '), second: others.join(' '), why: '' }
}

type WrittenConversation = ReturnType<typeof writeConversation>
type Text = Extract<WrittenConversation, { text: string }>

function describe({ features: names, items }: Group<Compared>, outcome: Difference['outcome'], options: ProveOptions): Difference {
  const example = items.toSorted((one, other) => one.first.length + one.second.length - (other.first.length + other.second.length))[0]!
  const shared = names.length === 0 ? example.one.features : names
  const reasons = (options.known ?? []).filter((loss) => loss.features.every((feature) => shared.includes(feature)))
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
  if (outcome === 'refused-by-second') return `it rejects them: ${why}`
  if (outcome === 'refused-by-first') return `the source rejects them: ${why}`
  if (outcome === 'other-ids') return 'the same text is tokenized differently'
  const isPlain = one.chat !== undefined && plain?.(one.chat, one.want) === first
  return isPlain ? 'the other language writes this differently' : 'the source does more here than write text around messages'
}

/** Excerpts of both texts from shortly before the first difference. */
export function excerpts(first: string, second: string): { first: string; second: string } {
  let at = 0
  while (at < Math.min(first.length, second.length) && first[at] === second[at]) at++
  const from = Math.max(0, at - 30)
  const cut = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, at + 50)}${text.length > at + 50 ? '…' : ''}`
  return { first: cut(first), second: cut(second) }
}
