import { UnsupportedPattern } from '../parse-pattern.ts'
import { classTests, not, PythonCharacters, propertyTest } from './python-characters.ts'

export type PythonAssertion =
  | 'start'
  | 'line-start'
  | 'end'
  | 'line-end'
  | 'very-end'
  | 'border'
  | 'no-border'
  | 'word-start'
  | 'word-end'
  | 'search-start'

/** A pattern of Python's regex module as a tree. */
export type PyPattern =
  | { kind: 'text'; text: string }
  | { kind: 'set'; set: PythonCharacters }
  | { kind: 'any' }
  | { kind: 'sequence'; nodes: readonly PyPattern[] }
  | { kind: 'either'; nodes: readonly PyPattern[] }
  | { kind: 'repeat'; node: PyPattern; least: number; most: number; how: 'greedy' | 'lazy' | 'possessive' }
  | { kind: 'group'; number: number; node: PyPattern }
  | { kind: 'look'; behind: boolean; negated: boolean; node: PyPattern }
  | { kind: 'atomic'; node: PyPattern }
  | { kind: 'assert'; what: PythonAssertion }
  | { kind: 'back-reference'; group: number; ignoreCase: boolean }

export type ParsedPyPattern = { node: PyPattern; groups: number; names: ReadonlyMap<string, number> }

/** The pattern is none: Python's compiler refuses it as well. */
export class InvalidPattern extends Error {
  constructor(
    readonly problem: string,
    readonly at: number,
  ) {
    super(`${problem} at position ${at}`)
  }
}

/**
 * Parses a pattern of Python's `regex` module with its flag DOTALL. Throws an `InvalidPattern` for what the module refuses too, and an
 * `UnsupportedPattern` for what is not supported here: recursion, fuzzy matching, verbs, conditions, `\K`.
 */
export function parsePythonPattern(source: string): ParsedPyPattern {
  return new PythonPatternReader(source).whole()
}

type Flags = { i: boolean; m: boolean; x: boolean; s: boolean; a: boolean }

const deepest = 100

class PythonPatternReader {
  readonly #source: string
  readonly #names = new Map<string, number>()
  readonly #open = new Set<number>()
  readonly #references: { name: string; node: { group: number }; at: number }[] = []
  #at = 0
  #groups = 0
  #depth = 0
  #flags: Flags = { i: false, m: false, x: false, s: true, a: false }

  constructor(source: string) {
    this.#source = source
  }

