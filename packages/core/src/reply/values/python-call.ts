import { PromptError } from '../../base/errors/prompt-error.ts'
import { addEntry, dictFromEntries, type PyDict, type PyValue, pyFloat, stringifyJson } from '../../base/python/index.ts'
import { PythonError } from '../../base/python/python-error.ts'
import { decodeString } from '../../base/python/syntax/parse-string.ts'

export type PythonCall = { name: string; given: PyValue }

/** Reads a Python literal, e.g. `{'a': None}`; JSON's words are accepted, since models mix them with Python's. Throws if the text is anything else. */
export function pythonLiteral(text: string): PyValue {
  return new PythonReader(text).wholeLiteral()
}

/**
 * Reads a Python call with named arguments, e.g. `f(a=1, b='x')`. Throws if the text is anything else. Line breaks in strings, which
 * templates do not escape, zeros before an int and names such as `weather.get-today` are accepted.
 */
export function readPythonCall(text: string): PythonCall {
  return new PythonReader(text, true).wholeCall()
}

/** Reads a Python call of a function by its name, or a list of such calls as texts, strictly. */
export function readPythonCalls(text: string): PythonCall[] {
  if (!text.startsWith('[')) return [new PythonReader(text).wholeCall()]
  const calls = pythonLiteral(text)
  if (!Array.isArray(calls)) throw malformed('this is not one call')
  return calls.map((call: PyValue) => {
    if (typeof call !== 'string') throw malformed('a list of calls holds them as texts')
    return new PythonReader(call).wholeCall()
  })
}

export function malformed(problem: string): PromptError {
  return new PromptError('malformed', { where: 'reply', problem, fix: 'ask the model again' })
}

const notPlain = 'an argument is not a plain value'
const maxDepth = 100

const words: Readonly<Record<string, PyValue>> = { True: true, False: false, None: null, true: true, false: false, null: null }

/** Most names are of ASCII. */
const asciiName = /[A-Za-z_]\w*(?![^\0-\x7f])/y
const name = /[\p{ID_Start}_][\p{ID_Continue}\p{N}]*/uy
const dottedName = /[A-Za-z_][\w.-]*(?![^\0-\x7f])|[\p{ID_Start}_][\p{ID_Continue}\p{N}.]*/uy
const number =
  /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*)?|\d(?:_?\d)*\.?(?:[eE][+-]?\d(?:_?\d)*)?/y
