import {
  dictGet,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
  stringifyJson,
} from '../../../packages/core/src/base/python/index.ts'

export type PromisedChat = {
  messages: readonly PyDict[]
  tools: readonly PyValue[]
  /** The system text of a chat that has none. */
  system?: string
  bos: boolean
  /** Whether the reply begins, the last answer is left open, or neither. */
  end: 'reply' | 'open' | 'none'
}

/**
 * A chat as document 004 writes it; undefined if it cannot be written. Independent of the library, to check what Rolecall writes where
 * lmdeploy and lagent differ.
 */
export function promisedChat({ messages, tools, system, bos, end }: PromisedChat): string | undefined {
  const isSystem = (message: PyDict | undefined) => message !== undefined && roleOf(message) === 'system'
  const given: readonly PyDict[] =
    system === undefined || isSystem(messages[0]) ? messages : [{ role: 'system', content: system }, ...messages]
  const turns: string[] = []
  let called = 'plugin'
  for (const message of given) {
    const turn = turnOf(message, called)
    if (turn === undefined) return undefined
    called = lastCall(message) ?? called
    turns.push(turn)
  }
  if (tools.length > 0)
    turns.splice(isSystem(given[0]) ? 1 : 0, 0, wrap('system name=<|plugin|>', stringifyJson(tools.map(bare), { ensureAscii: false })))
  const text = (bos ? '<s>' : '') + turns.join('')
  if (end === 'open') return text.replace(/<\|im_end\|>\n$/, '')
  return end === 'reply' ? `${text}<|im_start|>assistant\n` : text
}

function wrap(header: string, content: string): string {
  return `<|im_start|>${header}\n${content}<|im_end|>\n`
}

function roleOf(message: PyDict): string {
  const role = String(dictGet(message, 'role'))
  if (role === 'tool' || role === 'function') return 'environment'
  return role === 'developer' ? 'system' : role
}

function turnOf(message: PyDict, called: string): string | undefined {
  const role = roleOf(message)
  const given = dictGet(message, 'name')
  // The result of a tool is named after what was called.
  const name = role === 'environment' && dictGet(message, 'role') !== 'environment' ? called : given
  if (typeof given === 'string' && !/^[A-Za-z0-9_.-]{1,64}$/.test(given)) return undefined
  const header = typeof name !== 'string' ? role : `${role} name=${name === 'plugin' || name === 'interpreter' ? `<|${name}|>` : name}`
  return wrap(header, textOf(dictGet(message, 'content') ?? null) + callsOf(message).map(writtenCall).join(''))
}

function textOf(content: PyValue): string {
  if (!isList(content)) return content === null ? '' : String(content)
  return content.map((part) => (isDict(part) ? String(dictGet(part, 'text')) : '')).join('\n')
}

function callsOf(message: PyDict): readonly PyDict[] {
  const calls = dictGet(message, 'tool_calls')
  return isList(calls) ? calls.filter(isDict) : []
}

function lastCall(message: PyDict): string | undefined {
  return callsOf(message).length > 0 ? 'plugin' : undefined
}

function writtenCall(call: PyDict): string {
  const named = bare(call) as PyDict
  const given = dictGet(named, 'arguments') ?? dictGet(named, 'parameters') ?? {}
  const json = `{"name": ${stringifyJson(dictGet(named, 'name')!, { ensureAscii: false })}, "parameters": ${argumentsText(given)}}`
  return `<|action_start|><|plugin|>\n${json}<|action_end|>`
}

/** Arguments in text are rewritten as JSON; what is not JSON stays. */
function argumentsText(given: PyValue): string {
  if (typeof given !== 'string') return stringifyJson(given, { ensureAscii: false })
  if (given.trim() === '') return '{}'
  try {
    return stringifyJson(parseJson(given), { ensureAscii: false })
  } catch {
    return given
  }
}

/** A tool or call without OpenAI's wrapper. */
function bare(entry: PyValue): PyValue {
  const inner = isDict(entry) ? dictGet(entry, 'function') : undefined
  return inner !== undefined && isDict(inner) ? inner : entry
}
