import { type PatternNode, parsePattern, UnsupportedPattern } from '../../base/pattern/parse-pattern.ts'
import type { WorkBudget } from '../work-budget.ts'
import { type Automaton, AutomatonBuilder, type CharacterSpelling } from './automaton.ts'
import { charactersOf, everyCharacter } from './character-set.ts'

export type PatternOptions = {
  /** How the characters are written. */
  spelling: CharacterSpelling
  /** Whether the pattern may match anywhere in the text, as in JSON Schema, or must match all of it. */
  isWhole: boolean
  budget: WorkBudget
}

/**
 * The texts that match a regular expression (JavaScript's, flag u). Groups, sets, quantifiers and anchors can be enforced; word boundaries,
 * back references and lookahead cannot: UnsupportedPattern.
 */
export function patternAutomaton(source: string, { spelling, isWhole, budget }: PatternOptions): Automaton {
  const { node } = parsePattern(source, 'u')
  const builder = new AutomatonBuilder(budget)
  const end = builder.state()
  const start = fork()
  const last = write(node, isWhole ? start : anything(start))
  for (const state of isWhole ? [last.begun, last.fresh, last.over] : [anything(last).begun, anything(last).fresh, last.over]) {
    builder.jump(state, end)
  }
  return builder.finish(start.fresh, end)

  /** A position in the pattern, in each of three situations of the text. */
  function fork(): Situation {
    return { fresh: builder.state(), begun: builder.state(), over: builder.state() }
  }

  function link(from: Situation, to: Situation): void {
    builder.jump(from.fresh, to.fresh)
    builder.jump(from.begun, to.begun)
    builder.jump(from.over, to.over)
  }

  /** Any number of characters, unless the text is over. */
  function anything(from: Situation): Situation {
    const to = fork()
    link(from, to)
    for (const state of [to.fresh, to.begun]) builder.edge(state, everyCharacter, to.begun, spelling)
    return to
  }

  function write(part: PatternNode, from: Situation): Situation {
    switch (part.kind) {
      case 'character': {
        const to = fork()
        const set = charactersOf(part.source, 'u', budget)
        for (const state of [from.fresh, from.begun]) builder.edge(state, set, to.begun, spelling)
        return to
      }
      case 'sequence':
        return part.nodes.reduce((at, one) => write(one, at), from)
      case 'either': {
        const to = fork()
        for (const one of part.nodes) link(write(one, from), to)
        return to
      }
      case 'group':
        return write(part.node, from)
      case 'repeat':
        return writeRepeat(part, from)
      case 'start': {
        const to = fork()
        builder.jump(from.fresh, to.fresh)
        return to
      }
      case 'end': {
        if (part.orNewline) throw new UnsupportedPattern('it looks ahead')
        const to = fork()
        for (const state of [from.fresh, from.begun, from.over]) builder.jump(state, to.over)
        return to
      }
      case 'border':
        throw new UnsupportedPattern('it asks for the border of a word (\\b, \\B)')
      case 'look':
      case 'far-look':
        throw new UnsupportedPattern('it looks ahead or behind')
      case 'unsupported':
        throw new UnsupportedPattern(part.problem)
      default:
        return part satisfies never
    }
  }

  function writeRepeat({ node: part, least, most }: PatternNode & { kind: 'repeat' }, from: Situation): Situation {
    let at = from
    for (let count = 0; count < least; count++) at = write(part, at)
    if (most === Number.POSITIVE_INFINITY) {
      const loop = fork()
      link(at, loop)
      link(write(part, loop), loop)
      return loop
    }
    const to = fork()
    link(at, to)
    for (let count = least; count < most; count++) {
      at = write(part, at)
      link(at, to)
    }
    return to
  }
}

/** `fresh`: nothing was read, so that `^` holds; `begun`: something was read; `over`: after `$`, where nothing more may be read. */
type Situation = { fresh: number; begun: number; over: number }