/** A line break is white space inside brackets only. */
const spaceInside = /(?:\s|\\[ \t]*\n|#[^\n]*)*/y
const spaceOutside = /(?:[ \t\f]|\\[ \t]*\n|#[^\n]*)*/y
const stringPrefix = /(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?(?=["'])/y
const longString = /"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''/sy
const doubleQuoted = /"[^"\\]*(?:\\.[^"\\]*)*"/sy
const singleQuoted = /'[^'\\]*(?:\\.[^'\\]*)*'/sy

/** The part of Python that calls with literal arguments need. Everything else is an error, not a call. */
class PythonReader {
  readonly #text: string
  readonly #isLenient: boolean
  #at = 0
  #depth = 0

  constructor(text: string, isLenient = false) {
    this.#text = text
    this.#isLenient = isLenient
  }

  wholeCall(): PythonCall {
    this.#take(spaceInside)
    if (this.#next() === undefined) throw malformed('there is no call')
    const called = this.#isLenient ? this.#take(dottedName)?.[0] : this.#name()
    if (called === undefined || this.#next() !== '(') {
      const isExpression = this.#at >= this.#text.length || /[.[]/.test(this.#text[this.#at]!)
      throw malformed(isExpression ? 'this is not a call of a function by its name' : 'this is not one call')
    }
    const entries = this.#items(')', (): [string, PyValue] => {
      const argument = this.#name()
      if (argument === undefined || this.#next() !== '=' || this.#text[this.#at + 1] === '=')
        throw malformed('an argument has no name: name=value is needed')
      this.#at++
      return [argument, this.#value()]
    })
    if (/[.([]/.test(this.#next() ?? '')) throw malformed('this is not a call of a function by its name')
    this.#end('this is not one call')
    return { name: called, given: dictFromEntries(entries) }
  }

  wholeLiteral(): PyValue {
    this.#take(spaceInside)
    const first = this.#value()
    const items = [first]
    const isTuple = this.#next() === ','
    while (this.#next() === ',') {
      this.#at++
      if ([undefined, '\n', ';'].includes(this.#next())) break
      items.push(this.#value())
    }
    this.#end(notPlain)
    return isTuple ? items : first
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    this.#at += found?.[0].length ?? 0
    return found ?? undefined
  }

  #name(): string | undefined {
    return (this.#take(asciiName) ?? this.#take(name))?.[0]
  }

  /** Passes white space and comments; the character after them. */
  #next(): string | undefined {
    while (this.#text[this.#at] === ' ') this.#at++
    const next = this.#text[this.#at]
    // Most of what follows is a token, and a look costs less than the pattern.
    if (next === undefined || (next > ' ' && next < '\x7f' && next !== '#' && next !== '\\')) return next
    this.#take(this.#depth > 0 ? spaceInside : spaceOutside)
    return this.#text[this.#at]
  }

  #end(problem: string): void {
    if (this.#next() === ';') this.#at++
    this.#take(spaceInside)
    if (this.#at < this.#text.length) throw malformed(problem)
  }

  /** Items with commas between them up to a closing bracket. */
  #items<Item>(close: string, read: () => Item): Item[] {
    if (++this.#depth > maxDepth) throw malformed(`it is nested more than ${maxDepth} levels deep`)
    const items: Item[] = []
    this.#at++
    while (this.#next() !== close) {
      if (this.#at >= this.#text.length) throw malformed(`a "${close}" is missing`)
      items.push(read())
      if (this.#next() === ',') this.#at++
      else if (this.#at < this.#text.length && this.#text[this.#at] !== close) throw malformed(notPlain)
    }
    this.#depth--
    this.#at++
    return items
  }

  #value(): PyValue {
    const first = this.#next()
    switch (first) {
      case '[':
        return this.#items(']', () => this.#value())
      case '(':
        return this.#parentheses()
      case '{':
        return this.#braces()
      case '-':
      case '+': {
        this.#at++
        this.#next()
        const value = this.#number()
        return value === undefined || first === '+' ? plain(value) : negative(value)
      }
    }
    const isNumber = first !== undefined && /[\d.]/.test(first)
    const found = isNumber ? this.#number() : this.#strings()
    if (found !== undefined) return found
    const word = this.#name() ?? ''
    if (word === 'set' && this.#take(/\s*\(\s*\)/y)) return []
    return plain(Object.hasOwn(words, word) ? words[word] : undefined)
  }

  #parentheses(): PyValue {
    let from = this.#at
    const items = this.#items(')', () => {
      const item = this.#value()
      this.#next()
      from = this.#at
      return item
    })
    const isTuple = items.length !== 1 || this.#text[from] === ','
    return isTuple ? items : items[0]!
  }

  /** A dict, or a set, which has each item once. */
  #braces(): PyValue {
    let dict: PyDict = {}
    const set = new Map<string, PyValue>()
    this.#items('}', () => {
      const item = this.#value()
      if (this.#next() !== ':') {
        const text = stringifyJson(typeof item === 'boolean' ? Number(item) : item)
        if (!set.has(text)) set.set(text, item)
        return
      }
      this.#at++
      const value = this.#value()
      if (typeof item !== 'string') throw malformed('the keys of a dict must be texts')
      dict = addEntry(dict, item, value)
    })
    if (set.size === 0) return dict
    if (Object.keys(dict).length > 0) throw malformed('a dict has an entry without a key')
    return [...set.values()]
  }

  #number(): PyValue | undefined {
    const written = this.#take(number)?.[0].replaceAll('_', '')
    if (written === undefined) return undefined
    if (/[\w.]/.test(this.#text[this.#at] ?? '')) throw malformed(notPlain)
    if (!/^0[xXoObB]|^\d+$/.test(written)) return pyFloat(Number(written))
    if (!this.#isLenient && /^0+[1-9]/.test(written)) throw malformed('an int begins with a zero')
    const value = Number(written)
    return Number.isSafeInteger(value) ? value : BigInt(written)
  }

  /** Strings side by side, which Python puts together. */
  #strings(): string | undefined {
    let joined = this.#string()
    while (joined !== undefined) {
      this.#next()
      const more = this.#string()
      if (more === undefined) break
      joined += more
    }
    return joined
  }

  #string(): string | undefined {
    const first = this.#text[this.#at]
    const prefix = first === '"' || first === "'" ? '' : this.#take(stringPrefix)?.[0]
    if (prefix === undefined) return undefined
    const quote = this.#text[this.#at]!
    const isLong = this.#text.startsWith(quote.repeat(3), this.#at)
    const pattern = isLong ? longString : quote === '"' ? doubleQuoted : singleQuoted
    let inside = isLong ? this.#take(pattern)?.[0].slice(3, -3) : this.#take(pattern)?.[0].slice(1, -1)
    if (inside === undefined || !(isLong || this.#isLenient || !/(?<!\\)\n/.test(inside))) throw malformed('a string is not closed')
    if (prefix === '') return decoded(inside)
    if (/b/i.test(prefix)) throw malformed(notPlain)
    if (/f/i.test(prefix)) {
      if (/[{}]/.test(inside.replaceAll(/\{\{|\}\}/g, ''))) throw malformed(notPlain)
      inside = inside.replaceAll('{{', '{').replaceAll('}}', '}')
    }
    return /r/i.test(prefix) ? inside : decoded(inside)
  }
}

function plain(value: PyValue | undefined): PyValue {
  if (value === undefined) throw malformed(notPlain)
  return value
}

function negative(value: PyValue): PyValue {
  if (typeof value === 'bigint') return -value
  if (typeof value === 'number') return value === 0 ? 0 : -value
  return pyFloat(-(value as { value: number }).value)
}

function decoded(text: string): string {
  try {
    return decodeString(text)
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    throw malformed(`the string has an escape that cannot be read (${error.message})`)
  }
}
