import { pyStr } from '@rolecall/core/internal/python'

/**
 * The value of a numeric calculation, as formatted by Python's `str()`: `\frac{1}{2}` is "0.5", `2^3` is "8". Undefined
 * if it contains a letter or anything else that is not a number.
 *
 * @example
 * latexValue('\\frac{1}{2} + 3') // => '3.5'
 */
export function latexValue(text: string): string | undefined {
  const tokens = tokensOf(text)
  if (!tokens || tokens.length > mostTokens) return undefined
  try {
    const reader = new Reader(tokens)
    const value = reader.sum()
    return reader.isAtEnd ? shown(value) : undefined
  } catch (error) {
    if (error instanceof NoNumber) return undefined
    throw error
  }
}

const mostTokens = 200

/** A Python int is a bigint; a quotient, or a number with a decimal point, is a float. */
type Num = bigint | number

class NoNumber extends Error {}

const token = /\s*(\d+(?:,\d{3})*(?:\.\d+)?|\.\d+|\\(?:[dt]?frac|cdot|times|div|boxed|left|right)(?![a-zA-Z])|[-+*/^(){}[\],])/y

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = []
  token.lastIndex = 0
  const end = text.trimEnd().length
  while (token.lastIndex < end) {
    const found = token.exec(text)
    if (!found) return undefined
    if (!/^\\(?:left|right|boxed)$/.test(found[1]!)) tokens.push(found[1]!)
  }
  return tokens
}

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  sum(): Num {
    let value = this.#product()
    for (let operator = this.#accept('+', '-'); operator; operator = this.#accept('+', '-')) {
      const next = this.#product()
      value = added(value, operator === '+' ? next : -next)
    }
    return value
  }

  #product(): Num {
    let value = this.#signed()
    for (;;) {
      if (this.#accept('*', '\\cdot', '\\times')) value = multiplied(value, this.#signed())
      else if (this.#accept('/', '\\div')) value = divided(value, this.#signed())
      else if (/^(?:[({\d.]|\\.?frac)/.test(this.#tokens[this.#at] ?? '')) value = multiplied(value, this.#power())
      else return value
    }
  }

  #signed(): Num {
    if (this.#accept('-')) return -this.#signed()
    this.#accept('+')
    return this.#power()
  }

  #power(): Num {
    const base = this.#atom()
    return this.#accept('^') ? raised(base, this.#signed()) : base
  }

  #atom(): Num {
    const one = this.#tokens[this.#at++]
    if (one === '(' || one === '{' || one === '[') return this.#inside({ '(': ')', '{': '}', '[': ']' }[one])
    if (one && /frac$/.test(one)) return divided(this.#braced(), this.#braced())
    if (!one || !/^[\d.]/.test(one)) throw new NoNumber()
    const digits = one.replaceAll(',', '')
    return digits.includes('.') ? Number(digits) : BigInt(digits)
  }

  #braced(): Num {
    if (!this.#accept('{')) throw new NoNumber()
    return this.#inside('}')
  }

  #inside(close: string): Num {
    const value = this.sum()
    if (!this.#accept(close)) throw new NoNumber()
    return value
  }

  #accept(...tokens: string[]): string | undefined {
    const one = this.#tokens[this.#at]
    if (one === undefined || !tokens.includes(one)) return undefined
    this.#at++
    return one
  }
}

function added(a: Num, b: Num): Num {
  return typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b)
}

function multiplied(a: Num, b: Num): Num {
  return typeof a === 'bigint' && typeof b === 'bigint' ? a * b : Number(a) * Number(b)
}

function divided(a: Num, b: Num): number {
  if (Number(b) === 0) throw new NoNumber()
  return Number(a) / Number(b)
}

function raised(base: Num, exponent: Num): Num {
  if (typeof base === 'bigint' && typeof exponent === 'bigint' && exponent >= 0n) {
    if (exponent > 1000n) throw new NoNumber()
    return base ** exponent
  }
  const value = Number(base) ** Number(exponent)
  if (!Number.isFinite(value)) throw new NoNumber()
  return value
}

function shown(value: Num): string {
  if (typeof value === 'bigint') return String(value)
  // An integral float keeps its decimal point.
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : pyStr(value)
}