  whole(): ParsedPyPattern {
    const node = this.#either()
    if (this.#at < this.#source.length) this.#fail('unbalanced parenthesis')
    for (const { name, node, at } of this.#references) node.group = this.#groupNamed(name, at)
    return { node, groups: this.#groups, names: this.#names }
  }

  #fail(problem: string, at = this.#at): never {
    throw new InvalidPattern(problem, at)
  }

  #groupNamed(name: string, at: number): number {
    if (!/^\d+$/u.test(name)) return this.#names.get(name) ?? this.#fail('unknown group', at)
    const number = Number(name)
    return number >= 1 && number <= this.#groups ? number : this.#fail('invalid group reference', at)
  }

  #either(isBranchReset = false): PyPattern {
    if (++this.#depth > deepest) throw new UnsupportedPattern('groups are nested too deeply')
    const flags = this.#flags
    const from = this.#groups
    let most = from
    const nodes: PyPattern[] = []
    do {
      if (isBranchReset) this.#groups = from
      nodes.push(this.#sequence())
      most = Math.max(most, this.#groups)
    } while (this.#take('|'))
    if (isBranchReset) this.#groups = most
    this.#flags = flags
    this.#depth--
    return nodes.length === 1 ? nodes[0]! : { kind: 'either', nodes }
  }

  #sequence(): PyPattern {
    const nodes: PyPattern[] = []
    for (;;) {
      if (this.#flags.x) this.#skip(/(?:\s|#[^\n]*)+/uy)
      const next = this.#source[this.#at]
      if (next === undefined || next === '|' || next === ')') break
      const atom = this.#atom()
      if (atom === undefined) continue
      const node = this.#repeated(atom)
      const last = nodes.at(-1)
      if (node.kind === 'text' && last?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', text: last.text + node.text }
      else nodes.push(node)
    }
    return nodes.length === 1 ? nodes[0]! : { kind: 'sequence', nodes }
  }

  #atom(): PyPattern | undefined {
    const from = this.#at
    const character = this.#character()
    switch (character) {
      case '.':
        return this.#flags.s ? { kind: 'any' } : setOf((one) => one !== '\n')
      case '^':
        return { kind: 'assert', what: this.#flags.m ? 'line-start' : 'start' }
      case '$':
        return { kind: 'assert', what: this.#flags.m ? 'line-end' : 'end' }
      case '(':
        return this.#group()
      case '[':
        return this.#set()
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        return this.#fail('nothing to repeat', from)
      case '{':
        if (this.#quantifierAt(from)) this.#fail('nothing to repeat', from)
    }
    return this.#literal(character)
  }

  #literal(character: string): PyPattern {
    if (!this.#flags.i) return { kind: 'text', text: character }
    const test = this.#cased((one) => one === character)
    return test === undefined ? { kind: 'text', text: character } : setOf(test)
  }

  /** A test that ignores case, where that is asked for. */
  #cased(test: (character: string) => boolean): (character: string) => boolean {
    return this.#flags.i ? (one) => foldings(one).some(test) : test
  }

  #quantifierAt(at: number): RegExpExecArray | null {
    quantifier.lastIndex = at
    return quantifier.exec(this.#source)
  }

  #repeated(node: PyPattern): PyPattern {
    if (this.#flags.x) this.#skip(/(?:\s|#[^\n]*)+/uy)
    const from = this.#at
    const found = this.#quantifierAt(from)
    if (!found) {
      fuzzy.lastIndex = from
      if (fuzzy.test(this.#source)) throw new UnsupportedPattern('it matches approximately (fuzzy matching)')
      return node
    }
    this.#at += found[0].length
    const { sign, exact, from: low = '', to = '', how } = found.groups!
    const least = sign ? (sign === '+' ? 1 : 0) : Number(exact ?? (low || 0))
    const most = sign ? (sign === '?' ? 1 : Number.POSITIVE_INFINITY) : exact ? least : to ? Number(to) : Number.POSITIVE_INFINITY
    if (most < least) this.#fail('min repeat greater than max repeat', from + 1)
    if (this.#quantifierAt(this.#at)) this.#fail('multiple repeat')
    return { kind: 'repeat', node, least, most, how: how === '?' ? 'lazy' : how === '+' ? 'possessive' : 'greedy' }
  }

  #group(): PyPattern | undefined {
    if (this.#take('*')) {
      const verb = this.#skip(/[A-Z]+(?=\))/uy)
      if (verb === undefined) this.#fail(this.#at < this.#source.length ? 'unknown verb' : 'nothing to repeat', this.#at)
      this.#at++
      if (verb === 'FAIL' || verb === 'F') return { kind: 'either', nodes: [] }
      if (verb === 'SKIP' || verb === 'PRUNE') throw new UnsupportedPattern(`it has the verb (*${verb})`)
      this.#fail('unknown verb')
    }
    if (!this.#take('?')) return this.#capturing()
    if (this.#take(':')) return this.#inside()
    if (this.#take('>')) return { kind: 'atomic', node: this.#inside() }
    if (this.#take('|')) return this.#inside(true)
    const look = this.#skip(/<?[=!]/uy)
    if (look !== undefined) return { kind: 'look', behind: look.startsWith('<'), negated: look.endsWith('!'), node: this.#inside() }
    if (this.#take('#')) {
      if (this.#skip(/[^)]*\)/uy) === undefined) this.#fail('missing )', this.#source.length)
      return undefined
    }
    if (this.#skip(/P?</uy) !== undefined) return this.#capturing(this.#name('>'))
    if (this.#skip(/P=/uy) !== undefined) return this.#reference(this.#name(')'))
    if (this.#skip(/(?:R|\d+|[+-]\d+|&|P>)/uy) !== undefined) throw new UnsupportedPattern('it calls itself (recursion)')
    if (this.#take('(')) throw new UnsupportedPattern('it has a condition, (?(group)yes|no)')
    return this.#flagged()
  }

  #flagged(): PyPattern | undefined {
    const from = this.#at
    const found = this.#skip(/[a-zA-Z0-9]*(?:-[a-z]+)?[:)]/uy)
    if (found === undefined) this.#fail('unknown extension', from)
    const [on = '', off = ''] = found.slice(0, -1).split('-')
    const flags = { ...this.#flags }
    for (const [letters, value] of [
      [on.replace(/V[01]/u, ''), true],
      [off, false],
    ] as const) {
      for (const letter of letters) {
        if (letter === 'i' || letter === 'm' || letter === 'x' || letter === 's' || letter === 'a') flags[letter] = value
        else if (letter === 'r' || letter === 'b' || letter === 'e' || letter === 'p' || letter === 'L' || letter === 'w')
          throw new UnsupportedPattern(`it has the flag (?${letter})`)
        else if (letter !== 'u' && letter !== 'f') this.#fail('unknown extension', from)
      }
    }
    if (on.includes('V1')) throw new UnsupportedPattern('it has the flag (?V1)')
    const outer = this.#flags
    this.#flags = flags
    if (found.endsWith(')')) return undefined
    const node = this.#inside()
    this.#flags = outer
    return node
  }

  #name(end: string): string {
    const from = this.#at
    const close = this.#source.indexOf(end, from)
    const name = close < 0 ? this.#source.slice(from) : this.#source.slice(from, close)
    if (name === '') this.#fail('missing group name')
    if (close < 0) this.#fail(`missing ${end}`, this.#source.length)
    if (!/^(?:[\p{L}_][\p{L}\p{M}\p{N}_]*|\d+)$/u.test(name)) this.#fail('bad character in group name', from)
    this.#at = close + 1
    return name
  }

  #reference(name: string): PyPattern {
    if (this.#open.has(this.#names.get(name) ?? Number(name))) this.#fail('cannot refer to an open group')
    const node = { kind: 'back-reference' as const, group: 0, ignoreCase: this.#flags.i }
    this.#references.push({ name, node, at: this.#at })
    return node
  }

  #capturing(name?: string): PyPattern {
    if (name !== undefined && /^\d/u.test(name)) this.#fail('bad character in group name')
    // Groups of the same name are one group.
    const number = (name === undefined ? undefined : this.#names.get(name)) ?? ++this.#groups
    if (name !== undefined) this.#names.set(name, number)
    this.#open.add(number)
    const node = this.#inside()
    this.#open.delete(number)
    return { kind: 'group', number, node }
  }

  #inside(isBranchReset = false): PyPattern {
    const node = this.#either(isBranchReset)
    if (!this.#take(')')) this.#fail('missing )')
    return node
  }

  #escape(): PyPattern {
    const next = this.#source[this.#at]
    if (next === undefined) this.#fail('bad escape (end of pattern)')
    if (/[1-9]/u.test(next) && !/^[0-7]{3}/u.test(this.#source.slice(this.#at, this.#at + 3)))
      return this.#reference(this.#skip(/\d{1,2}/uy)!)
    const assertion = assertions[next]
    if (assertion !== undefined) {
      this.#at++
      return { kind: 'assert', what: assertion }
    }
    if (next === 'g' && this.#source[this.#at + 1] === '<') {
      this.#at += 2
      return this.#reference(this.#name('>'))
    }
    const refusal = refused[next]
    if (refusal !== undefined) throw new UnsupportedPattern(refusal)
    if (next === 'R') {
      this.#at++
      return {
        kind: 'atomic',
        node: { kind: 'either', nodes: [{ kind: 'text', text: '\r\n' }, setOf((one) => /^[\n\v\f\r\x85\u2028\u2029]$/u.test(one))] },
      }
    }
    const test = this.#class()
    return test === undefined ? this.#literal(this.#escaped()) : setOf(test)
  }

  /** `\d`, `\p{…}` and the like, behind the backslash. */
  #class(): ((character: string) => boolean) | undefined {
    const next = this.#source[this.#at]!
    const lower = next.toLowerCase()
    const { a: isAscii } = this.#flags
    if (classTests[lower] !== undefined && next !== 'H') {
      this.#at++
      const known = classTests[lower]
      const test = isAscii ? (one: string) => one < '\x80' && known(one) : known
      return next === lower ? test : not(test)
    }
    if (next === 'N' && this.#source[this.#at + 1] !== '{') {
      this.#at++
      return (one) => one !== '\n'
    }
    if (lower !== 'p') return undefined
    const name = this.#skip(/[pP](?:\{\^?[^{}]+\}|[A-Za-z])/uy)
    if (name === undefined) return undefined
    const inner = name.slice(1).replace(/^\{(.*)\}$/u, '$1')
    const test = propertyTest(inner.replace(/^\^/u, ''))
    if (test === undefined) this.#fail('unknown property')
    return this.#cased((next === 'P') === inner.startsWith('^') ? test : not(test))
  }

  /** The character that an escape stands for. */
  #escaped(): string {
    const digits = this.#skip(/x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/uy)
    if (digits !== undefined) {
      const code = Number.parseInt(digits.slice(1), 16)
      return code > 0x10ffff ? this.#fail('bad escape') : String.fromCodePoint(code)
    }
    const octal = this.#skip(/0[0-7]{0,2}|[1-7][0-7]{2}/uy)
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    const character = this.#character()
    if ('xuU'.includes(character)) this.#fail(`incomplete escape \\${character}`)
    if (character === 'N') throw new UnsupportedPattern('it names a character, \\N{…}')
    const control = controls[character]
    if (control !== undefined) return control
    if (/[a-zA-Z]/u.test(character) && !'gp'.includes(character)) this.#fail(`bad escape \\${character}`)
    return character
  }

  #set(): PyPattern {
    const isNegated = this.#take('^')
    const tests: ((character: string) => boolean)[] = []
    for (let isFirst = true; ; isFirst = false) {
      if (this.#at >= this.#source.length) this.#fail('unterminated character set')
      if (!isFirst && this.#take(']')) break
      const low = this.#setItem()
      if (typeof low !== 'string') {
        tests.push(low)
        continue
      }
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']' && this.#at + 1 < this.#source.length
      if (!isRange) {
        tests.push((one) => one === low)
        continue
      }
      this.#at++
      const high = this.#setItem()
      if (typeof high !== 'string') {
        tests.push((one) => one === low || one === '-', high)
        continue
      }
      const [first, last] = [low.codePointAt(0)!, high.codePointAt(0)!]
      if (first > last) this.#fail('bad character range')
      tests.push((one) => one.codePointAt(0)! >= first && one.codePointAt(0)! <= last)
    }
    const test = this.#cased((one) => tests.some((has) => has(one)))
    return setOf(isNegated ? not(test) : test)
  }

  #setItem(): string | ((character: string) => boolean) {
    const posix = this.#skip(/\[:\^?[a-zA-Z_]+:\]/uy)
    if (posix !== undefined) {
      const name = posix.slice(2, -2)
      const test = propertyTest(name.replace(/^\^/u, '')) ?? this.#fail('unknown property')
      return name.startsWith('^') ? not(test) : test
    }
    const character = this.#character()
    if (character !== '\\') return character
    if (this.#at >= this.#source.length) this.#fail('bad escape (end of pattern)')
    if (this.#take('b')) return '\b'
    return this.#class() ?? this.#escaped()
  }

  #character(): string {
    const code = this.#source.codePointAt(this.#at)
    const character = code === undefined ? this.#fail('it ends too early') : String.fromCodePoint(code)
    this.#at += character.length
    return character
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skip(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)?.[0]
    this.#at += found?.length ?? 0
    return found
  }
}

const quantifier = /(?:(?<sign>[*+?])|\{(?:(?<exact>\d+)|(?<from>\d*),(?<to>\d*))\})(?<how>[?+]?)/uy
const fuzzy = /\{(?:\d+<=?)?[iseds0-9<>=+, ]*[ised](?:<=?\d+)?[^{}]*\}/uy

const assertions: Readonly<Record<string, PythonAssertion>> = {
  A: 'start',
  Z: 'very-end',
  z: 'very-end',
  b: 'border',
  B: 'no-border',
  m: 'word-start',
  M: 'word-end',
  G: 'search-start',
}

const refused: Readonly<Record<string, string>> = {
  K: 'it moves the start of its match, \\K',
  X: 'it matches graphemes, \\X',
  L: 'it refers to a named list, \\L<…>',
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', a: '\x07' }

function setOf(test: (character: string) => boolean): PyPattern {
  return { kind: 'set', set: new PythonCharacters(test) }
}

/** A character and those that differ from it only by case. */
function foldings(character: string): string[] {
  const upper = character.toUpperCase()
  const lower = character.toLowerCase()
  const all = [character, upper, lower, upper.toLowerCase(), lower.toUpperCase()]
  if ('kK\u212a'.includes(character)) all.push('k', 'K', '\u212a')
  if ('sS\u017f'.includes(character)) all.push('s', 'S', '\u017f')
  return all
}
