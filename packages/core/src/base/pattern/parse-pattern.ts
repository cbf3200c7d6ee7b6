/** Whether a character is in a set, or a position between two characters satisfies an assertion. */
export type CharacterTest = (character: string) => boolean

/** A pattern as a tree. */
export type PatternNode =
  /** `source`: the part of the expression that matches the character. */
  | { kind: 'character'; test: CharacterTest; source: string }
  /** The character before or after this position is in the set, or (`negated`) is absent or not in it. */
  | { kind: 'look'; side: 'before' | 'after'; negated: boolean; test: CharacterTest }
  /** The end of the text, or the newline that ends it. */
  | { kind: 'end'; orNewline: boolean }
  | { kind: 'start' }
  | { kind: 'border'; negated: boolean }
  | { kind: 'sequence'; nodes: readonly PatternNode[] }
  | { kind: 'either'; nodes: readonly PatternNode[] }
  | { kind: 'group'; number: number; node: PatternNode }
  | { kind: 'repeat'; node: PatternNode; least: number; most: number; isLazy: boolean }
  /** Something that is longer than a character begins or ends at this position, or (`negated`) does not. */
  | { kind: 'far-look'; side: 'before' | 'after'; negated: boolean; node: PatternNode }
  /** Cannot be matched in linear time; its content can still be analysed. */
  | { kind: 'unsupported'; problem: string; node?: PatternNode }

export type ParsedPattern = { node: PatternNode; groups: number; names: ReadonlyMap<string, number> }

/** The pattern cannot be matched in linear time (back references, lookaround beyond one character), or is invalid. */
export class UnsupportedPattern extends Error {}

/**
 * Parses the source of a JavaScript regular expression with the flag u or v. Character sets are left to JavaScript's own engine, which
 * tests one character at a time, so that they keep their meaning.
 */
export function parsePattern(source: string, flags: string): ParsedPattern {
  return new PatternReader(source, flags).whole()
}

