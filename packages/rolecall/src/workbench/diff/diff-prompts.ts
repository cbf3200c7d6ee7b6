import type { Conversation } from '@rolecall/core/internal/conversation'
import { checkOptionsOf, isNumber } from '@rolecall/core/internal/errors'
import type { Prompt, Stop } from '@rolecall/core/internal/format'
import { alignTurns, withCommonKeys } from './align-turns.ts'
import { changeBetween, sayChange } from './change.ts'
import { type CutPrompt, cutPrompt, type Part } from './cut-prompt.ts'

/** One side of a pair: a prompt with its conversation and, if known, token ids; or the error. */
export type Side = { prompt: Prompt; conversation: Conversation; ids?: readonly number[] } | { refusal: string }

/** Two prompts of the same row or conversation. */
export type PromptPair = { name: string; first: Side; second: Side }

/** The kind of a difference: in format text, content, turns, or prompt settings. */
export type CauseKind = 'markup' | 'content' | 'left-out' | 'order' | 'refused' | 'bos' | 'stop' | 'tokens'

/** A reason why prompts differ, with example rows. */
export type Cause = {
  kind: CauseKind
  /** One sentence: where, and what changes. */
  text: string
  /** The number of affected pairs, of those in which it could occur. */
  count: number
  of: number
  examples: readonly { name: string; first: string; second: string }[]
}

/** How two formats differ over many conversations, grouped by cause. */
export type PromptDiff = {
  /** The number of pairs compared, and of those identical in bytes, stops and ids. */
  pairs: number
  same: number
  /** Pairs without a prompt on either side. */
  neither: number
  /** Most frequent first. */
  causes: readonly Cause[]
  /** Over all pairs with ids on both sides: the token counts, and the common prefix and suffix. */
  tokens?: { first: number; second: number; common: number; pairs: number }
}

/** A difference in one pair. `within` names what a pair must contain for the cause to be possible. */
type Sign = { kind: CauseKind; text: string; within: string; first: string; second: string }

/**
 * Compares prompts of the same conversations turn by turn and groups the differences by cause.
 *
 * @example
 * const chat = { messages: [{ role: 'user', content: 'Hi' }] }
 * const write = (format: string) => ({ prompt: renderChat(chat, format), conversation: readChat(chat) })
 * const { causes } = diffPrompts([{ name: 'hi', first: write('chatml'), second: write('internlm2') }])
 * causes.find(({ kind }) => kind === 'markup')?.text // => 'at the start, the second has "<s>" in addition'
 */
export function diffPrompts(pairs: readonly PromptPair[], options: { mostExamples?: number } = {}): PromptDiff {
  checkOptionsOf(options, { mostExamples: isNumber }, 'diffPrompts › options')
  const { mostExamples = 2 } = options
  const causes = new Map<string, { sign: Sign; names: Set<string>; examples: Cause['examples'][number][] }>()
  const places = new Map<string, number>()
  let same = 0
  let neither = 0
  for (const pair of pairs) {
    const { signs, within } = signsOf(pair)
    for (const place of new Set(within)) places.set(place, (places.get(place) ?? 0) + 1)
    if ('refusal' in pair.first && 'refusal' in pair.second) neither++
    else if (signs.length === 0) same++
    for (const sign of signs) {
      const key = `${sign.kind} ${sign.text}`
      const cause = causes.get(key) ?? { sign, names: new Set(), examples: [] }
      causes.set(key, cause)
      if (!cause.names.has(pair.name) && cause.examples.length < mostExamples)
        cause.examples.push({ name: pair.name, first: sign.first, second: sign.second })
      cause.names.add(pair.name)
    }
  }
  const described = [...causes.values()].map(({ sign, names, examples }): Cause => {
    const { kind, text, within } = sign
    return { kind, text, count: names.size, of: Math.max(names.size, places.get(within) ?? pairs.length), examples }
  })
  const tokens = countTokens(pairs)
  return { pairs: pairs.length, same, neither, causes: described.sort((a, b) => b.count - a.count), ...(tokens ? { tokens } : {}) }
}

const whole = 'a prompt'

function signsOf({ first, second }: PromptPair): { signs: Sign[]; within: string[] } {
  if ('refusal' in first || 'refusal' in second) return { signs: refusals(first, second), within: [] }
  const [one, other] = withCommonKeys(cutPrompt(first.prompt, first.conversation), cutPrompt(second.prompt, second.conversation))
  const found = textSigns(one, other)
  const beside = [...bosSigns(first.prompt, second.prompt), ...stopSigns(first.prompt, second.prompt)]
  const ids = one.text === other.text ? idSigns(first.ids, second.ids) : []
  return { signs: [...found.signs, ...beside, ...ids], within: [whole, 'at the start', ...found.within] }
}

function refusals(first: Side, second: Side): Sign[] {
  const [one, other] = [first, second].map((side) => ('refusal' in side ? side.refusal : undefined))
  if (one !== undefined && other !== undefined) return []
  const text = one === undefined ? `the second rejects it: ${other}` : `only the first rejects it: ${one}`
  return [{ kind: 'refused', text, within: 'every pair', first: one ?? '', second: other ?? '' }]
}

