import type { Block, JsonBody, Span, TaggedBody, TaggedParameter } from '../../parse/syntax.ts'
import { endOfObject, groups, marksIn, samePrefix, sameSuffix } from './marks.ts'
import { callProbe, callsProbe, numbersProbe, type Probe, words } from './probes.ts'
import type { Turn } from './thought-span.ts'
import type { ProbeWriter } from './write-probe.ts'

/** Where one call stands in what a template wrote: from its first to behind its last character, between its marks. */
type Core = { from: number; to: number }

/** How calls are written; `rest` is what follows the last of them. */
export type CallShape = { blocks: Block[]; sections: Span[]; rest: string }

const [alpha, beta] = words.tools
const [keyOne, keyTwo] = words.keys
const [valueOne, valueTwo] = words.values

/** Reads from a call, and from two, how a template writes calls; undefined where it writes none, or in no known way. */
export function readCallShape(writer: ProbeWriter, { header, span }: Turn): CallShape | undefined {
  const replyOf = (probe: Probe) => withoutThought(writtenBehind(writer, probe, header), span)
  let one = replyOf(callProbe)
  if (one !== undefined && !one.includes(alpha)) {
    writer.habits.idsHoldNames = true
    one = replyOf(callProbe)
  }
  if (!one?.includes(alpha) || !one.includes(valueOne)) return undefined
  const two = replyOf(callsProbe)
  const both = two?.includes(alpha) && two.includes(beta) ? two : undefined
  return (
    readJson(writer, one, both) ??
    readNamed(writer, one, both) ??
    readPython(one) ??
    readQuoted(one, both) ??
    readTagged(one, both, quotesTexts(writer))
  )
}

/** What the model would have written behind the header. */
function writtenBehind(writer: ProbeWriter, probe: Probe, header: string): string | undefined {
  const complete = writer.write(probe)?.complete
  if (complete === undefined) return undefined
  const from = complete.indexOf(words.question) + words.question.length
  const last = marksIn(header).at(-1)
  const tail = (last ? header.slice(last.at) : header).trim()
  const at = complete.indexOf(tail, from)
  return complete.slice(at < 0 ? from : at + tail.length)
}

/** Without the empty thought that some templates write before a call. */
function withoutThought(reply: string | undefined, span: Span | undefined): string | undefined {
  if (reply === undefined || span === undefined) return reply
  let rest = reply.trimStart()
  if (rest.startsWith(span.open)) rest = rest.slice(span.open.length).trimStart()
  return rest.startsWith(span.close) ? rest.slice(span.close.length) : reply
}

/** A JSON object with name and arguments. */
function readJson(writer: ProbeWriter, one: string, two: string | undefined): CallShape | undefined {
  const inner = objectWith(one, alpha)
  if (inner === undefined) return undefined
  const id = writer.callId(alpha, 0)
  const body = jsonBody(JSON.parse(one.slice(inner.from, inner.to)) as Record<string, unknown>, id)
  if (body === undefined) return undefined
  const outer = objectAround(one, inner, id)
  const core = outer?.core ?? inner
  if (outer) Object.assign(body, outer.more)
  const coreOf = (text: string, word: string): Core | undefined => {
    const found = objectWith(text, word)
    return found && outer ? objectAround(text, found, writer.callId(word, word === alpha ? 0 : 1))?.core : found
  }
  const first = two === undefined ? undefined : coreOf(two, alpha)
  const second = two === undefined || first === undefined ? undefined : coreOf(two, beta)
  const before = one.slice(0, core.from)
  const after = one.slice(core.to)
  const middle = two !== undefined && first && second ? two.slice(first.to, second.from) : undefined
  if (before.trimEnd().endsWith('[') && after.trimStart().startsWith(']')) {
    const open = before.slice(0, before.lastIndexOf('[')).trim()
    return framed(open, after.slice(after.indexOf(']') + 1), { json: { ...body, list: true } })
  }
  if (middle !== undefined && /^[\s,;]*$/u.test(middle))
    return framed(before.trim(), after, { json: { ...body, several: true, separator: middle.trim() || ';' } })
  return between(before, middle, after, { json: body })
}

function jsonBody(object: Record<string, unknown>, id: string): JsonBody | undefined {
  const name = Object.keys(object).find((key) => object[key] === alpha)
  const given = Object.keys(object).find((key) => isArguments(object[key]) || isArguments(readText(object[key])))
  if (name === undefined) return given === alpha ? { name: null, arguments: [] } : undefined
  if (given === undefined) return undefined
  const idKey = Object.keys(object).find((key) => object[key] === id)
  const asText = typeof object[given] === 'string' ? { asText: true as const } : {}
  return { name, arguments: [given], ...(idKey === undefined ? {} : { id: idKey }), ...asText }
}

