import type { PyDict } from '../../../packages/core/src/base/python/index.ts'
import { fillOnce, saidIn } from './promised-dialogue.ts'
import {
  flatText,
  isObject,
  joined,
  type Message,
  NotWritten,
  type Part,
  type Said,
  type Spoken,
  type Words,
  wordsOf,
} from './promised-words.ts'
import type { PipelineVector } from './vector.ts'

/**
 * What documents 000 to 002 promise for a vector, with data that is never a template and no text lost. Written independently of the
 * library, to check its default where that differs from OpenCompass. Configs are taken to be sound; refusals are rules of their own.
 */
export function promisedPrompt(vector: PipelineVector): unknown {
  return writePrompt(saidIn(vector), vector)
}

export function writePrompt(said: Said, { metaTemplate, model, mode }: Pick<PipelineVector, 'metaTemplate' | 'model' | 'mode'>): unknown {
  const meta = metaOf(metaTemplate)
  const asked = mode === 'gen'
  if (model === 'api') return apiMessages(said, metaTemplate, meta, asked)
  if (Array.isArray(metaTemplate) && metaTemplate.length > 0) throw new NotWritten('a list of messages is for API models')
  if (!meta) return joined(['text' in said ? said.text : plainText(said.parts)])
  const [begin, end] = [wordsOf(meta.begin), wordsOf(meta.end)]
  if ('text' in said) return joined(meta.round ? [said.text] : [...begin, said.text, ...end])
  if (!meta.round) {
    const { parts, next } = untilMarked(said.parts, asked)
    return joined([...begin, plainText(parts), ...(next ? wordsOf(next.begin) : end)])
  }
  const { lines, next } = linesOf(said.parts, meta, { asked, api: false })
  const written = lines.flatMap((line): Words => (typeof line === 'string' ? [line] : spokenWords(line, meta)))
  return joined([...begin, ...written, ...(next === undefined ? end : next)])
}

type Role = { role: string; begin?: unknown; end?: unknown; prompt?: string; generate?: boolean; api_role?: string }
type Meta = { begin?: unknown; end?: unknown; round?: readonly (string | Role)[]; reserved_roles?: readonly Role[] }

function metaOf(given: unknown): Meta | undefined {
  return isObject(given) && Object.keys(given).length > 0 ? (given as Meta) : undefined
}

function rolesOf(meta: Meta): Role[] {
  return [...(meta.round ?? []), ...(meta.reserved_roles ?? [])].filter((role): role is Role => typeof role !== 'string')
}

const sameSpeaker: Readonly<Record<string, string>> = {
  HUMAN: 'user',
  BOT: 'assistant',
  SYSTEM: 'system',
  user: 'HUMAN',
  assistant: 'BOT',
  system: 'SYSTEM',
}

type Voiced = Spoken & { fell?: true; alone?: true }

/** `role` is looked up, else `fallback_role` speaks. */
function voice(item: Spoken, names: readonly string[]): Voiced {
  const { role, fallback } = item
  if (names.includes(role)) return item
  if (fallback !== undefined && names.includes(fallback)) return { ...item, role: fallback, fell: true }
  if (names.includes(sameSpeaker[role] ?? '')) return { ...item, role: sameSpeaker[role]! }
  if (fallback !== undefined && names.includes(sameSpeaker[fallback] ?? '')) return { ...item, role: sameSpeaker[fallback]!, fell: true }
  throw new NotWritten(`no role ${role}`)
}

type Line = string | Voiced
type Asked = { asked: boolean; api: boolean }

