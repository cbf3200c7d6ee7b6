import { type PyValue, pyFloat } from '../../../../base/python/index.ts'
import { BadData } from '../bad-data.ts'

/**
 * The value of a Python literal: texts, numbers, True, False, None, lists and tuples. Texts beside each other are one.
 * Nothing is evaluated.
 */
export function pythonLiteral(text: string, place: string): PyValue {
  const reader = new LiteralReader(text, place)
  const value = reader.value()
  reader.end()
  return value
}

const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

class LiteralReader {
  #at = 0

  constructor(
    readonly text: string,
    readonly place: string,
  ) {}

  value(): PyValue {
    this.#space()
    const next = this.text[this.#at]
    if (next === "'" || next === '"') return this.#texts()
    if (next === '[') return this.#items(']')
    if (next === '(') return this.#items(')')
    const word = /[\w.+-]+/y
    word.lastIndex = this.#at
    const found = word.exec(this.text)?.[0] ?? ''
    this.#at += found.length
    if (found === 'True' || found === 'False') return found === 'True'
    if (found === 'None') return null
    if (/^[+-]?\d+$/.test(found)) return Number(found)
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(found)) return pyFloat(Number(found))
    throw this.#bad()
  }

  end(): void {
    this.#space()
    if (this.#at < this.text.length) throw this.#bad()
  }

  #items(close: string): PyValue {
    this.#at++
    const items: PyValue[] = []
    let commas = 0
    for (;;) {
      this.#space()
      if (this.text[this.#at] === close) break
      items.push(this.value())
      this.#space()
      if (this.text[this.#at] === ',') {
        this.#at++
        commas++
      } else if (this.text[this.#at] !== close) throw this.#bad()
    }
    this.#at++
    return close === ')' && items.length === 1 && commas === 0 ? items[0]! : items
  }

  #texts(): string {
    let whole = ''
    while (this.text[this.#at] === "'" || this.text[this.#at] === '"') {
      const quote = this.text[this.#at]!
      this.#at++
      while (this.text[this.#at] !== quote) {
        const character = this.text[this.#at]
        if (character === undefined || character === '\n') throw this.#bad()
        whole += character === '\\' ? this.#escape() : character
        this.#at++
      }
      this.#at++
      this.#space()
    }
    return whole
  }

  #escape(): string {
    const code = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y
    code.lastIndex = this.#at
    const found = code.exec(this.text)
    if (found) {
      this.#at += found[0].length - 1
      return String.fromCodePoint(Number.parseInt((found[1] ?? found[2] ?? found[3])!, 16))
    }
    this.#at++
    const next = this.text[this.#at] ?? ''
    return escapes[next] ?? `\\${next}`
  }

  #space(): void {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at++
  }

  #bad(): BadData {
    return new BadData(`${JSON.stringify(this.text.slice(0, 60))} is not a Python list`, this.place)
  }
}
