import { dictEntries, dictGet, dictHas, type PyDict, pyStr } from '../../src/base/python/index.ts'
import type { PipelineVector, TemplateJson, TurnJson } from './vector.ts'

/** Input that has no prompt: Rolecall must refuse it. */
export class NotWritten extends Error {}

/** Text and token ids. */
type Words = readonly (string | readonly number[])[]
type Message = { role: string; content: unknown; [key: string]: unknown }
export type Spoken = { role: string; fallback?: string; words?: string; begin?: Words; end?: Words; generate?: boolean; message?: Message }
type Item = string | Spoken
export type Part = {
  kind: 'begin' | 'round' | 'end' | 'example' | 'chat'
  items: Item[]
  row: PyDict
  inside?: Part['kind']
  isOpen?: boolean
}
export type Said = { text: string } | { parts: readonly Part[] }

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

// ── the dataset's side ──────────────────────────────────────────────────────────────────────────────

type Examples = { text: string } | { parts: readonly (Part | string)[] }

/** The filled templates of a vector, before any meta template. */
export function saidIn(vector: PipelineVector): Said {
  const prompt = vector.promptTemplate ?? vector.iceTemplate
  if (!prompt) throw new NotWritten('there is no template')
  const row = maskedRow(vector)
  const examples = examplesOf(vector, prompt)
  if (prompt.messages !== undefined) return { parts: messageParts(vector, prompt, row, examples) }
  const template = bodyOf(prompt.template, vector.mode === 'gen' ? undefined : vector.label)
  const marks = marksOf(prompt, { keepsSeparator: vector.mode === 'ppl' && vector.remainSep === true })
  if (typeof template !== 'string') return { parts: dialogueParts(template, row, marks, examples) }
  if ('parts' in examples && prompt.ice_token && template.includes(prompt.ice_token)) throw new NotWritten('dialogues inside a string')
  return { text: fill(template, row, { ...marks, ice: 'text' in examples ? examples.text : '' }) }
}

/** The answer column is masked in generation. */
function maskedRow({ mode, outputColumn, entry, genFieldReplaceToken }: PipelineVector): PyDict {
  if (mode !== 'gen' || !outputColumn) return entry
  const mask = genFieldReplaceToken === undefined ? '' : (genFieldReplaceToken ?? 'None')
  const masked = dictEntries(entry).map(([name, value]) => [name, name === outputColumn ? mask : value] as const)
  return new Map(dictHas(entry, outputColumn) ? masked : [...masked, [outputColumn, mask]]) as PyDict
}

type Dialogue = Record<string, unknown>

function isDialogue(template: unknown): template is Dialogue {
  return isObject(template) && Object.keys(template).every((key) => ['begin', 'round', 'end'].includes(key))
}

function bodyOf(template: unknown, label: unknown): string | Dialogue {
  if (typeof template === 'string' || isDialogue(template)) return template
  if (!isObject(template)) throw new NotWritten('no template')
  const body = label === undefined ? Object.values(template)[0] : template[String(label)]
  if (typeof body !== 'string' && !isDialogue(body)) throw new NotWritten('no such label')
  return body
}

type Marks = {
  tokens: readonly string[]
  iceToken?: string
  sepToken?: string
  columns: Readonly<Record<string, string>>
  keepsSeparator: boolean
  removed?: string
}

function marksOf(template: TemplateJson, more: { keepsSeparator: boolean; removed?: string | undefined }): Marks {
  const columns = Object.fromEntries(Object.entries(template.column_token_map ?? {}).map(([column, token]) => [token, column]))
  const tokens = [template.ice_token, template.sep_token, ...Object.keys(columns)].filter((token): token is string => Boolean(token))
  return {
    tokens,
    columns,
    keepsSeparator: more.keepsSeparator,
    ...(template.ice_token ? { iceToken: template.ice_token } : {}),
    ...(template.sep_token ? { sepToken: template.sep_token } : {}),
    ...(more.removed ? { removed: more.removed } : {}),
  }
}