/** The lines of a dialogue; `next` is what stands before the reply, if a role is the model's. */
function linesOf(parts: readonly Part[], meta: Meta, { asked, api }: Asked): { lines: Line[]; next?: Words } {
  const names = rolesOf(meta).map(({ role }) => role)
  const lastRound = parts.findLastIndex(({ kind }) => kind === 'round')
  const lastChat = parts.findLastIndex(({ kind, inside }) => kind === 'chat' || inside === 'chat')
  const lines: Line[] = []
  for (const [index, { kind, items, row, inside, isAbsent }] of parts.entries()) {
    const voiced = items.flatMap((item): Line[] => (typeof item !== 'string' ? [voice(item, names)] : api ? asUser(item, meta) : [item]))
    const filled = (line: Line): Line =>
      typeof line === 'string' || line.words !== undefined ? line : { ...line, ...defaultWords(meta, line.role, row) }
    if (isAbsent) continue
    if (kind === 'begin' || kind === 'end' || kind === 'chat' || inside === 'chat') lines.push(...voiced.map(filled))
    else {
      if (inside === 'round') throw new NotWritten('examples inside the round')
      const said = roundLines(voiced, meta, { row, asked: asked && index === lastRound, api }, filled)
      lines.push(...said.lines)
      if (said.next !== undefined) return { lines, next: said.next }
    }
    const generating = rolesOf(meta).find(({ generate }) => generate)
    if (asked && lastRound < 0 && index === lastChat && generating) return { lines, next: wordsOf(generating.begin) }
  }
  const own = rolesOf(meta).find(({ generate }) => generate)
  if (asked && own && parts.some(({ isAbsent }) => isAbsent)) {
    const last = lines.at(-1)
    const speaks = typeof last === 'object' && last.role === own.role ? last : undefined
    return { lines: speaks ? lines.slice(0, -1) : lines, next: speaks?.begin ?? wordsOf(own.begin) }
  }
  return { lines }
}

/** Text without a role is the user's; blank text separates nothing between messages. */
function asUser(text: string, meta: Meta): Voiced[] {
  if (text.trim() === '') return []
  const user = rolesOf(meta).find(({ api_role: role }) => role === 'HUMAN' || role === 'user')
  if (!user) throw new NotWritten('no user')
  return [{ role: user.role, words: text, alone: true }]
}

/** Rounds in the order of the meta template: each is complete, and what belongs to no role of it stays where it was written. */
function roundLines(
  items: readonly Line[],
  meta: Meta,
  { row, asked, api }: Asked & { row: PyDict },
  filled: (line: Line) => Line,
): { lines: Line[]; next?: Words } {
  const order = meta.round!
  const placeOf = (name: string) => order.findIndex((entry) => typeof entry !== 'string' && entry.role === name)
  type Round = { before: Line[]; turns: Map<string, Voiced>; after: Map<string, Line[]> }
  const rounds: Round[] = [{ before: [], turns: new Map(), after: new Map() }]
  let last: string | undefined
  for (const [index, item] of items.entries()) {
    const round = rounds.at(-1)!
    const next = items[index + 1]
    const beside =
      typeof item === 'string' ||
      item.alone ||
      placeOf(item.role) < 0 ||
      // A turn that fell back to the role that speaks next is written before it.
      (item.fell && !api && next !== undefined && typeof next !== 'string' && next.role === item.role)
    if (beside) {
      if (last === undefined) round.before.push(item)
      else round.after.set(last, [...(round.after.get(last) ?? []), item])
    } else if (last !== undefined && placeOf(item.role) <= placeOf(last)) {
      rounds.push({ before: [], turns: new Map([[item.role, item]]), after: new Map() })
      last = item.role
    } else {
      round.turns.set(item.role, item)
      last = item.role
    }
  }
  const lines: Line[] = []
  for (const [index, { before, turns, after }] of rounds.entries()) {
    lines.push(...before.map(filled))
    for (const entry of order) {
      if (typeof entry === 'string') {
        lines.push(entry)
        continue
      }
      const turn = turns.get(entry.role)
      if (asked && index === rounds.length - 1 && (turn?.generate ?? entry.generate === true))
        return { lines, next: turn?.begin ?? wordsOf(entry.begin) }
      lines.push(filled(turn ?? { role: entry.role, ...defaultWords(meta, entry.role, row) }), ...(after.get(entry.role) ?? []).map(filled))
    }
  }
  return { lines }
}

/** A default prompt of the meta template follows the format of prompt templates. */
function defaultWords(meta: Meta, role: string, row: PyDict): { words?: string } {
  const prompt = rolesOf(meta).find((one) => one.role === role)?.prompt
  return prompt === undefined ? {} : { words: fillOnce(prompt, row) }
}

function spokenWords(line: Voiced, meta: Meta): Words {
  const role = rolesOf(meta).find(({ role: name }) => name === line.role)
  return [...(line.begin ?? wordsOf(role?.begin)), line.words ?? '', ...(line.end ?? wordsOf(role?.end))]
}

