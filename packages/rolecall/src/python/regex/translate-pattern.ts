import { PromptError } from '@rolecall/core/internal/errors'
import { type ClassItem, classOf, digitClass, spaceClass, wordClass } from './character-class.ts'

/** Python's flags i, s, m, x and a. */
export type PatternFlags = { ignoreCase: boolean; dotAll: boolean; multiline: boolean; verbose: boolean; ascii: boolean }

/** Characters that `re` takes for a letter when case does not count, besides its other case. */
const furtherCases: Readonly<Record<string, string>> = { i: '\u0130\u0131', k: '\u212a', s: '\u017f' }

const flagLetters: Record<string, keyof PatternFlags | undefined> = {
  i: 'ignoreCase',
  s: 'dotAll',
  m: 'multiline',
  x: 'verbose',
  a: 'ascii',
}

// JavaScript's own, without its flag m. V8 also looks between the two halves of a character, where `(?![^\\n])` would hold.
const start = '^'

const end = '$'

const lineStart = '(?:^|(?<=\\n))'

const lineEnd = '(?:$|(?=\\n))'

const controlEscapes: Record<string, number | undefined> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7 }

/**
 * A pattern of Python's `re` as the source of a JavaScript RegExp with the flag v: Unicode `\d`, `\w`, `\b`, Python's
 * white space, `$` before a final newline, `.` that stops at `\n` only. What JavaScript cannot express is refused. Not so with
 * two things that hardly occur: a reference to a group that took no part matches nothing in Python and the empty text here, and
 * after an empty match Python tries the same position once more.
 */
export function translatePattern(pattern: string, given: Partial<PatternFlags>): { source: string; flags: PatternFlags } {
  const translator = new Translator(pattern, {
    ignoreCase: false,
    dotAll: false,
    multiline: false,
    verbose: false,
    ascii: false,
    ...given,
  })
  return { source: translator.whole(), flags: translator.flags }
}

class Translator {
  readonly flags: PatternFlags
  readonly #characters: readonly string[]
  #at = 0
  /** Whether the group around does not mind case. */
  #folds = false

  constructor(
    readonly pattern: string,
    flags: PatternFlags,
  ) {
    this.flags = flags
    this.#characters = [...pattern]
  }

  whole(): string {
    this.#leadingFlags()
    const source = this.#alternatives()
    if (this.#at < this.#characters.length) this.#fail('a parenthesis is closed that was not opened')
    return source
  }

  #leadingFlags(): void {
    for (let found = this.#flagGroup(); found; found = this.#flagGroup()) {
      for (const letter of found) {
        const name = flagLetters[letter]
        if (name) this.flags[name] = true
        else if (letter !== 'u') this.#fail(`the flag "${letter}" is not known here`)
      }
    }
  }

  #flagGroup(): string | undefined {
    const found = /^\(\?([a-zA-Z]+)\)/.exec(this.#characters.slice(this.#at, this.#at + 12).join(''))
    if (found) this.#at += [...found[0]].length
    return found?.[1]
  }

  #alternatives(): string {
    const parts = [this.#sequence()]
    while (this.#peek() === '|') {
      this.#at++
      parts.push(this.#sequence())
    }
    return parts.join('|')
  }

  #sequence(): string {
    let source = ''
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek()) {
      if (this.flags.verbose && this.#skipVerbose()) continue
      const atom = this.#atom()
      source += atom.source + this.#quantifier(atom)
    }
    return source
  }

