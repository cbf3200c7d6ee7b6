import type { JsonBody } from '../syntax.ts'
import { between, type CallShape, framed } from './call-frame.ts'
import { words } from './probes.ts'
import { endOfObject } from './template-marks.ts'
import type { ProbeWriter } from './write-probe.ts'

/** The range of one call in what a template wrote, without its marks. */
export type Core = { from: number; to: number }

const [alpha, beta] = words.tools
const [keyOne] = words.keys
const [valueOne] = words.values

/** A JSON object with name and arguments. */
export function readJson(writer: ProbeWriter, one: string, two: string | undefined): CallShape | undefined {
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
      // An opening brace that is not JSON: the next one may be.
    }
    if (from === 0) break
  }
  return undefined
}
