import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyValue, parseJson } from '../../../base/python/index.ts'
import type { ToolCall } from '../../conversation/conversation.ts'
import type { Line } from '../adapt/script.ts'
import { emptyTurn, isResult, type Report, withFields, withText } from './ladder-lines.ts'
import type { TemplateRoles } from './template-roles.ts'

/** Calls in the form that the template writes: one at a time, with ids and arguments that it takes. */
export function adaptCalls(lines: readonly Line[], roles: TemplateRoles, hasTools: boolean, report: Report): Line[] {
  if (!lines.some(({ calls }) => calls?.length)) return [...lines]
  const split = splitCalls(lines, roles, hasTools, report)
  const whole = wrapArguments(split, roles, hasTools, report)
  return roles.callForm(hasTools)?.ids === 'short' ? shortIds(whole, report) : whole
}

function splitCalls(lines: readonly Line[], roles: TemplateRoles, hasTools: boolean, report: Report): Line[] {
  return splitParallel(
    lines.flatMap((line) => splitText(line, roles, hasTools, report)),
    roles,
    hasTools,
    report,
  )
}

/** A template that writes either text or calls gets them as two turns, with an empty turn of the user between them if it needs one. */
function splitText(line: Line, roles: TemplateRoles, hasTools: boolean, { notes }: Report): Line[] {
  const { calls, ...said } = line
  if (!calls?.length || !hasText(line) || roles.writes('U K T A U', hasTools)) return [line]
  const between = ['U A C T A U', 'U A V C T A U'].findIndex((chat) => roles.writes(chat, hasTools))
  if (between < 0) return [line]
  notes.push({
    code: 'calls-split',
    where: line.path,
    text: 'the template writes either text or calls of a turn, so they became two turns',
  })
  const text = withFields(said, { tool_calls: undefined })
  return [text, ...(between === 0 ? [] : [emptyTurn('user', line.path)]), withText(line, [])]
}

function hasText({ content = [] }: Line): boolean {
  return content.some((piece) => !('text' in piece) || piece.text.trim() !== '')
}

/** A template that writes one call in a turn gets parallel calls one after the other, each with its result. */
function splitParallel(lines: readonly Line[], roles: TemplateRoles, hasTools: boolean, { notes }: Report): Line[] {
  const placed: Line[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const { calls = [] } = line
    const results = lines.slice(at + 1, at + 1 + calls.length)
    const isSplit = calls.length > 1 && results.length === calls.length && results.every(isResult) && !roles.writes('U B T T', hasTools)
    if (!isSplit || !roles.writes('U C T C T', hasTools)) {
      placed.push(line)
      continue
    }
    notes.push({ code: 'calls-split', where: line.path, text: `${calls.length} parallel calls became turns, each with its result` })
    for (const [index, result] of results.entries()) {
      const own = withCalls(line, [index])
      placed.push(index === 0 ? own : withText(own, []), result)
    }
    at += results.length
  }
  return placed
}

/** A line with some of its calls. */
function withCalls(line: Line, numbers: readonly number[]): Line {
  const given = callsField(line)
  const calls = numbers.flatMap((number) => line.calls?.slice(number, number + 1) ?? [])
  return withFields({ ...line, calls }, { tool_calls: numbers.flatMap((number) => given.slice(number, number + 1)) })
}

function callsField({ message, extra }: Line): readonly PyValue[] {
  const field = message === undefined ? extra?.tool_calls : dictGet(message, 'tool_calls')
  return isList(field) ? field : []
}

/** Arguments that are no object, in an object, if the template refuses them otherwise. */
function wrapArguments(lines: readonly Line[], roles: TemplateRoles, hasTools: boolean, { notes }: Report): Line[] {
  return lines.map((line) => {
    const broken = (line.calls ?? []).filter(isBroken)
    const [first] = broken
    if (first === undefined || roles.writes('U X T', hasTools)) return line
    notes.push({
      code: 'arguments-wrapped',
      where: first.path,
      text: 'the arguments are not a JSON object, which the template requires: they became the value of "arguments"',
    })
    return mapCalls(line, (call, field) => (isBroken(call) ? withFunction(field, { arguments: { arguments: call.arguments } }) : field))
  })
}

function isBroken({ arguments: given }: ToolCall): boolean {
  if (typeof given !== 'string') return !isDict(given)
  try {
    return !isDict(parseJson(given))
  } catch {
    return true
  }
}

function mapCalls(line: Line, change: (call: ToolCall, field: PyValue) => PyValue): Line {
  const calls = line.calls ?? []
  return withFields(line, { tool_calls: callsField(line).map((field, index) => (calls[index] ? change(calls[index], field) : field)) })
}

function withFunction(field: PyValue, changed: Readonly<Record<string, PyValue>>): PyValue {
  if (!isDict(field)) return field
  const inner = dictGet(field, 'function')
  const place = isDict(inner) ? inner : field
  const entries = [...dictEntries(place).filter(([key]) => !Object.hasOwn(changed, key)), ...Object.entries(changed)]
  const replaced = dictFromEntries(entries)
  return place === field ? replaced : withEntries(field, { function: replaced })
}

function withEntries(field: PyValue, changed: Readonly<Record<string, PyValue>>): PyValue {
  if (!isDict(field)) return field
  return dictFromEntries([...dictEntries(field).filter(([key]) => !Object.hasOwn(changed, key)), ...Object.entries(changed)])
}

const short = /^[A-Za-z0-9]{9}$/

/** Ids of nine letters and digits, as some templates require: made from the given ones, so that they stay the same in every request. */
function shortIds(lines: readonly Line[], { notes }: Report): Line[] {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  const shortened = (id: string): string => {
    const known = ids.get(id)
    if (known !== undefined) return known
    let made = short.test(id) ? id : digest(id)
    for (let salt = 1; taken.has(made); salt++) made = digest(`${id} ${salt}`)
    ids.set(id, made)
    taken.add(made)
    return made
  }
  const open: string[] = []
  const changed = lines.map((line, number) => {
    if (line.calls?.length) {
      const own = line.calls.map(({ id }, index) => shortened(id ?? `call ${number} ${index}`))
      open.push(...own)
      const calls = line.calls.map((call, index) => ({ ...call, id: own[index]! }))
      return { ...mapCalls(line, (call, field) => withEntries(field, { id: own[line.calls!.indexOf(call)]! })), calls }
    }
    if (!isResult(line)) return line
    const callId = line.callId === undefined ? (open[0] ?? shortened('')) : shortened(line.callId)
    if (open.includes(callId)) open.splice(open.indexOf(callId), 1)
    return { ...withFields(line, { tool_call_id: callId }), callId }
  })
  const [first] = [...ids].filter(([id, made]) => id !== made)
  if (first !== undefined)
    notes.push({
      code: 'call-ids-rewritten',
      where: lines.find(({ calls }) => calls?.length)?.path ?? 'messages',
      text: 'the template takes only call ids of nine letters and digits, so others were replaced by such ids in calls and results',
    })
  return changed
}

/** Nine characters that depend on all of a text (FNV-1a, twice). */
function digest(text: string): string {
  const hash = (start: number) => {
    let value = start
    for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16777619) >>> 0
    return value.toString(36).padStart(7, '0')
  }
  return (hash(2166136261) + hash(84696351)).slice(-9)
}