/** What a text holds that is JSON. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** The object that holds a call's id, and under one of its keys the object of name and arguments. */
function objectAround(text: string, inner: Core, id: string): { core: Core; more: Pick<JsonBody, 'inside' | 'id'> } | undefined {
  const from = text.lastIndexOf('{', inner.from - 1)
  const to = inner.from === 0 || from < 0 ? undefined : endOfObject(text, from)
  if (to === undefined || to < inner.to) return undefined
  const value = readText(text.slice(from, to)) as Record<string, unknown> | undefined
  const inside =
    value && Object.keys(value).find((key) => JSON.stringify(value[key]) === JSON.stringify(readText(text.slice(inner.from, inner.to))))
  const idKey = value && Object.keys(value).find((key) => value[key] === id)
  if (inside === undefined) return undefined
  return { core: { from, to }, more: { inside, ...(idKey === undefined ? {} : { id: idKey }) } }
}

function isArguments(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as Record<string, unknown>)[keyOne] === valueOne
}

/** The innermost object that says the word on its first level. */
function objectWith(text: string, word: string): Core | undefined {
  for (let from = text.lastIndexOf('{', text.indexOf(word)); from >= 0; from = text.lastIndexOf('{', from - 1)) {
    const to = endOfObject(text, from)
    try {
      const value = JSON.parse(text.slice(from, to)) as Record<string, unknown>
      if (value[word] !== undefined || Object.values(value).includes(word)) return { from, to: to! }
    } catch {
      // An opening brace that is no JSON: the next one may be.
    }
    if (from === 0) break
  }
  return undefined
}

/** The arguments' own object, behind the name. */
function argumentsAfter(text: string, name: string): Core | undefined {
  const at = text.indexOf(name)
  const from = text.indexOf('{', at)
  const to = at < 0 || from < 0 ? undefined : endOfObject(text, from)
  if (to === undefined) return undefined
  try {
    const value = JSON.parse(text.slice(from, to)) as Record<string, unknown>
    return value[keyOne] === undefined ? undefined : { from, to }
  } catch {
    return undefined
  }
}

/** The name as text, then its arguments as JSON. */
function readNamed(writer: ProbeWriter, one: string, two: string | undefined): CallShape | undefined {
  const core = argumentsAfter(one, alpha)
  if (core === undefined) return undefined
  const id = writer.callId(alpha, 0)
  const nameAt = one.indexOf(alpha)
  const gap = one.slice(nameAt + alpha.length, core.from)
  const before = one.slice(0, nameAt)
  const after = one.slice(core.to)
  const first = two === undefined ? undefined : argumentsAfter(two, alpha)
  const middle = two === undefined || first === undefined ? undefined : two.slice(first.to, two.indexOf(beta))
  if (/^:\d+/u.test(gap)) {
    const separator = gap.replace(/^:\d+/u, '').trim()
    const frame = (text: string | undefined) => text?.replace(/functions\.$/u, '')
    return between(frame(before)!, frame(middle), after, { named: { separator, indexed: true } })
  }
  const idAt = before.lastIndexOf(id)
  if (idAt >= 0) {
    const nameAfter = before.slice(idAt + id.length).trim()
    const cut = middle === undefined ? undefined : middle.slice(0, middle.lastIndexOf(writer.callId(beta, 1)))
    return between(before.slice(0, idAt), cut, after, { named: { separator: gap.trim() || '\n', nameAfter } })
  }
  const idInGap = gap.indexOf(id)
  if (idInGap >= 0) {
    const named = { separator: gap.slice(idInGap + id.length).trim(), id: gap.slice(0, idInGap).trim() }
    return between(before, middle, after, { named })
  }
  return between(before, middle, after, { named: { separator: gap.trim() || '\n' } })
}

/** `name(key=value)`, alone or in a list. */
function readPython(one: string): CallShape | undefined {
  const nameAt = one.indexOf(alpha)
  if (!new RegExp(`^${alpha}\\(\\s*${keyOne}\\s*=`, 'u').test(one.slice(nameAt))) return undefined
  const before = one.slice(0, nameAt).trimEnd()
  const close = one.indexOf(')', one.indexOf(valueTwo))
  const isList = before.endsWith('[')
  const after = isList ? one.slice(one.indexOf(']', close) + 1) : one.slice(close + 1)
  const open = isList ? before.slice(0, -1).trim() : before.trim()
  if (open === '' && !isList) return undefined
  return framed(open, after, { python: { list: isList } })
}

