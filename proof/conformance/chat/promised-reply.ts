import { dictGet, dictHas, isDict, type PyValue, parseJson } from '../../../packages/core/src/base/python/index.ts'
import { plainVector } from './parse-vector.ts'

type Call = { kind: 'plugin' | 'interpreter'; [key: string]: unknown }

const start = /<\|action_start\|><\|(plugin|interpreter)\|>/
const end = '<|action_end|>'

/**
 * An InternLM2 reply as document 004 and the recommended vectors read it. Written independently of the library and for whole texts only,
 * to check what Rolecall gives where servers and agents differ.
 */
export function promisedReply(input: string): { content: string; calls: Call[] } {
  const calls: Call[] = []
  let content = ''
  let rest = input
  for (let mark = start.exec(rest); mark; mark = start.exec(rest)) {
    const before = rest.slice(0, mark.index)
    if (before.includes('<|im_end|>')) break
    content += before
    const { call, after } = (mark[1] === 'plugin' ? pluginCall : interpreterCall)(rest.slice(mark.index + mark[0].length))
    calls.push(call)
    rest = after
  }
  return { content: content + rest.split('<|im_end|>')[0], calls }
}

type Found = { call: Call; after: string }

/** A call ends at the first mark behind complete JSON; a mark inside one of its strings is text. */
function pluginCall(text: string): Found {
  for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) {
    const value = parsed(text.slice(0, at))
    if (value !== undefined) return { call: asCall(value, text.slice(0, at)), after: text.slice(at + end.length) }
  }
  const at = text.indexOf(end)
  if (at < 0) {
    const [body] = text.split('<|im_end|>')
    const value = parsed(body!)
    const call = value === undefined ? broken('truncated', body!) : { ...asCall(value, body!), unterminated: true }
    return { call, after: text.slice(body!.length) }
  }
  const body = text.slice(0, at)
  return { call: broken(startsWithJson(body) ? 'trailing-text' : 'malformed', body), after: text.slice(at + end.length) }
}

function parsed(text: string): PyValue | undefined {
  try {
    return parseJson(text.trim())
  } catch {
    return undefined
  }
}

/** Whether an object stands before other text. */
function startsWithJson(body: string): boolean {
  const text = body.trim()
  return [...text.matchAll(/\}/g)].some(({ index }) => isDict(parsed(text.slice(0, index + 1))))
}

function asCall(value: PyValue, raw: string): Call {
  if (!isDict(value)) return broken('malformed', raw)
  const name = dictGet(value, 'name')
  if (typeof name !== 'string' || name === '') return broken('no-name', raw)
  if (outerKeys(raw).filter((key) => key === 'name').length > 1) return broken('malformed', raw)
  const key = ['parameters', 'arguments'].find((one) => dictHas(value, one))
  return { kind: 'plugin', name, arguments: key === undefined ? {} : plainVector(dictGet(value, key)!) }
}

/** The keys of the outermost object, repeated ones included. */
function outerKeys(json: string): string[] {
  let depth = 0
  return [...json.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g)].flatMap(([mark, text, colon]) => {
    if (mark === '{' || mark === '[') depth++
    else if (mark === '}' || mark === ']') depth--
    return colon !== undefined && depth === 1 ? [text!] : []
  })
}

function broken(error: string, raw: string): Call {
  return { kind: 'plugin', error, raw: raw.trim() }
}

/** The code of a fenced block is what stands inside its first fence, which closes at the start of a line; without a fence it is all. */
function interpreterCall(text: string): Found {
  const fence = /^\s*```[^\n`]*\n/.exec(text)
  const close = fence ? /(?:^|\n)[ \t]*```/.exec(text.slice(fence[0].length)) : null
  const inside = fence && close ? fence[0].length + close.index + close[0].length : 0
  const at = text.indexOf(end, inside)
  const block = at < 0 ? text.slice(inside).split('<|im_end|>')[0]! : text.slice(inside, at)
  const body = text.slice(0, inside) + block
  const call: Call = { kind: 'interpreter', code: codeIn(body), ...(at < 0 ? { unterminated: true } : {}) }
  return { call, after: at < 0 ? text.slice(body.length) : text.slice(at + end.length) }
}

/** The code of an interpreter block. */
export function codeIn(block: string): string {
  const fence = /^\s*```[^\n`]*\n/.exec(block)
  if (!fence) return block.trim()
  const inner = block.slice(fence[0].length)
  const close = /(?:^|\n)[ \t]*```/.exec(inner)
  return close ? inner.slice(0, close.index) : inner.trimEnd()
}