/** Without a meta template each turn is begin, prompt, end; turns are joined by newlines, and what says nothing adds nothing. */
function plainText(parts: readonly Part[]): string {
  let text = ''
  for (const [index, item] of parts.flatMap(({ items }) => items).entries()) {
    const own = typeof item === 'string' ? item : flatText([...(item.begin ?? []), item.words ?? '', ...(item.end ?? [])])
    if (own !== '') text += (index > 0 ? '\n' : '') + own
  }
  return text
}

/** A meta template without a round has no role of the model: only a turn that the dataset marks is its own. */
function untilMarked(parts: readonly Part[], asked: boolean): { parts: readonly Part[]; next?: Spoken } {
  const last = parts.findLastIndex(({ kind }) => kind === 'round')
  const marked = parts[last]?.items.findLastIndex((item) => typeof item !== 'string' && item.generate === true) ?? -1
  if (!asked || marked < 0) return { parts }
  const { items, ...part } = parts[last]!
  return { parts: [...parts.slice(0, last), { ...part, items: items.slice(0, marked) }], next: items[marked] as Spoken }
}

function apiMessages(said: Said, given: unknown, meta: Meta | undefined, asked: boolean): unknown[] {
  if ('text' in said) return [{ role: 'user', content: said.text }]
  const isChat = said.parts.every(({ kind, inside }) => kind === 'chat' || inside === 'chat')
  const messages = said.parts.flatMap(({ items }) => items.map((item) => ({ ...(item as Spoken).message! })))
  if (isChat && Array.isArray(given)) return mergedMessages(given as Message[], messages)
  if (isChat) return [...(meta ? beginMessages(meta) : []), ...messages]
  if (Array.isArray(given) && given.length > 0) throw new NotWritten('a dialogue cannot be merged with messages')
  if (!meta) return [{ role: 'user', content: plainText(said.parts) }]
  if (!meta.round) return [{ role: 'user', content: flatText([...wordsOf(meta.begin), plainText(said.parts), ...wordsOf(meta.end)]) }]
  const { lines, next } = linesOf(said.parts, meta, { asked, api: true })
  const spokenLines = lines.map((line) => ({
    role: apiRole(meta, (line as Voiced).role),
    content: flatText(spokenWords(line as Voiced, meta)),
  }))
  if (spokenLines.length === 0) throw new NotWritten('nothing to send')
  const joinedLines: Message[] = []
  for (const line of spokenLines) {
    const last = joinedLines.at(-1)
    if (last?.role === line.role) last.content = `${String(last.content)}\n${line.content}`
    else joinedLines.push(line)
  }
  const end = flatText(wordsOf(meta.end))
  return [...beginMessages(meta), ...joinedLines, ...(next !== undefined || end === '' ? [] : [{ role: 'user', content: end }])]
}

function apiRole(meta: Meta, name: string): string {
  const role = rolesOf(meta).find((one) => one.role === name)?.api_role ?? name
  return ['HUMAN', 'BOT', 'SYSTEM'].includes(role) ? sameSpeaker[role]! : role
}

function beginMessages(meta: Meta): Message[] {
  return (meta.begin ? [meta.begin].flat() : []).map((entry): Message => {
    if (typeof entry === 'string') return { role: 'user', content: entry }
    const { role, prompt, api_role: own } = entry as Role
    return { role: own ? apiRole({ round: [{ role, api_role: own }] }, role) : apiRole(meta, role), content: prompt ?? '' }
  })
}

/** Entries of the same role are joined; a role that the prompt lacks from here on is inserted. */
function mergedMessages(meta: readonly Message[], messages: readonly Message[]): Message[] {
  const merged: Message[] = []
  let rest = [...messages]
  for (const addition of meta) {
    const at = rest.findIndex(({ role }) => role === addition.role)
    if (at < 0) merged.push({ role: addition.role, content: addition.content })
    else {
      merged.push(...rest.slice(0, at), { ...rest[at]!, content: `${String(addition.content)}${String(rest[at]!.content)}` })
      rest = rest.slice(at + 1)
    }
  }
  return [...merged, ...rest]
}