/** `call:name{key:<|"|>value<|"|>}`. */
function readQuoted(one: string, two: string | undefined): CallShape | undefined {
  const nameAt = one.indexOf(alpha)
  const quote = new RegExp(`^${alpha}\\{${keyOne}:(\\S+?)${valueOne}\\1[,}]`, 'u').exec(one.slice(nameAt))?.[1]
  if (quote === undefined) return undefined
  const before = one.slice(0, nameAt)
  const last = marksIn(before).at(-1)
  const prefix = last ? before.slice(last.at + last.text.length).trim() : ''
  const end = one.indexOf('}', one.indexOf(valueTwo)) + 1
  const middle = two?.slice(two.indexOf('}', two.indexOf(valueTwo)) + 1, two.indexOf(beta))
  const cut = (text: string) => text.slice(0, text.length - (text.length - text.lastIndexOf(prefix)))
  const frame = prefix === '' ? before : cut(before)
  return between(frame, middle === undefined || prefix === '' ? middle : cut(middle), one.slice(end), { quoted: { prefix, quote } })
}

/** Whether values are JSON, so that quotes stand around texts and not around numbers. */
function quotesTexts(writer: ProbeWriter): boolean {
  const written = writer.write(numbersProbe)?.reply ?? ''
  return /"qz"/u.test(written) && /[^"\d]42[^"\d]/u.test(written)
}

/** Each argument between marks of its own. */
function readTagged(given: string, both: string | undefined, isJson: boolean): CallShape | undefined {
  const unquoted = (text: string) => text.replace(/"(qzVal\w{3})"/gu, '$1')
  const [one, two] = isJson ? [unquoted(given), both && unquoted(both)] : [given, both]

  const at = [alpha, keyOne, valueOne, keyTwo, valueTwo].map((word) => one.indexOf(word))
  if (at.some((place, index) => place < 0 || (index > 0 && place < at[index - 1]!))) {
    // An element's name stands again where it closes.
    if (at.includes(-1)) return undefined
  }
  const [nameAt, firstKey, firstValue] = at as [number, number, number]
  const secondKey = one.indexOf(keyTwo, firstValue)
  const secondValue = one.indexOf(valueTwo, firstValue)
  const gapName = one.slice(nameAt + alpha.length, firstKey)
  const gapKey = one.slice(firstKey + keyOne.length, firstValue)
  const gapValue = one.slice(firstValue + valueOne.length, secondKey)
  const after = one.slice(secondValue + valueTwo.length)
  const before = one.slice(0, nameAt)
  const middle = two?.slice(two.indexOf(valueTwo) + valueTwo.length, two.indexOf(beta))
  if (gapValue.includes(keyOne)) {
    const close = gapValue.slice(0, gapValue.indexOf(keyOne)).trim()
    const open = sameSuffix(gapName, gapValue).trim()
    const tagged: TaggedBody = { ...headOf(gapName.slice(0, gapName.lastIndexOf(open))), elements: { open, close } }
    const closing = `${close}${keyTwo}>`
    return between(before, middle && afterOf(middle, closing), afterOf(after, closing), { tagged })
  }
  const parameter = parameterOf(gapName, gapKey, gapValue)
  if (parameter === undefined) return undefined
  const typed = isJson && parameter.typeAttribute === undefined ? { ...parameter, json: true as const } : parameter
  const tagged: TaggedBody = { ...headOf(gapName.slice(0, gapName.lastIndexOf(parameter.open))), parameter: typed }
  return between(before, middle && afterOf(middle, parameter.close), afterOf(after, parameter.close), { tagged })
}

function afterOf(text: string, mark: string): string {
  const at = text.indexOf(mark)
  return at < 0 ? text : text.slice(at + mark.length)
}

