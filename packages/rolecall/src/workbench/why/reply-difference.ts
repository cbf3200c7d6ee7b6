import type { WhyRow } from './why-row.ts'

/** How the replies of a row differ: not at all, only in where the reasoning stands, or in their text. */
export type ReplyDifference = 'same' | 'reasoning channel' | 'text'

/** `isSameMetric`: both sides read answers by the same metric and filter. */
export function replyDifference(first: WhyRow, second: WhyRow, isSameMetric = true): ReplyDifference {
  // A side has only the extracted answer: that is all that can be compared.
  if (first.isExtracted !== second.isExtracted || (first.isExtracted && isSameMetric)) return first.pred === second.pred ? 'same' : 'text'
  const isSameText = first.reply === second.reply && (first.reasoning ?? '') === (second.reasoning ?? '')
  const isSameChannel = channelOf(first) === channelOf(second)
  if (isSameText && isSameChannel) return 'same'
  const [one, other] = [separated(first), separated(second)]
  const isSameReply = one.reply === other.reply && one.reasoning === other.reasoning
  return isSameReply && !isSameChannel ? 'reasoning channel' : 'text'
}

/** Where the reasoning of a reply stands. */
function channelOf({ reply = '', reasoning = '', reasoningIn = 'field' }: WhyRow): string {
  if (reasoning !== '') return reasoningIn
  return /^\s*<think>/.test(reply) ? 'tags' : reply.includes('</think>') ? 'end tag' : 'none'
}

/** Reply and reasoning, wherever the tool put it: `<think>…</think>` in the text, `…</think>` without a start, or a field. */
function separated({ reply = '', reasoning = '' }: WhyRow): { reply: string; reasoning: string } {
  const [, thought, rest] = /^\s*(?:<think>)?([\s\S]*?)<\/think>([\s\S]*)$/.exec(reply) ?? []
  if (rest === undefined) return { reply: reply.trim(), reasoning: reasoning.trim() }
  return { reply: rest.trim(), reasoning: `${reasoning}${thought}`.trim() }
}

/** Whether one reply is the start of the other: it was cut. */
export function isCut(first: WhyRow, second: WhyRow): boolean {
  const [one, other] = [whole(first), whole(second)]
  return one !== other && (one.startsWith(other) || other.startsWith(one))
}

/** Reasoning and reply as one text, wherever the reasoning stands. */
function whole(row: WhyRow): string {
  const { reply, reasoning } = separated(row)
  return `${reasoning}\n${reply.replace(/^\s*<think>\s*/, '')}`.trim()
}

/** What ended the shorter of two replies, one of which starts with the other, by the records: its limit of tokens, or a stop string that follows. */
export function cutBy(first: WhyRow, second: WhyRow, recorded: readonly [unknown, unknown]): 'max tokens' | 'stop strings' | undefined {
  if (!isCut(first, second)) return undefined
  const isFirst = whole(first).length < whole(second).length
  const [short, long] = isFirst ? [first, second] : [second, first]
  if (short.finish === 'length' && long.finish !== 'length') return 'max tokens'
  const given = recorded[isFirst ? 0 : 1]
  const rest = (long.reply ?? '').slice((short.reply ?? '').trimEnd().length)
  const stops = Array.isArray(given) ? given.filter((stop): stop is string => typeof stop === 'string' && stop !== '') : []
  // The tool that separated the reasoning dropped the blank line after it.
  if (endsAtReasoning(short, long)) return stops.some((stop) => stop.trim() === '') ? 'stop strings' : undefined
  const isStop = stops.some((stop) => rest.startsWith(stop)) && (long.reply ?? '').startsWith((short.reply ?? '').trimEnd())
  return isStop ? 'stop strings' : undefined
}

function endsAtReasoning(short: WhyRow, long: WhyRow): boolean {
  const [one, other] = [separated(short), separated(long)]
  return channelOf(short) !== channelOf(long) && one.reply === '' && one.reasoning !== '' && one.reasoning === other.reasoning
}

const refusal =
  /^(?:i(?:['’]m| am) (?:sorry|unable)|sorry,|i (?:can(?:['’]|no)t|am not able)|unfortunately, i can|抱歉|很抱歉|对不起|我无法|我不能)/i

/** What is special about a reply, to show beside the cause. */
export function replyTags({ reply, finish, reasoning = '' }: WhyRow): ReplyTag[] {
  if (reply === undefined) return ['no reply']
  const text = reply.trim()
  return [
    ...(finish === 'length' ? (['cut'] as const) : []),
    ...(text === '' ? (['empty'] as const) : []),
    ...(reasoning === '' && /<think>|<\/think>/.test(text) ? (['reasoning in the reply'] as const) : []),
    ...(refusal.test(text) ? (['refusal'] as const) : []),
  ]
}

type ReplyTag = 'no reply' | 'cut' | 'empty' | 'reasoning in the reply' | 'refusal'

const oddReplies: readonly { tag: ReplyTag; cause: string; detail: string }[] = [
  { tag: 'empty', cause: 'empty replies', detail: 'the reply of one side is empty' },
  { tag: 'refusal', cause: 'refusals', detail: 'one side refuses to answer' },
  { tag: 'cut', cause: 'cut replies', detail: 'the reply of one side ended at its token limit' },
]

/** What is special about the reply of one side only. */
export function oddReply(first: WhyRow, second: WhyRow): { cause: string; detail: string } | undefined {
  const [tags, others] = [replyTags(first), replyTags(second)]
  const odd = oddReplies.find(({ tag }) => tags.includes(tag) !== others.includes(tag))
  if (odd || isUnfinished(first) === isUnfinished(second)) return odd
  return { cause: 'unfinished reasoning', detail: 'the reply of one side ends inside its reasoning' }
}

function isUnfinished({ reply = '' }: WhyRow): boolean {
  return /^\s*<think>/.test(reply) && !reply.includes('</think>')
}