  #skipVerbose(): boolean {
    if (/^[ \t\n\r\f\v]$/.test(this.#peek()!)) {
      this.#at++
      return true
    }
    if (this.#peek() !== '#') return false
    while (this.#peek() !== undefined && this.#peek() !== '\n') this.#at++
    return true
  }

  /** One thing to match, and whether it may be repeated. */
  #atom(): { source: string; repeats: boolean } {
    const character = this.#next()
    switch (character) {
      case '.':
        return { source: this.flags.dotAll ? '[\\s\\S]' : '[^\\n]', repeats: true }
      case '^':
        return { source: this.flags.multiline ? lineStart : start, repeats: false }
      case '$':
        return { source: this.flags.multiline ? lineEnd : `(?=\\n?${end})`, repeats: false }
      case '[':
        return { source: this.#class(), repeats: true }
      case '(':
        return this.#group()
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        return this.#fail(`there is nothing to repeat before "${character}"`)
      case '{':
        if (this.#bounds(this.#at)) return this.#fail('there is nothing to repeat before "{"')
        return { source: '\\{', repeats: true }
      default:
        return { source: this.#literal(character), repeats: true }
    }
  }

  #quantifier({ repeats }: { repeats: boolean }): string {
    const next = this.#peek()
    let source = ''
    if (next === '*' || next === '+' || next === '?') {
      source = next
      this.#at++
    } else if (next === '{') {
      const found = this.#bounds(this.#at + 1)
      if (!found) return ''
      this.#at += 1 + found.length
      source = `{${found.least}${found.comma ? `,${found.most}` : ''}}`
    } else return ''
    if (!repeats) this.#fail('there is nothing to repeat before a quantifier')
    if (this.#peek() === '?') {
      this.#at++
      source += '?'
    } else if (this.#peek() === '+') this.#fail('possessive quantifiers are not supported')
    else if (this.#peek() === '*' || (this.#peek() === '{' && this.#bounds(this.#at + 1))) this.#fail('something is repeated twice')
    return source
  }

  /** `{2}`, `{2,}`, `{,3}`, `{2,3}` after the brace; anything else is a brace like any character. */
  #bounds(from: number): { least: string; most: string; comma: boolean; length: number } | undefined {
    const found = /^(\d*)(,?)(\d*)\}/.exec(this.#characters.slice(from, from + 24).join(''))
    if (!found || (found[1] === '' && found[3] === '' && found[2] === '') || (found[1] === '' && found[2] === '')) return undefined
    if (found[1] === '' && found[3] === '') return { least: '0', most: '', comma: true, length: found[0].length }
    return { least: found[1] || '0', most: found[3]!, comma: found[2] === ',', length: found[0].length }
  }

  #group(): { source: string; repeats: boolean } {
    if (this.#peek() !== '?') return { source: `(${this.#inside()})`, repeats: true }
    this.#at++
    const kind = this.#next()
    switch (kind) {
      case ':':
        return { source: `(?:${this.#inside()})`, repeats: true }
      case '#':
        while (this.#next() !== ')') {}
        return { source: '', repeats: false }
      case '=':
      case '!':
        return { source: `(?:(?${kind}${this.#inside()}))`, repeats: true }
      case '<': {
        const side = this.#next()
        if (side !== '=' && side !== '!') return this.#fail('a group begins with "(?<"; a name is written (?P<name>…)')
        return { source: `(?:(?<${side}${this.#inside()}))`, repeats: true }
      }
      case 'P':
        return this.#named()
      default:
        return this.#scopedFlags(kind) ?? this.#fail(`a group that begins with "(?${kind}" is not supported`)
    }
  }

  /** `(?i:…)`, `(?-i:…)`: flags of this group. */
  #scopedFlags(first: string): { source: string; repeats: boolean } | undefined {
    const [written, on = '', off = ''] =
      /^([imsx]*)(?:-([imsx]+))?:/.exec(first + this.#characters.slice(this.#at, this.#at + 10).join('')) ?? []
    if (written === undefined) return undefined
    this.#at += written.length - 1
    const before = { ...this.flags }
    // JavaScript's own flag is for the whole pattern.
    const folded = this.#folds
    if (off.includes('i') && this.flags.ignoreCase) this.#fail('a group that minds case in a pattern that does not is not supported')
    this.#folds = off.includes('i') ? false : folded || (on.includes('i') && !this.flags.ignoreCase)
    for (const letter of on.replace('i', '')) this.flags[flagLetters[letter]!] = true
    for (const letter of off.replace('i', '')) this.flags[flagLetters[letter]!] = false
    const source = `(?:${this.#inside()})`
    Object.assign(this.flags, before)
    this.#folds = folded
    return { source, repeats: true }
  }

  #named(): { source: string; repeats: boolean } {
    const kind = this.#next()
    if (kind !== '<' && kind !== '=') return this.#fail(`"(?P${kind}" is not known`)
    let name = ''
    const close = kind === '<' ? '>' : ')'
    for (let next = this.#next(); next !== close; next = this.#next()) name += next
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) this.#fail(`"${name}" is not a name for a group`)
    return { source: kind === '<' ? `(?<${name}>${this.#inside()})` : `\\k<${name}>`, repeats: true }
  }

  #inside(): string {
    const source = this.#alternatives()
    if (this.#peek() !== ')') this.#fail('a parenthesis is not closed')
    this.#at++
    return source
  }

  #escape(): { source: string; repeats: boolean } {
    const character = this.#next('the pattern ends with a backslash')
    const named = this.#category(character)
    if (named) return { source: classOf([named], false), repeats: true }
    const word = classOf([wordClass(this.flags.ascii)], false)
    switch (character) {
      case 'A':
        return { source: start, repeats: false }
      case 'Z':
        return { source: end, repeats: false }
      case 'b':
        return { source: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`, repeats: false }
      case 'B':
        return { source: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`, repeats: false }
    }
    const octal = /^[0-3][0-7]{2}/.exec(character + this.#characters.slice(this.#at, this.#at + 2).join(''))?.[0]
    if (octal !== undefined) {
      this.#at += 2
      return { source: this.#literal(String.fromCodePoint(Number.parseInt(octal, 8))), repeats: true }
    }
    if (/[1-9]/.test(character)) {
      const second = this.#peek()
      const digits = second !== undefined && /\d/.test(second) ? character + this.#next() : character
      return { source: `(?:\\${digits})`, repeats: true }
    }
    return { source: this.#literal(String.fromCodePoint(this.#escapedCode(character))), repeats: true }
  }

  /** `\d`, `\W` and so on. */
  #category(character: string): ClassItem | undefined {
    switch (character.toLowerCase()) {
      case 'd':
        return digitClass(this.flags.ascii, character === 'D')
      case 'w':
        return wordClass(this.flags.ascii, character === 'W')
      case 's':
        return spaceClass(this.flags.ascii, character === 'S')
      default:
        return undefined
    }
  }

  #escapedCode(character: string): number {
    const control = controlEscapes[character]
    if (control !== undefined) return control
    const width = { x: 2, u: 4, U: 8 }[character]
    if (width !== undefined) {
      const digits = this.#characters.slice(this.#at, this.#at + width).join('')
      if (!new RegExp(`^[0-9a-fA-F]{${width}}$`).test(digits)) this.#fail(`"\\${character}" needs ${width} hexadecimal digits`)
      this.#at += width
      return Number.parseInt(digits, 16)
    }
    if (character === '0') {
      const digits = /^[0-7]{0,2}/.exec(this.#characters.slice(this.#at, this.#at + 2).join(''))![0]
      this.#at += digits.length
      return Number.parseInt(`0${digits}`, 8)
    }
    if (/[a-zA-Z0-9]/.test(character)) this.#fail(`the escape "\\${character}" is not known`)
    return character.codePointAt(0)!
  }

  #class(): string {
    const negated = this.#peek() === '^'
    if (negated) this.#at++
    const items: ClassItem[] = []
    for (let first = true; ; first = false) {
      const character = this.#next('a set of characters is not closed')
      if (character === ']' && !first) break
      const from = this.#classItem(character)
      if (this.#peek() !== '-' || this.#peek(1) === ']') {
        items.push(typeof from === 'object' ? from : { from, to: from })
        continue
      }
      this.#at++
      const to = this.#classItem(this.#next('a set of characters is not closed'))
      if (typeof from === 'object' || typeof to === 'object') return this.#fail('a range goes from one character to another')
      if (to < from) return this.#fail('a range of characters is the wrong way round')
      items.push({ from, to })
    }
    return classOf(this.#folds ? items.flatMap((item) => this.#bothCases(item)) : items, negated, this.flags.ignoreCase)
  }

  #classItem(character: string): number | ClassItem {
    if (character !== '\\') return character.codePointAt(0)!
    const escaped = this.#next('a set of characters is not closed')
    if (escaped === 'b') return 8
    const category = this.#category(escaped)
    if (category) return category
    if (/[0-7]/.test(escaped)) {
      const digits = /^[0-7]{0,2}/.exec(this.#characters.slice(this.#at, this.#at + 2).join(''))![0]
      this.#at += digits.length
      return Number.parseInt(escaped + digits, 8)
    }
    return this.#escapedCode(escaped)
  }

  /** A part of a class with both cases of its letters, as `re` compares them; ASCII only. */
  #bothCases(item: ClassItem): ClassItem[] {
    if (typeof item !== 'object' || !('from' in item) || !('to' in item)) return [item]
    const { from, to } = item
    if (to > 0x7f && /\p{L}/u.test(String.fromCodePoint(to))) this.#fail('"(?i:…)" around letters that are not ASCII is not supported')
    const parts: ClassItem[] = [item]
    for (const [start, shift] of [
      [0x41, 32],
      [0x61, -32],
    ] as const) {
      const [low, high] = [Math.max(from, start), Math.min(to, start + 25)]
      if (low > high) continue
      parts.push({ from: low + shift, to: high + shift })
      for (const [letter, others] of Object.entries(furtherCases)) {
        const code = letter.codePointAt(0)! - (start === 0x41 ? 32 : 0)
        if (code >= low && code <= high)
          parts.push(...[...others].map((other) => ({ from: other.codePointAt(0)!, to: other.codePointAt(0)! })))
      }
    }
    return parts
  }

  #literal(character: string): string {
    const code = character.codePointAt(0)!
    if (this.#folds) return classOf(this.#bothCases({ from: code, to: code }), false, false)
    return this.flags.ignoreCase || !/[\p{L}\p{N}]/u.test(character)
      ? classOf([{ from: code, to: code }], false, this.flags.ignoreCase)
      : character
  }

  #peek(ahead = 0): string | undefined {
    return this.#characters[this.#at + ahead]
  }

  #next(problem = 'a parenthesis is not closed'): string {
    return this.#characters[this.#at++] ?? this.#fail(problem)
  }

  #fail(problem: string): never {
    throw new PromptError('bad-pattern', {
      where: `the pattern ${JSON.stringify(this.pattern)}`,
      problem,
      fix: "write it as Python's re module takes it",
    })
  }
}
