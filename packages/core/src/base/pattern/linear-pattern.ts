import { compileProgram, type Step } from './compile-program.ts'
import { parsePattern } from './parse-pattern.ts'

/** A match: its start and end, and its groups; undefined for a group that did not participate. */
export type LinearMatch = { index: number; end: number; groups: readonly (string | undefined)[] }

/**
 * A regular expression that takes linear time for any pattern: for untrusted patterns, or texts of unknown size. It matches what
 * JavaScript's own engine matches, which may take for ever.
 *
 * @example
 * new LinearPattern('^(a*)*$').test('a'.repeat(5000) + '!') // => false
 */
export class LinearPattern {
  readonly #steps: readonly Step[]
  readonly #slots: number
  readonly names: ReadonlyMap<string, number>

  constructor(source: string, flags = 'u') {
    const { node, groups, names } = parsePattern(source, flags)
    this.#steps = compileProgram(node)
    this.#slots = 2 * (groups + 1)
    this.names = names
  }

  /** The number of instructions: the maximum cost of a character of the text. */
  get size(): number {
    return this.#steps.length
  }

  test(text: string): boolean {
    return this.#run(text, 0, false) !== undefined
  }

  exec(text: string, from = 0): LinearMatch | undefined {
    const slots = this.#run(text, from, true)
    if (!slots) return undefined
    const groups: (string | undefined)[] = []
    for (let slot = 2; slot < this.#slots; slot += 2) {
      const [begin, end] = [slots[slot]!, slots[slot + 1]!]
      groups.push(begin < 0 || end < begin ? undefined : text.slice(begin, end))
    }
    return { index: slots[0]!, end: slots[1]!, groups }
  }

  /** All matches in order; an empty match advances by one character. */
  *matches(text: string): Generator<LinearMatch> {
    for (let from = 0; from <= text.length; ) {
      const found = this.exec(text, from)
      if (!found) return
      yield found
      from = found.end > found.index ? found.end : found.end + (characterAt(text, found.end)?.length ?? 1)
    }
  }

  /**
   * Runs all threads in parallel: a thread is an instruction and its captures; of two at the same instruction the preferred one survives.
   */
  #run(text: string, from: number, wantsPlaces: boolean): Int32Array | undefined {
    const none = new Int32Array(wantsPlaces ? this.#slots : 2).fill(-1)
    const seen = new Int32Array(this.#steps.length).fill(-1)
    let moved: Way[] = []
    let found: Int32Array | undefined
    let before = from > 0 ? characterBefore(text, from) : undefined
    for (let at = from; ; ) {
      const after = characterAt(text, at)
      const place: Place = { at, before, after, isLast: after !== undefined && at + after.length === text.length, wantsPlaces }
      const ways: Way[] = []
      for (const way of moved) this.#follow(way, place, seen, ways)
      // Later starts are tried only until a match is found.
      if (!found) this.#follow({ step: 0, slots: marked(none, 0, at) }, place, seen, ways)
      moved = []
      for (const { step, slots } of ways) {
        const one = this.#steps[step]!
        if (one.kind === 'match') {
          found = marked(slots, 1, at)
          // The remaining threads have lower priority.
          break
        }
        if (one.kind === 'character' && after !== undefined && one.test(after)) moved.push({ step: step + 1, slots })
      }
      if (after === undefined || (found && (!wantsPlaces || moved.length === 0))) return found
      before = after
      at += after.length
    }
  }

  /** Follows an instruction to all that read a character, in order of preference. */
  #follow(from: Way, { at, before, after, isLast, wantsPlaces }: Place, seen: Int32Array, ways: Way[]): void {
    const open = [from]
    for (let way = open.pop(); way; way = open.pop()) {
      const { step, slots } = way
      if (seen[step] === at) continue
      seen[step] = at
      const one = this.#steps[step]!
      switch (one.kind) {
        case 'jump':
          open.push({ step: one.to, slots })
          break
        case 'fork':
          open.push({ step: one.second, slots }, { step: one.first, slots })
          break
        case 'mark':
          open.push({ step: step + 1, slots: wantsPlaces ? marked(slots, one.slot, at) : slots })
          break
        case 'assert':
          if (one.holds(before, after, isLast)) open.push({ step: step + 1, slots })
          break
        default:
          ways.push(way)
      }
    }
  }
}

type Way = { step: number; slots: Int32Array }

type Place = { at: number; before: string | undefined; after: string | undefined; isLast: boolean; wantsPlaces: boolean }

function marked(slots: Int32Array, slot: number, at: number): Int32Array {
  const copy = slots.slice()
  copy[slot] = at
  return copy
}

function characterAt(text: string, at: number): string | undefined {
  const code = text.codePointAt(at)
  return code === undefined ? undefined : String.fromCodePoint(code)
}

/** The second half of a surrogate pair belongs to the first. */
function characterBefore(text: string, at: number): string {
  const pair = at > 1 ? characterAt(text, at - 2)! : ''
  return pair.length === 2 ? pair : text[at - 1]!
}
