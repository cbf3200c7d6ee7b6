import type { Note } from '@rolecall/core/internal/errors'
import type { ApiMessage } from '@rolecall/core/internal/format'
import { dictGet, isDict, isList, JsonSyntaxError, type PyDict, type PyValue, parseJson } from '@rolecall/core/internal/python'

/** A tool call of an earlier turn, as it is sent back. */
export type SentCall = { id: string; name: string; input: PyDict }

/** The calls of earlier turns, and which of them the next results belong to. */
export class SentCalls {
  readonly notes: Note[] = []
  readonly #names = new Map<string, string>()
  #unanswered: string[] = []
  #made = 0

  /** The calls of a message; arguments are exact. */
  of({ extra = {} }: ApiMessage, where: string): SentCall[] {
    const { tool_calls: given, function_call: older } = extra
    const listed = isList(given) ? given : isDict(older) ? [older] : []
    const calls = listed.map((call, index) => this.#call(call, `${where}.tool_calls[${index}]`))
    this.#unanswered = calls.map(({ id }) => id)
    return calls
  }

  /** The call that a result answers: the one it names, or the first without a result. */
  answered({ extra = {}, name }: ApiMessage): { id: string; name: string } {
    const given = extra.tool_call_id
    const id = typeof given === 'string' ? given : (this.#unanswered[0] ?? `call_${++this.#made}`)
    this.#unanswered = this.#unanswered.filter((other) => other !== id)
    return { id, name: this.#names.get(id) ?? name ?? 'tool' }
  }

  #call(call: PyValue, where: string): SentCall {
    const called = isDict(call) ? dictGet(call, 'function') : undefined
    const fields = isDict(called) ? called : isDict(call) ? call : {}
    const [name, given] = [dictGet(fields, 'name'), dictGet(fields, 'arguments')]
    const id = isDict(call) ? dictGet(call, 'id') : undefined
    const sent = {
      id: typeof id === 'string' && id !== '' ? id : `call_${++this.#made}`,
      name: typeof name === 'string' ? name : '',
      input: this.#inputOf(given, where),
    }
    this.#names.set(sent.id, sent.name)
    return sent
  }

  /** These APIs take arguments as an object, which a model's own mistake may not be. */
  #inputOf(given: PyValue | undefined, where: string): PyDict {
    if (isDict(given)) return given
    if (given === undefined || given === null) return {}
    const read = typeof given === 'string' ? readObject(given) : undefined
    if (read) return read
    this.notes.push({ code: 'arguments-wrapped', where, text: 'the arguments are not a JSON object: they are sent as { arguments: … }' })
    return { arguments: given }
  }
}

function readObject(text: string): PyDict | undefined {
  if (text.trim() === '') return {}
  try {
    const read = parseJson(text)
    return isDict(read) ? read : undefined
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return undefined
  }
}
