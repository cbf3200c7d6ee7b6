import { compileProgram, type FarLook } from './compile-program.ts'
import { isPair, LazyAutomaton } from './lazy-automaton.ts'
import { type PatternNode, parsePattern, UnsupportedPattern } from './parse-pattern.ts'
import type { StepBudget } from './step-budget.ts'

/**
 * A global RegExp whose matching is bounded, for code that takes a RegExp of a stranger: `match`, `matchAll`, `replaceAll` and `split` of
 * strings use its automaton, which takes a step for a character, and the steps are charged to a budget. Matches have no groups. Patterns
 * with back references throw an `UnsupportedPattern`.
 */
export class BoundedRegExp extends RegExp {
  readonly #automaton: LazyAutomaton
  readonly #node: PatternNode
  readonly #farLooks: readonly FarLook[]
  readonly #looks: readonly LazyAutomaton[]
  readonly #budget: StepBudget
  #starts: LazyAutomaton | undefined

  constructor(source: string, budget: StepBudget) {
    super(source, 'gu')
    this.#node = parsePattern(source, 'u').node
    const farLooks: FarLook[] = []
    this.#automaton = new LazyAutomaton(...withLooks(this.#node, farLooks))
    this.#farLooks = farLooks
    // Compiled now, so that what is not supported is known before the first text.
    this.#looks = farLooks.map(automatonOf)
    this.#budget = budget
  }

  /** The starts and ends of all matches, as `matchAll` finds them: start, end, start, end, … */
  places(text: string): number[] {
    const far = this.#farLooks.length === 0 ? undefined : this.#farLooksIn(text)
    const found: number[] = []
    let starts: Uint8Array | undefined
    for (let at = 0, failed = 0; at <= text.length; ) {
      at = this.#automaton.nextStart(text, at, this.#budget, far)
      const end = starts && starts[at] === 0 ? -1 : this.#automaton.end(text, at, this.#budget, far)
      if (end >= 0) found.push(at, end)
      if (end > at) {
        at = end
        continue
      }
      // Where matching fails again and again after many characters, one pass backwards says where it need not be tried.
      if (end < 0 && !starts) {
        failed += this.#automaton.steps
        if (failed > 1000 + 4 * text.length) starts = this.#startsIn(text, far)
      }
      at += isPair(text, at) ? 2 : 1
    }
    return found
  }

  override [Symbol.match](text: string): RegExpMatchArray | null {
    const places = this.places(text)
    const [start, end] = places
    if (start === undefined) return null
    const texts: [string, ...string[]] = [text.slice(start, end)]
    for (let index = 2; index < places.length; index += 2) texts.push(text.slice(places[index], places[index + 1]))
    return texts
  }

  override *[Symbol.matchAll](text: string): RegExpStringIterator<RegExpExecArray> {
    const places = this.places(text)
    for (let index = 0; index < places.length; index += 2) {
      const match: [string] = [text.slice(places[index], places[index + 1])]
      yield Object.assign(match, { index: places[index]!, input: text, groups: undefined })
    }
  }

  /** The replacement is taken as it is: `$&` and the like have no meaning. */
  override [Symbol.replace](text: string, by: string | ((match: string) => string)): string {
    const places = this.places(text)
    let [replaced, from] = ['', 0]
    for (let index = 0; index < places.length; index += 2) {
      const [start, end] = [places[index]!, places[index + 1]!]
      replaced += text.slice(from, start) + (typeof by === 'string' ? by : by(text.slice(start, end)))
      from = end
    }
    return replaced + text.slice(from)
  }

  override [Symbol.split](text: string): string[] {
    const places = this.places(text)
    const parts: string[] = []
    let from = 0
    for (let index = 0; index < places.length; index += 2) {
      parts.push(text.slice(from, places[index]))
      from = places[index + 1]!
    }
    return [...parts, text.slice(from)]
  }

  override exec(): never {
    throw new Error('a bounded pattern finds all matches of a text at once')
  }

  /** For every position, whether a match starts there. */
  #startsIn(text: string, far: Uint8Array | undefined): Uint8Array {
    this.#starts ??= new LazyAutomaton(...withLooks(reversed(this.#node), [...this.#farLooks], true))
    return this.#starts.ends(text, true, this.#budget, far)
  }

  /** For every position, the far looks that hold there, as bits. */
  #farLooksIn(text: string): Uint8Array {
    const masks = new Uint8Array(text.length + 1)
    for (const [number, automaton] of this.#looks.entries()) {
      const holds = automaton.ends(text, this.#farLooks[number]!.side === 'after', this.#budget)
      for (let at = 0; at < masks.length; at++) masks[at]! |= holds[at]! << number
    }
    return masks
  }
}

function withLooks(node: PatternNode, farLooks: FarLook[], everywhere = false): ConstructorParameters<typeof LazyAutomaton> {
  const program = compileProgram(node, farLooks)
  return [program, { everywhere, farLooks: farLooks.length }]
}

/** Finds where the content of a far look ends, or in a text backwards, where it starts. */
function automatonOf({ side, node }: FarLook): LazyAutomaton {
  return new LazyAutomaton(compileProgram(side === 'before' ? node : reversed(node)), { everywhere: true })
}

/** The pattern of the texts that a pattern matches, backwards. Far looks stay: they are asked by their positions. */
function reversed(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', nodes: node.nodes.map(reversed).reverse() }
    case 'either':
      return { kind: 'either', nodes: node.nodes.map(reversed) }
    case 'group':
    case 'repeat':
      return { ...node, node: reversed(node.node) }
    case 'look':
      return { ...node, side: node.side === 'before' ? 'after' : 'before' }
    case 'start':
      return { kind: 'end', orNewline: false }
    case 'end':
      if (node.orNewline) throw new UnsupportedPattern('it looks at the newline that ends a text, from afar')
      return { kind: 'start' }
    default:
      return node
  }
}
