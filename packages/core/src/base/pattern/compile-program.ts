import { limits } from '../errors/limits.ts'
import { type CharacterTest, type PatternNode, UnsupportedPattern } from './parse-pattern.ts'

/** One instruction of a program that reads a text once and follows all threads of the pattern in parallel. */
export type Step =
  | { kind: 'character'; test: CharacterTest }
  /** Continues at both instructions; the first is preferred. */
  | { kind: 'fork'; first: number; second: number }
  | { kind: 'jump'; to: number }
  /** Records this position of the text. */
  | { kind: 'mark'; slot: number }
  | ({ kind: 'assert' } & Assertion)
  /** Continues where one of the far looks of the pattern holds, or does not. */
  | { kind: 'far-look'; number: number; negated: boolean }
  | { kind: 'match' }

/** What must hold between two characters. `isLast`: the character after it is the last one of the text. */
type Assertion = {
  holds: (before: string | undefined, after: string | undefined, isLast: boolean) => boolean
  /** What it asks of one of them. */
  test?: CharacterTest
  looksBack: boolean
  needsLast: boolean
}

/** A lookaround that reaches further than a character. */
export type FarLook = PatternNode & { kind: 'far-look' }

const mostFarLooks = 4

/** Larger programs are refused: `(a{1000}){1000}` would have a million instructions. */
const mostSteps = limits.patternSteps

/** Far looks are collected in a list, or refused if there is none. */
export function compileProgram(node: PatternNode, farLooks?: FarLook[]): Step[] {
  const steps: Step[] = []
  write(node)
  add({ kind: 'match' })
  return steps

  function add(step: Step): number {
    if (steps.length >= mostSteps) throw new UnsupportedPattern('it is too large')
    return steps.push(step) - 1
  }

  function write(node: PatternNode): void {
    switch (node.kind) {
      case 'character':
        add({ kind: 'character', test: node.test })
        return
      case 'sequence':
        for (const one of node.nodes) write(one)
        return
      case 'either':
        writeEither(node.nodes)
        return
      case 'group':
        add({ kind: 'mark', slot: 2 * node.number })
        write(node.node)
        add({ kind: 'mark', slot: 2 * node.number + 1 })
        return
      case 'repeat':
        writeRepeat(node)
        return
      case 'unsupported':
        throw new UnsupportedPattern(node.problem)
      case 'far-look':
        add({ kind: 'far-look', number: numberOf(node), negated: node.negated })
        return
      default:
        add({ kind: 'assert', ...assertionOf(node) })
    }
  }

  function numberOf(look: FarLook): number {
    const known = farLooks?.indexOf(look) ?? -1
    if (known >= 0) return known
    if (!farLooks || farLooks.length >= mostFarLooks) throw new UnsupportedPattern('it looks further than one character')
    return farLooks.push(look) - 1
  }

  function writeEither(nodes: readonly PatternNode[]): void {
    const ends: number[] = []
    for (const [index, one] of nodes.entries()) {
      const isLast = index === nodes.length - 1
      const fork = isLast ? undefined : add({ kind: 'fork', first: steps.length + 1, second: 0 })
      write(one)
      if (!isLast) ends.push(add({ kind: 'jump', to: 0 }))
      if (fork !== undefined) steps[fork] = { kind: 'fork', first: fork + 1, second: steps.length }
    }
    for (const end of ends) steps[end] = { kind: 'jump', to: steps.length }
  }

  function writeRepeat({ node, least, most, isLazy }: PatternNode & { kind: 'repeat' }): void {
    for (let count = 0; count < least; count++) write(node)
    if (most === Number.POSITIVE_INFINITY) {
      const fork = add({ kind: 'jump', to: 0 })
      write(node)
      add({ kind: 'jump', to: fork })
      steps[fork] = forkTo(fork + 1, steps.length, isLazy)
      return
    }
    const forks: number[] = []
    for (let count = least; count < most; count++) {
      forks.push(add({ kind: 'jump', to: 0 }))
      write(node)
    }
    for (const fork of forks) steps[fork] = forkTo(fork + 1, steps.length, isLazy)
  }
}

function forkTo(inside: number, behind: number, isLazy: boolean): Step {
  return isLazy ? { kind: 'fork', first: behind, second: inside } : { kind: 'fork', first: inside, second: behind }
}

const isWord = (character: string | undefined) => character !== undefined && /^\w$/u.test(character)

function assertionOf(node: PatternNode): Assertion {
  switch (node.kind) {
    case 'start':
      return { holds: (before) => before === undefined, looksBack: true, needsLast: false }
    case 'end': {
      const { orNewline } = node
      const holds: Assertion['holds'] = (_, after, isLast) => after === undefined || (orNewline && after === '\n' && isLast)
      return { holds, test: (character) => character === '\n', looksBack: false, needsLast: orNewline }
    }
    case 'border': {
      const { negated } = node
      return { holds: (before, after) => (isWord(before) !== isWord(after)) !== negated, test: isWord, looksBack: true, needsLast: false }
    }
    case 'look': {
      const { side, test, negated } = node
      const holds: Assertion['holds'] = (before, after) => {
        const character = side === 'before' ? before : after
        return (character !== undefined && test(character)) !== negated
      }
      return { holds, test, looksBack: side === 'before', needsLast: false }
    }
    default:
      throw new Error(`a ${node.kind} is not an assertion`)
  }
}
