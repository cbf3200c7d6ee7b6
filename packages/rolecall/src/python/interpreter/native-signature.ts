import type { Kwargs, Value } from '@rolecall/core/internal/python'
import { typeError } from '@rolecall/core/internal/python'

type Bound = { args: readonly Value[]; kwargs: Kwargs }

/** The parameters of a function that is written in TypeScript, as Python's documentation writes them: `pow(base, exp, mod=None)`. */
export class NativeSignature {
  readonly name: string
  /** Parameters that positional arguments fill, in order. */
  readonly #positional: readonly string[]
  readonly #required: number
  /** The first of them that may also be given by name: those before `/` may not. */
  readonly #namedFrom: number
  readonly #keywordOnly: readonly string[]
  readonly #takesRest: boolean
  readonly #takesAnyKeyword: boolean

  constructor(text: string) {
    const open = text.indexOf('(')
    this.name = text.slice(0, open)
    const parts = text
      .slice(open + 1, -1)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    const star = parts.findIndex((part) => /^\*(?!\*)/.test(part))
    const before = (star < 0 ? parts : parts.slice(0, star)).filter((part) => !part.startsWith('**'))
    const nameOf = (part: string) => part.split('=')[0]!
    this.#positional = before.filter((part) => part !== '/').map(nameOf)
    this.#required = before.filter((part) => part !== '/' && !part.includes('=')).length
    this.#namedFrom = Math.max(0, before.indexOf('/'))
    this.#keywordOnly = star < 0 ? [] : parts.slice(star + 1).map(nameOf)
    this.#takesRest = star >= 0 && parts[star] !== '*'
    this.#takesAnyKeyword = parts.some((part) => part.startsWith('**'))
  }

  /** The arguments in the order of the parameters, undefined where none is given; keyword-only ones stay keywords. */
  bind(args: readonly Value[], kwargs: Kwargs): Bound {
    const [least, most] = [this.#required, this.#positional.length]
    if (args.length > most && !this.#takesRest) throw this.#wrongCount(least === most ? 'exactly' : 'at most', most, args.length)
    if (kwargs === undefined || kwargs.size === 0) {
      if (args.length < least) throw this.#wrongCount(least === most && !this.#takesRest ? 'exactly' : 'at least', least, args.length)
      return { args, kwargs }
    }
    const bound: (Value | undefined)[] = [...args]
    const left = new Map<string, Value>()
    for (const [key, value] of kwargs) {
      const index = this.#positional.indexOf(key, this.#namedFrom)
      if (index >= 0) {
        if (bound[index] !== undefined) throw typeError(`${this.name}() got multiple values for argument '${key}'`)
        bound[index] = value
      } else if (this.#takesAnyKeyword || this.#keywordOnly.includes(key)) left.set(key, value)
      else throw this.#unexpected(key)
    }
    const missing = this.#positional.slice(0, least).find((_, index) => bound[index] === undefined)
    if (missing !== undefined) throw typeError(`${this.name}() missing required argument: '${missing}'`)
    // Parameters without an argument are undefined, which readers replace by the default.
    return { args: Array.from(bound) as Value[], kwargs: left }
  }

  /** The first keyword that is no parameter. */
  unknownKeyword(kwargs: Kwargs): string | undefined {
    if (kwargs === undefined || this.#takesAnyKeyword) return undefined
    return [...kwargs.keys()].find((key) => this.#positional.indexOf(key, this.#namedFrom) < 0 && !this.#keywordOnly.includes(key))
  }

  #wrongCount(how: string, wanted: number, given: number): Error {
    return typeError(`${this.name} expected ${how} ${wanted} argument${wanted === 1 ? '' : 's'}, got ${given}`)
  }

  #unexpected(key: string): Error {
    const takesSome = this.#keywordOnly.length > 0 || this.#namedFrom < this.#positional.length
    return typeError(takesSome ? `${this.name}() got an unexpected keyword argument '${key}'` : `${this.name}() takes no keyword arguments`)
  }
}
