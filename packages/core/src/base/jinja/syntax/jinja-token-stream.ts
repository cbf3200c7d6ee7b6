import { limitError } from '../../python/python-error.ts'
import { errorAt, located, type TemplateError } from '../template-error.ts'
import { type JinjaToken, tokenizeTemplate } from './lexer.ts'

/** How deep expressions and blocks may nest; Python's parser gives up at about the same depth. */
const maxNesting = 200

/** The tokens of a template, read from left to right. */
export class JinjaTokenStream {
  readonly #tokens: readonly JinjaToken[]
  #at = 0
  #depth = 0
  /** Where the last consumed token ends. */
  lastEnd = 0

  constructor(
    readonly source: string,
    readonly name: string,
    trims = true,
  ) {
    this.#tokens = tokenizeTemplate(source, name, trims)
  }

  get current(): JinjaToken {
    return this.#tokens[this.#at]!
  }

  look(): JinjaToken {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)]!
  }

  next(): JinjaToken {
    const token = this.current
    if (token.type !== 'eof') this.#at++
    this.lastEnd = token.end
    return token
  }

  is(type: string): boolean {
    return this.current.type === type
  }

  isName(name: string): boolean {
    return this.current.type === 'name' && this.current.value === name
  }

  skipIf(type: string): boolean {
    if (!this.is(type)) return false
    this.next()
    return true
  }

  skipName(name: string): boolean {
    if (!this.isName(name)) return false
    this.next()
    return true
  }

  expect(type: string): JinjaToken {
    if (this.is(type)) return this.next()
    return this.fail(
      this.is('eof') ? `unexpected end of template, expected '${shown(type)}'.` : `expected token '${shown(type)}', got ${this.describe()}`,
    )
  }

  expectName(name: string): JinjaToken {
    if (this.isName(name)) return this.next()
    return this.fail(`expected token '${name}', got ${this.describe()}`)
  }

  describe(): string {
    const { type, value } = this.current
    if (type === 'eof') return "'end of template'"
    return `'${type === 'name' || type === 'string' ? value : shown(type)}'`
  }

  /** Runs a part of the parser one level deeper. */
  nested<Result>(parse: () => Result): Result {
    if (++this.#depth > maxNesting)
      throw located(limitError(`the template nests more than ${maxNesting} levels deep`), this.source, this.name, this.current)
    const result = parse()
    this.#depth--
    return result
  }

  fail(problem: string): never {
    return this.failAt(problem, this.current)
  }

  failAt(problem: string, { start, end }: { start: number; end: number }): never {
    throw errorAt('TemplateSyntaxError', problem, this.source, this.name, { start, end: Math.max(end, start) }) as TemplateError
  }
}

function shown(type: string): string {
  return tokenNames[type] ?? type
}

const tokenNames: Readonly<Record<string, string>> = {
  variable_begin: 'begin of print statement',
  variable_end: 'end of print statement',
  block_begin: 'begin of statement block',
  block_end: 'end of statement block',
}