/** One pass over the template: what a value says is never looked at. */
function fill(
  text: string,
  row: PyDict,
  { tokens, iceToken, sepToken, columns, keepsSeparator, removed, ice = '' }: Marks & { ice?: string },
) {
  const literal = (own: string) => (removed ? own.replaceAll(removed, '') : own)
  const fields = (own: string) =>
    own
      .split(/(\{[^{}]*\})/)
      .map((piece, index) =>
        index % 2 === 1 && dictHas(row, piece.slice(1, -1)) ? pyStr(dictGet(row, piece.slice(1, -1))!) : literal(piece),
      )
      .join('')
  if (tokens.length === 0) return fields(text)
  const stretches = text.split(new RegExp(`(${tokens.map((token) => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`))
  return stretches
    .map((stretch, index) => {
      if (index % 2 === 0) return fields(stretch)
      if (stretch === iceToken) return ice
      if (stretch === sepToken) return keepsSeparator ? literal(stretch) : ''
      if (!dictHas(row, columns[stretch]!)) throw new NotWritten('no such column')
      return pyStr(dictGet(row, columns[stretch]!)!)
    })
    .join('')
}

function examplesOf(vector: PipelineVector, prompt: TemplateJson): Examples {
  const { iceTemplate, iceEntries, iceSeparator, iceEosToken, outputColumn, mode } = vector
  const isTurns = iceTemplate !== null && (iceTemplate.messages !== undefined || isDialogue(iceTemplate.template))
  const [separator, eos] = isTurns ? ['', ''] : [iceSeparator, iceEosToken]
  if (iceEntries.length === 0) return { text: eos }
  if (!iceTemplate) throw new NotWritten('examples without a template')
  // In generation the prompt's separator of context and answer disappears from the examples, too.
  const marks = marksOf(iceTemplate, { keepsSeparator: true, removed: mode === 'gen' ? (prompt.sep_token ?? undefined) : undefined })
  const written = iceEntries.map((row): string | Part => {
    if (Array.isArray(iceTemplate.messages)) return { kind: 'example', inside: 'chat', items: messagesIn(iceTemplate, row), row }
    const gold = outputColumn === null ? undefined : dictGet(row, outputColumn)
    if (gold === undefined) throw new NotWritten('an example without an answer')
    const body =
      isObject(iceTemplate.template) && !isDialogue(iceTemplate.template)
        ? bodyOf(iceTemplate.template, pyStr(gold))
        : bodyOf(iceTemplate.template, undefined)
    if (typeof body === 'string') return fill(body, row, marks)
    return { kind: 'example', items: listOf(body.round).map((item) => spoken(item, row, marks)), row }
  })
  if (typeof written[0] === 'string') {
    if (written.some((one) => typeof one !== 'string')) throw new NotWritten('strings and dialogues')
    return { text: written.join(separator) + eos }
  }
  const parts = written.flatMap((one) => [one, ...(separator === '' ? [] : [separator])])
  return { parts: isTurns ? parts : [...parts, eos] }
}

/** Text with the fields of a row, filled in one pass. */
export function fillOnce(text: string, row: PyDict): string {
  return fill(text, row, marksOf({}, { keepsSeparator: false }))
}

/** A turn of the dataset whose text is filled already. */
export function spokenItem(item: TurnJson): Spoken {
  return spoken(item, {}, marksOf({}, { keepsSeparator: false })) as Spoken
}

function spoken(item: string | TurnJson, row: PyDict, marks: Marks & { ice?: string }): Item {
  if (typeof item === 'string') return fill(item, row, marks)
  return {
    role: item.role ?? '',
    ...(item.fallback_role ? { fallback: item.fallback_role } : {}),
    ...(item.prompt === undefined ? {} : { words: fill(item.prompt, row, marks) }),
    ...(item.begin === undefined ? {} : { begin: wordsOf(item.begin) }),
    ...(item.end === undefined ? {} : { end: wordsOf(item.end) }),
    ...(item.generate === undefined ? {} : { generate: item.generate === true }),
  }
}

function dialogueParts(template: Dialogue, row: PyDict, marks: Marks, examples: Examples): Part[] {
  const parts: Part[] = []
  for (const kind of ['begin', 'round', 'end'] as const) {
    let items: Item[] = []
    const close = () => {
      if (items.length > 0) parts.push({ kind, items, row })
      items = []
    }
    const place = (item: string | TurnJson) => {
      if ('text' in examples) items.push(spoken(item, row, { ...marks, ice: examples.text }))
      else if (typeof item !== 'string') {
        if (marks.iceToken && item.prompt?.includes(marks.iceToken)) throw new NotWritten('dialogues inside a turn')
        items.push(spoken(item, row, marks))
      } else {
        for (const [index, stretch] of (marks.iceToken ? item.split(marks.iceToken) : [item]).entries()) {
          for (const example of index > 0 ? examples.parts : []) {
            if (typeof example === 'string') items.push(example)
            else {
              close()
              parts.push({ ...example, inside: example.inside ?? kind })
            }
          }
          if (stretch !== '') items.push(spoken(stretch, row, marks))
        }
      }
    }
    for (const item of listOf(template[kind])) place(item)
    close()
  }
  return parts
}

