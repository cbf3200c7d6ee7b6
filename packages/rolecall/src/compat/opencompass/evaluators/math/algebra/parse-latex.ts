import { type Formula, functions, inverse, negative, number } from './expression.ts'

/** Longer formulas are not parsed: they do not occur as answers. */
const longest = 5000
const deepest = 100

export type LatexOptions = {
  /** Whether \frac12 is parsed as \frac{1}{2}, and \sqrt2 as \sqrt{2}. */
  shortFractions?: boolean
  /** Whether 2\frac{1}{2} is 2.5 rather than 1. */
  mixedNumbers?: boolean
}

/**
 * Parses LaTeX or a one-line formula; undefined if that fails.
 *
 * @example
 * parseLatex('x^2')?.kind // => 'power'
 */
export function parseLatex(text: string, options: LatexOptions = {}): Formula | undefined {
  if (text.length > longest) return undefined
  try {
    const reader = new Reader(tokensOf(text), options)
    const formula = reader.sum()
    return reader.isDone ? formula : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Unreadable extends Error {}

const skipped = /^(?:\s|\\[,;:! ]|\\quad|\\displaystyle|\\left(?![a-z])|\\right(?![a-z])|~|\$)+/

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  for (
    let rest = text.replaceAll('{,}', ',').replaceAll('−', '-').replaceAll('π', '\\pi').replaceAll('×', '\\times').replaceAll('÷', '\\div');
    ;
  ) {
    rest = rest.replace(skipped, '')
    if (rest === '') return tokens
    const token = /^(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+\.?\d*|\.\d+|\\[A-Za-z]+|\\[{}|%]|\*\*|[A-Za-z]|[-+*/^_=(){}[\]|!%'])/.exec(
      rest,
    )?.[0]
    if (token === undefined) throw new Unreadable()
    tokens.push(token)
    rest = rest.slice(token.length)
  }
}

const closes: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const plainWords = new Set([
  '\\mathrm',
  '\\mathbf',
  '\\mathit',
  '\\text',
  '\\operatorname',
  '\\boxed',
  '\\mathbb',
  '\\textbf',
  '\\displaystyle',
])
/** Marks over names: they are part of the name. */
const accents = new Set(['\\overline', '\\bar', '\\vec', '\\hat', '\\overrightarrow', '\\widehat', '\\tilde'])
const greek =
  /^\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|upsilon|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega|hbar|ell|pi|infty)$/

class Reader {
  #at = 0
  #depth = 0
  readonly #tokens: readonly string[]
  readonly #shortFractions: boolean
  readonly #mixedNumbers: boolean

  constructor(tokens: readonly string[], { shortFractions = true, mixedNumbers = false }: LatexOptions) {
    this.#tokens = tokens
    this.#shortFractions = shortFractions
    this.#mixedNumbers = mixedNumbers
  }

  get isDone(): boolean {
    return this.#at === this.#tokens.length
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at]
  }

  #accept(...wanted: string[]): boolean {
    if (this.#next === undefined || !wanted.includes(this.#next)) return false
    this.#at++
    return true
  }

  #expect(wanted: string): void {
    if (!this.#accept(wanted)) throw new Unreadable()
  }

  sum(): Formula {
    if (++this.#depth > deepest) throw new Unreadable()
    const parts = [this.#signedProduct()]
    while (this.#next === '+' || this.#next === '-') parts.push(this.#signedProduct())
    this.#depth--
    return parts.length === 1 ? parts[0]! : { kind: 'sum', parts }
  }

  #signedProduct(): Formula {
    let isNegative = false
    for (;;) {
      if (this.#accept('-')) isNegative = !isNegative
      else if (!this.#accept('+')) break
    }
    const product = this.#product()
    return isNegative ? negative(product) : product
  }

  #product(): Formula {
    const parts = [this.#power()]
    for (;;) {
      if (this.#accept('*', '\\cdot', '\\times')) parts.push(this.#signedPower())
      else if (this.#accept('/', '\\div')) parts.push(inverse(this.#signedPower()))
      else if (this.#startsAtom()) parts.push(this.#power())
      else return parts.length === 1 ? parts[0]! : { kind: 'product', parts }
    }
  }

  #signedPower(): Formula {
    return this.#accept('-') ? negative(this.#signedPower()) : this.#power()
  }

  /** Whether the next token starts an implicit factor: 2x, 3(4). */
  #startsAtom(): boolean {
    const next = this.#next
    return (
      next !== undefined &&
      (/^[\dA-Za-z.({\\]/.test(next) || next === '[') &&
      !['\\}', '\\%', '\\|', '\\cdot', '\\times', '\\div', '\\pm'].includes(next)
    )
  }

  #power(): Formula {
    let base = this.#atom()
    for (;;) {
      if (this.#accept('!')) base = { kind: 'call', name: 'factorial', of: base }
      else if (this.#accept('%', '\\%')) base = { kind: 'product', parts: [base, inverse(number(100))] }
      else if (this.#accept('^', '**')) {
        // Degrees are a unit.
        if (this.#accept('\\circ')) continue
        if (this.#next === '{' && this.#tokens[this.#at + 1] === '\\circ' && this.#tokens[this.#at + 2] === '}') {
          this.#at += 3
          continue
        }
        base = { kind: 'power', base, exponent: this.#argument() }
      } else return base
    }
  }

  /** The argument of ^, _ or a command: a group in braces, or one token. */
  #argument(): Formula {
    if (this.#next === '{') return this.#group('{')
    if (this.#accept('-')) return negative(this.#argument())
    const token = this.#next
    if (token !== undefined && /^\d/.test(token) && token.length > 1) {
      // Without braces a command takes one digit; after ^ the whole number is meant.
      this.#at++
      return numberOf(token)
    }
    return this.#atom()
  }

  #group(open: string): Formula {
    this.#expect(open)
    const inner = this.sum()
    this.#expect(closes[open]!)
    return inner
  }

  #atom(): Formula {
    const token = this.#next
    if (token === undefined) throw new Unreadable()
    if (/^[\d.]/.test(token)) {
      this.#at++
      if (!this.#mixedNumbers || !/^\d+$/.test(token) || !this.#startsPlainFraction()) return numberOf(token)
      return { kind: 'sum', parts: [numberOf(token), this.#atom()] }
    }
    if (token in closes) return this.#group(token)
    if (token === '|') {
      this.#at++
      const of = this.sum()
      this.#expect('|')
      return { kind: 'call', name: 'abs', of }
    }
    if (/^[A-Za-z]$/.test(token) || greek.test(token)) {
      this.#at++
      return this.#symbol(token)
    }
    return this.#command(token)
  }

  /** Whether a fraction of two whole numbers follows. */
  #startsPlainFraction(): boolean {
    return /^\\[dt]?frac \{ \d+ \} \{ \d+ \}$/.test(this.#tokens.slice(this.#at, this.#at + 7).join(' '))
  }

  #symbol(name: string): Formula {
    let full = name
    while (this.#accept("'")) full += "'"
    if (!this.#accept('_')) return { kind: 'symbol', name: full }
    return { kind: 'symbol', name: `${full}_${this.#written()}` }
  }

  /** The raw text in braces, or the next token. */
  #written(): string {
    if (!this.#accept('{')) {
      const token = this.#next
      if (token === undefined) throw new Unreadable()
      this.#at++
      return token
    }
    let text = ''
    for (let depth = 1; ; ) {
      const token = this.#next
      if (token === undefined) throw new Unreadable()
      this.#at++
      if (token === '{') depth++
      if (token === '}' && --depth === 0) return text
      text += token
    }
  }

  #command(token: string): Formula {
    this.#at++
    if (/^\\[dt]?frac$/.test(token)) return this.#fraction()
    if (/^\\[dt]?binom$/.test(token)) return this.#binomial()
    if (token === '\\sqrt') return this.#root()
    if (accents.has(token)) return this.#symbol(`${token}{${this.#written().toLowerCase()}}`)
    if (plainWords.has(token)) return this.#group('{')
    const name = token.slice(1)
    if (token.startsWith('\\') && Object.hasOwn(functions, name)) return this.#call(name)
    throw new Unreadable()
  }

  #fraction(): Formula {
    const above = this.#fractionPart()
    return { kind: 'product', parts: [above, inverse(this.#fractionPart())] }
  }

  #binomial(): Formula {
    const [all, some] = [this.#group('{'), this.#group('{')]
    const factorial = (of: Formula): Formula => ({ kind: 'call', name: 'factorial', of })
    const rest: Formula = { kind: 'sum', parts: [all, negative(some)] }
    return { kind: 'product', parts: [factorial(all), inverse(factorial(some)), inverse(factorial(rest))] }
  }

  #fractionPart(): Formula {
    if (this.#next === '{') return this.#group('{')
    const token = this.#next
    if (!this.#shortFractions || token === undefined) throw new Unreadable()
    if (!/^\d\d+$/.test(token))
      return this.#atom()
      // \frac12: the digits of one number are two arguments.
    ;(this.#tokens as string[]).splice(this.#at, 1, token[0]!, token.slice(1))
    this.#at++
    return numberOf(token[0]!)
  }

  #root(): Formula {
    const degree = this.#next === '[' ? this.#group('[') : number(2)
    if (this.#next !== '{' && !this.#shortFractions) throw new Unreadable()
    const base = this.#next === '{' ? this.#group('{') : this.#atom()
    return { kind: 'power', base, exponent: inverse(degree) }
  }

  #call(name: string): Formula {
    const base = name === 'log' && this.#accept('_') ? this.#argument() : undefined
    const exponent = this.#accept('^') ? this.#argument() : undefined
    const of = this.#next === '(' || this.#next === '{' ? this.#power() : this.#plainProduct()
    const called: Formula = base
      ? { kind: 'product', parts: [{ kind: 'call', name: 'ln', of }, inverse({ kind: 'call', name: 'ln', of: base })] }
      : { kind: 'call', name, of }
    return exponent ? { kind: 'power', base: called, exponent } : called
  }

  /** The argument of a function without brackets: \sin 2x. */
  #plainProduct(): Formula {
    const parts = [this.#power()]
    while (this.#startsAtom() && !(this.#next!.startsWith('\\') && Object.hasOwn(functions, this.#next!.slice(1))) && this.#next !== '(')
      parts.push(this.#power())
    return parts.length === 1 ? parts[0]! : { kind: 'product', parts }
  }
}

function numberOf(token: string): Formula {
  const value = Number(token.replaceAll(',', ''))
  return token.includes('.') ? { kind: 'number', value, isDecimal: true } : number(value)
}
