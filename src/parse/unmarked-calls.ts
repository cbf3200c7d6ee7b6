import { parseBareCalls } from './parse-bare-calls.ts'
import type { UsableCall } from './reply.ts'
import type { ToolChecker } from './tool-checker.ts'

/**
 * Keeps a reply back while it may still turn out to be nothing but calls: whether it is can only be told at its end, and words
 * should not wait for that.
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