function messagesIn({ messages, format_variables: fills }: TemplateJson, row: PyDict): Spoken[] {
  return (messages as (string | Record<string, unknown>)[]).flatMap((message): Spoken[] => {
    if (typeof message === 'string') return []
    if ('expand_column' in message) {
      const value = dictGet(row, String(message.expand_column))
      return Array.isArray(value) ? value.map((one) => asSpoken(Object.fromEntries(dictEntries(one as PyDict)) as Message)) : []
    }
    return [asSpoken((fills === false ? message : { ...message, content: filledValue(message.content, row) }) as Message)]
  })
}

/** A content with its fields filled, in every string of a list of parts. */
function filledValue(value: unknown, row: PyDict): unknown {
  if (typeof value === 'string') return fillOnce(value, row)
  if (Array.isArray(value)) return value.map((item) => filledValue(item, row))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledValue(item, row)])) : value
}

function asSpoken(message: Message): Spoken {
  return { role: message.role, words: typeof message.content === 'string' ? message.content : '', message }
}

function messageParts(vector: PipelineVector, prompt: TemplateJson, row: PyDict, examples: Examples): Part[] {
  const { mode, outputColumn } = vector
  const given = prompt.messages as (string | Record<string, unknown>)[]
  const last = given.at(-1)
  // An answer that shows the masked column is left to the model.
  const shows = isObject(last) && last.role === 'assistant' && typeof last.content === 'string' && prompt.format_variables !== false
  const answers = mode === 'gen' && outputColumn !== null && shows && String(last.content).includes(`{${outputColumn}}`)
  const parts = (answers ? given.slice(0, -1) : given).flatMap((message): Part[] => {
    if (message === (prompt.ice_token ?? '</E>'))
      return 'parts' in examples ? examples.parts.filter((part) => typeof part !== 'string') : []
    const items = messagesIn({ ...prompt, messages: [message] }, row)
    return items.length === 0 ? [] : [{ kind: 'chat', items, row }]
  })
  if (parts.length === 0) throw new NotWritten('nothing to send')
  return parts
}

// ── the model's side ────────────────────────────────────────────────────────────────────────────────

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
  for (const [index, { kind, items, row, inside }] of parts.entries()) {
    const voiced = items.flatMap((item): Line[] => (typeof item !== 'string' ? [voice(item, names)] : api ? asUser(item, meta) : [item]))
    const filled = (line: Line): Line =>
      typeof line === 'string' || line.words !== undefined ? line : { ...line, ...defaultWords(meta, line.role, row) }
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
  if (!meta.round) throw new NotWritten('roles are needed')
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

// ── words ───────────────────────────────────────────────────────────────────────────────────────────

/** `begin` or `end`: text, or a list of strings and token ids. */
function wordsOf(affix: unknown): Words {
  if (affix === undefined) return []
  if (typeof affix === 'string') return affix === '' ? [] : [affix]
  if (Array.isArray(affix)) return affix.map((part) => (typeof part === 'number' ? [part] : String(part)))
  throw new NotWritten('neither text nor token ids')
}

function flatText(words: Words): string {
  return words.map((one) => (typeof one === 'string' ? one : String(one))).join('')
}

/** Text, or a list of texts and ids if there are ids. */
function joined(words: Words): unknown {
  const parts: (string | number[])[] = []
  for (const one of words) {
    const last = parts.at(-1)
    if (typeof one !== 'string') Array.isArray(last) ? last.push(...one) : parts.push([...one])
    else if (typeof last === 'string') parts[parts.length - 1] = last + one
    else if (one !== '') parts.push(one)
  }
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

function listOf(part: unknown): (string | TurnJson)[] {
  return part === undefined ? [] : ([part].flat() as (string | TurnJson)[])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