class PatternReader {
  readonly #source: string
  readonly #setFlags: string
  readonly #names = new Map<string, number>()
  #at = 0
  #groups = 0
  #depth = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#setFlags = flags.replace(/[^iusv]/g, '')
  }

  whole(): ParsedPattern {
    const node = this.#either()
    if (this.#at < this.#source.length) throw new UnsupportedPattern('a parenthesis is closed that was not opened')
    return { node, groups: this.#groups, names: this.#names }
  }

  #either(): PatternNode {
    if (++this.#depth > deepest) throw new UnsupportedPattern('groups are nested too deeply')
    const nodes = [this.#sequence()]
    while (this.#take('|')) nodes.push(this.#sequence())
    this.#depth--
    return nodes.length === 1 ? nodes[0]! : { kind: 'either', nodes }
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = []
    while (this.#at < this.#source.length && this.#source[this.#at] !== '|' && this.#source[this.#at] !== ')') {
      nodes.push(this.#repeated(this.#atom()))
    }
    return nodes.length === 1 ? nodes[0]! : { kind: 'sequence', nodes }
  }

  #atom(): PatternNode {
    const character = this.#character()
    switch (character) {
      case '^':
        return { kind: 'start' }
      case '$':
        return { kind: 'end', orNewline: false }
      case '(':
        return this.#group()
      case '[':
        return this.#set()
      case '\\':
        return this.#escape()
      case '.':
        return this.#testOf('.')
      default:
        return this.#setFlags.includes('i')
          ? this.#testOf(escaped(character))
          : { kind: 'character', test: (one) => one === character, source: escaped(character) }
    }
  }

  /** A set may contain others, in the flag v. */
  #set(): PatternNode {
    const from = this.#at - 1
    for (let open = 1; open > 0; ) {
      const character = this.#character()
      if (character === '\\') this.#character()
      else if (character === '[') open += this.#setFlags.includes('v') ? 1 : 0
      else if (character === ']') open--
    }
    return this.#testOf(this.#source.slice(from, this.#at))
  }

  #escape(): PatternNode {
    const from = this.#at - 1
    const character = this.#character()
    if (character === 'b' || character === 'B') return { kind: 'border', negated: character === 'B' }
    if (/[1-9k]/.test(character)) {
      this.#skip(character === 'k' ? /^<[^>]*>/ : /^\d+/)
      return { kind: 'unsupported', problem: 'it refers back to a group' }
    }
    const rest = /^(?:\{[^}]*\}|[0-9a-fA-F]{2,4})/
    if (character === 'p' || character === 'P' || character === 'u') this.#skip(character === 'u' ? /^(?:\{[^}]*\}|[0-9a-fA-F]{4})/ : rest)
    // A surrogate pair is one character.
    if (character === 'u' && /^\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/i.test(this.#source.slice(from))) this.#at += 6
    if (character === 'x') this.#skip(/^[0-9a-fA-F]{2}/)
    if (character === 'c') this.#skip(/^[a-zA-Z]/)
    return this.#testOf(this.#source.slice(from, this.#at))
  }

  #group(): PatternNode {
    if (!this.#take('?')) return this.#capturing()
    if (this.#take(':')) return this.#inside()
    const look = /^(<?)([=!])/.exec(this.#source.slice(this.#at, this.#at + 2))
    if (look) {
      this.#at += look[0].length
      return this.#look(look[1] === '<' ? 'before' : 'after', look[2] === '!')
    }
    const name = /^<([^>]+)>/.exec(this.#source.slice(this.#at))
    if (!name) throw new UnsupportedPattern('a group of this kind is not known')
    this.#at += name[0].length
    this.#names.set(name[1]!, this.#groups + 1)
    return this.#capturing()
  }

  #capturing(): PatternNode {
    const number = ++this.#groups
    return { kind: 'group', number, node: this.#inside() }
  }

  #inside(): PatternNode {
    const node = this.#either()
    if (!this.#take(')')) throw new UnsupportedPattern('a parenthesis is not closed')
    return node
  }

  /** Looks at one character; or at the end, and the newline that ends a text. */
  #look(side: 'before' | 'after', negated: boolean): PatternNode {
    const text = /^\\n\?(?:\$|\(\?!\[\\s\\S\]\))\)/.exec(this.#source.slice(this.#at))
    if (text && side === 'after' && !negated) {
      this.#at += text[0].length
      return { kind: 'end', orNewline: true }
    }
    const node = this.#inside()
    const test = characterTest(node)
    return test ? { kind: 'look', side, negated, test } : { kind: 'far-look', side, negated, node }
  }

  #repeated(node: PatternNode): PatternNode {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/.exec(this.#source.slice(this.#at))
    if (!found) return node
    this.#at += found[0].length
    const [, sign, from, comma, to, lazy] = found
    const least = sign ? (sign === '+' ? 1 : 0) : Number(from)
    const most = sign ? (sign === '?' ? 1 : Number.POSITIVE_INFINITY) : comma ? (to ? Number(to) : Number.POSITIVE_INFINITY) : Number(from)
    if (most < least) throw new UnsupportedPattern('the numbers of a quantifier are out of order')
    return { kind: 'repeat', node, least, most, isLazy: lazy === '?' }
  }

  #testOf(source: string): PatternNode {
    const expression = setExpression(source, this.#setFlags)
    const known = new Map<string, boolean>()
    const test = (character: string) => {
      const before = known.get(character)
      if (before !== undefined) return before
      const found = expression.test(character)
      if (known.size < mostKnown) known.set(character, found)
      return found
    }
    return { kind: 'character', test, source }
  }

  #character(): string {
    const code = this.#source.codePointAt(this.#at)
    if (code === undefined) throw new UnsupportedPattern('it ends too early')
    const character = String.fromCodePoint(code)
    this.#at += character.length
    return character
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skip(pattern: RegExp): void {
    this.#at += pattern.exec(this.#source.slice(this.#at))?.[0].length ?? 0
  }
}

/** The test of a node that matches exactly one character. */
function characterTest(node: PatternNode): CharacterTest | undefined {
  if (node.kind === 'character') return node.test
  if (node.kind !== 'either') return undefined
  const tests = node.nodes.map(characterTest)
  return tests.every((test) => test !== undefined) ? (character) => tests.some((test) => test(character)) : undefined
}

const deepest = 200
const mostKnown = 1000

function setExpression(source: string, flags: string): RegExp {
  try {
    return new RegExp(`^(?:${source})$`, flags)
  } catch (error) {
    throw new UnsupportedPattern((error as Error).message)
  }
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
}
