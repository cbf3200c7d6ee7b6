import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictGet, dictHas, isDict, isList, type PyDict, type PyValue, parseJson, stringifyJson } from '../../base/python/index.ts'
import type { ReplyCall, TextRange, UsableCall } from '../reply.ts'
import type { ToolChecker } from '../tool-checker.ts'
import { malformed, type PythonCall, readPythonCalls } from '../values/python-call.ts'

/**
 * Reads a reply that is nothing but calls and has no marks: Python's calls, as models under MLC-LLM write them (`f(a=1)`, or
 * a list of such texts), or a JSON list of names and arguments, as WebLLM's do. A reply that is something else is one
 * malformed call; nothing is thrown and nothing is lost.
 *
 * @example
 * const [call] = parseBareCalls("get_weather(city='Paris')")
 * call.kind === 'call' && [call.name, call.argumentsText] // => ['get_weather', '{"city": "Paris"}']
 */
export function parseBareCalls(reply: string): ReplyCall[] {
  const at: TextRange = [0, reply.length]
  try {
    return (jsonCalls(reply) ?? readPythonCalls(reply.trimStart())).map(({ name, given }) => ({
      kind: 'call',
      name,
      arguments: given,
      argumentsText: stringifyJson(given, { ensureAscii: false }),
      at,
    }))
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return [{ kind: 'malformed', error: 'malformed', raw: reply, problem: error.problem, at }]
  }
}

/** Calls in a JSON list; undefined where the reply is no such list, and may be Python. */
function jsonCalls(reply: string): PythonCall[] | undefined {
  const parsed = parsedJson(reply)
  if (!isList(parsed) || parsed.some((one) => typeof one === 'string')) return undefined
  return parsed.map((one) => {
    const name = isDict(one) ? dictGet(one, 'name') : undefined
    if (typeof name !== 'string' || !dictHas(one as PyDict, 'arguments')) throw malformed('a call needs a "name" and "arguments"')
    return { name, given: dictGet(one as PyDict, 'arguments')! }
  })
}

function parsedJson(reply: string): PyValue | undefined {
  try {
    return parseJson(reply)
  } catch {
    return undefined
  }
}

/**
 * Holds a reply back while it may still consist of calls only, which is certain only at its end; words should not wait for that.
 */
export class UnmarkedCalls {
  readonly #tools: ToolChecker
  /** Undefined once it is certain that the reply is words. */
  #held: string | undefined = ''

  constructor(tools: ToolChecker) {
    this.#tools = tools
  }

  /** What of the reply is certain to be words after this piece of it. */
  push(piece: string): string {
    if (this.#held === undefined) return piece
    const held = this.#held + piece
    this.#held = this.#mayBeCalls(held.trimStart()) ? held : undefined
    return this.#held === undefined ? held : ''
  }

  /** There is no more: what was kept back is calls, or words after all. */
  end(): { calls: readonly UsableCall[]; words: string } {
    const held = this.#held ?? ''
    this.#held = undefined
    const from = held.length - held.trimStart().length
    const text = held.trim()
    const found = text === '' ? [] : parseBareCalls(text)
    const calls = found.flatMap((call): UsableCall[] =>
      call.kind === 'call' && this.#tools.has(call.name) ? [{ ...call, at: [from, from + text.length] }] : [],
    )
    return calls.length > 0 && calls.length === found.length ? { calls, words: '' } : { calls: [], words: held }
  }

  /** Calls begin with a list, or with the name of a tool and a parenthesis. */
  #mayBeCalls(text: string): boolean {
    if (text === '' || text.startsWith('[')) return true
    return this.#tools.names.some((name) => {
      const rest = text.startsWith(name) ? text.slice(name.length).trimStart() : undefined
      return rest === undefined ? name.startsWith(text) : rest === '' || rest.startsWith('(')
    })
  }
}