const attributes = /^((?:\s+[\w:-]+="[^"]*")*)\s*(.*)$/su

function headOf(gap: string): Pick<TaggedBody, 'nameEnd' | 'headEnd'> {
  const text = gap.trim()
  if (text === '') return {}
  if (!text.startsWith('"')) return { nameEnd: text }
  const headEnd = attributes.exec(text.slice(1))![2]!
  return { nameEnd: '"', ...(headEnd === '' ? {} : { headEnd }) }
}

function parameterOf(gapName: string, gapKey: string, gapValue: string): TaggedParameter | undefined {
  const open = lastGroup(sameSuffix(gapName, gapValue))
  const close = gapValue.slice(0, gapValue.lastIndexOf(open)).trim()
  if (open === '' || close === '') return undefined
  const padding = gapKey.endsWith('\n') && gapValue.startsWith('\n') ? { padding: '\n' } : {}
  const key = gapKey.trim()
  if (key.startsWith('"')) {
    const [, given, valueOpen] = attributes.exec(key.slice(1))!
    const typeAttribute = /([\w:-]+)="/u.exec(given!)?.[1]
    return {
      open,
      keyEnd: '"',
      ...(valueOpen === '' ? {} : { valueOpen: valueOpen! }),
      close,
      ...(typeAttribute ? { typeAttribute } : {}),
      ...padding,
    }
  }
  const marks = marksIn(key)
  const keyEnd = marks.length > 1 ? key.slice(0, marks[0]!.at + marks[0]!.text.length) : key
  const valueOpen = key.slice(keyEnd.length).trim()
  return { open, keyEnd, ...(valueOpen === '' ? {} : { valueOpen }), close, ...padding }
}

/** The last of several marks that white space keeps apart; a mark with attributes is one. */
function lastGroup(text: string): string {
  const trimmed = text.trim()
  const at = Math.max(trimmed.lastIndexOf('\n'), -1)
  return trimmed.slice(at + 1).trim()
}

type Body = Omit<Block, 'open' | 'close'>

/** All calls in one block: `open` before them, `after` behind. */
function framed(open: string, after: string, body: Body): CallShape {
  const anywhere: Block[] = body.python ? [{ open: ['['], tentative: true, python: { list: 'opened' } }] : []
  if (open === '') return { blocks: [{ open: [], ...body }, ...anywhere], sections: [], rest: after }
  const marks = marksIn(after)
  const first = after.trimStart()
  const counterpart = marksIn(open).at(-1)?.text
  // What closes is the first mark behind, unless nothing but the end of the turn follows.
  const close = marks[0] && first.startsWith(marks[0].text) && closes(marks[0].text, counterpart) ? marks[0].text : undefined
  const block: Block = { open: [open], ...(close === undefined ? {} : { close }), ...body }
  return { blocks: [block], sections: [], rest: close === undefined ? after : afterOf(after, close) }
}

/** Whether a mark looks like the end of what another one opens. */
function closes(mark: string, open: string | undefined): boolean {
  if (open === undefined) return false
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z]+/u)
      .filter((word) => word.length > 2 && !opening.has(word))
  return words(mark).some((word) => words(open).includes(word))
}

const opening = new Set(['start', 'begin', 'end', 'prefix', 'suffix', 'open', 'close'])

/** A block for each call: what two calls have between them tells its marks from those around all calls. */
function between(before: string, middle: string | undefined, after: string, body: Body): CallShape | undefined {
  if (middle === undefined) {
    const open = before.trim()
    return open === '' && body.json
      ? { blocks: [{ open: [], ...body }], sections: [], rest: after }
      : open === ''
        ? undefined
        : framed(open, after, body)
  }
  const open = sameSuffix(before, middle).trim()
  if (open === '') return undefined
  const outer = before.slice(0, before.lastIndexOf(open)).trim()
  const gap = middle.slice(0, middle.lastIndexOf(open))
  const close = commonClose(gap, after)
  const left = close === '' ? after : afterOf(after, close)
  const needsClose = body.tagged !== undefined
  if (close === '' && needsClose) return undefined
  const opens = groups(open)
  const closings = groups(close)
  const sections: Span[] = []
  // Wrappers around each call: `<tool_call>\n<function=`, `</function>\n</tool_call>`.
  const isNested = opens.length > 1 && opens.length === closings.length && !open.includes('"')
  if (isNested)
    for (let index = 0; index < opens.length - 1; index++)
      sections.push({ open: opens[index]!, close: closings[closings.length - 1 - index]! })
  const block: Block = {
    open: [isNested ? opens.at(-1)! : open],
    ...(close === '' ? {} : { close: isNested ? closings[0]! : close }),
    ...body,
  }
  const outerClose = outer === '' ? undefined : marksIn(left)[0]?.text
  if (outer !== '') sections.push({ open: outer, close: outerClose ?? outer })
  return { blocks: [block], sections, rest: outerClose === undefined ? left : afterOf(left, outerClose) }
}

/** What stands behind each call: behind the first of two, and behind the last. */
function commonClose(gap: string, after: string): string {
  const same = samePrefix(gap, after).trim()
  return same
}