function textSigns(first: CutPrompt, second: CutPrompt): { signs: Sign[]; within: string[] } {
  const matched = alignTurns(first.parts, second.parts)
  const signs = [...lost(first, second, matched)]
  const within = [...first.parts, ...second.parts].map(({ role }) => role)
  for (const [one, other] of matched) {
    const [left, right] = [first.parts[one]!, second.parts[other]!]
    if (left.text !== right.text) signs.push(contentSign(left, right))
  }
  // Text between turns is comparable if both sides have the same two turns there.
  const ends: [number, number][] = [[-1, -1], ...matched, [first.parts.length, second.parts.length]]
  for (const [index, [one, other]] of ends.entries()) {
    const next = ends[index + 1]
    if (next === undefined || next[0] !== one + 1 || next[1] !== other + 1) continue
    const [left, right] = [first.joints[one + 1]!, second.joints[other + 1]!]
    const change = changeBetween(left, right)
    const isAtStart = one < 0 && change.start === 0 && (change.first === '' || change.second === '') && left !== right
    const place = isAtStart ? 'at the start' : placeOf(first.parts[one]?.role, first.parts[one + 1]?.role)
    within.push(place)
    if (left === right) continue
    signs.push({ kind: 'markup', text: `${place}, ${sayChange(change)}`, within: place, first: left, second: right })
  }
  return { signs, within }
}

function placeOf(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return after === undefined ? 'in the whole prompt' : `at the start, before ${after}`
  return after === undefined ? `at the end, after ${before}` : `between ${before} and ${after}`
}

/** Turns that only one side writes, or writes elsewhere. */
function* lost(first: CutPrompt, second: CutPrompt, matched: readonly (readonly [number, number])[]): Generator<Sign> {
  const kept = [new Set(matched.map(([one]) => one)), new Set(matched.map(([, other]) => other))] as const
  for (const [index, part] of first.parts.entries()) {
    if (kept[0].has(index)) continue
    const elsewhere = second.parts.find(({ key }) => key === part.key)
    if (elsewhere)
      yield {
        kind: 'order',
        text: `the ${part.role} text is in a different place`,
        within: part.role,
        first: first.text,
        second: second.text,
      }
    else yield { kind: 'left-out', text: `the second drops the ${part.role} text`, within: part.role, first: part.text, second: '' }
  }
  for (const [index, part] of second.parts.entries()) {
    if (kept[1].has(index) || first.parts.some(({ key }) => key === part.key)) continue
    yield { kind: 'left-out', text: `only the second writes the ${part.role} text`, within: part.role, first: '', second: part.text }
  }
}

/** A difference within a turn. Format text is quoted exactly; differences in data are described in general. */
function contentSign(first: Part, second: Part): Sign {
  const [left, right] = [first.text, second.text]
  const change = changeBetween(left, right)
  const sign = (what: string): Sign => ({ kind: 'content', text: what, within: first.role, first: left, second: right })
  if (left.trim() === right.trim()) {
    const [fewer, side] = left.length > right.length ? [right, 'the second'] : [left, 'the first']
    if (fewer === fewer.trim()) return sign(`whitespace around the ${first.role} text is stripped in ${side}`)
    return sign(`whitespace around the ${first.role} text differs`)
  }
  const isFormats = isOwnText(first, change.start, change.first.length) && isOwnText(second, change.start, change.second.length)
  return sign(isFormats ? `inside the ${first.role} turn, ${sayChange(change)}` : `the ${first.role} text differs`)
}

/** Whether a range of a turn was written by the format. */
function isOwnText({ pieces }: Part, start: number, length: number): boolean {
  let at = 0
  for (const { text, control, source } of pieces) {
    const touches = at < start + length && at + text.length > start
    if (touches && !control && source.by !== 'format') return false
    at += text.length
  }
  return true
}

function bosSigns(first: Prompt, second: Prompt): Sign[] {
  if (first.kind !== 'completion' || second.kind !== 'completion' || first.bos === second.bos) return []
  const text = `BOS: ${writers[first.bos]} in the first, ${writers[second.bos]} in the second`
  return [{ kind: 'bos', text, within: whole, first: first.bos, second: second.bos }]
}

const writers = { 'in-prompt': 'written by the format', tokenizer: 'added by the tokenizer', none: 'not added' } as const

function stopSigns(first: Prompt, second: Prompt): Sign[] {
  const [one, other] = [first, second].map(({ stop }) => [...new Set(stop.map(stopText))].sort().join(', '))
  if (one === other) return []
  const said = (stops: string | undefined) => stops || 'none'
  return [
    { kind: 'stop', text: `stops: ${said(one)} in the first, ${said(other)} in the second`, within: whole, first: one!, second: other! },
  ]
}

function stopText(stop: Stop): string {
  return 'id' in stop ? String(stop.id) : JSON.stringify('token' in stop ? stop.token : stop.text)
}

function idSigns(first: readonly number[] | undefined, second: readonly number[] | undefined): Sign[] {
  if (first === undefined || second === undefined) return []
  const at = first.findIndex((id, index) => id !== second[index])
  if (at < 0 && first.length === second.length) return []
  const from = at < 0 ? first.length : at
  const shown = (ids: readonly number[]) => ids.slice(from, from + 8).join(' ')
  return [{ kind: 'tokens', text: 'the same text has different token ids', within: whole, first: shown(first), second: shown(second) }]
}

function countTokens(pairs: readonly PromptPair[]): PromptDiff['tokens'] {
  const counted = pairs.flatMap(({ first, second }) =>
    'ids' in first && 'ids' in second && first.ids && second.ids
      ? [{ first: first.ids.length, second: second.ids.length, common: commonIds(first.ids, second.ids) }]
      : [],
  )
  if (counted.length === 0) return undefined
  const sum = (key: 'first' | 'second' | 'common') => counted.reduce((total, one) => total + one[key], 0)
  return { first: sum('first'), second: sum('second'), common: sum('common'), pairs: counted.length }
}

function commonIds(first: readonly number[], second: readonly number[]): number {
  const shortest = Math.min(first.length, second.length)
  let start = 0
  while (start < shortest && first[start] === second[start]) start++
  let end = 0
  while (end < shortest - start && first.at(-1 - end) === second.at(-1 - end)) end++
  return start + end
}
