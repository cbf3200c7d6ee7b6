import { limits } from '../../errors/limits.ts'
import { UnsupportedPattern } from '../parse-pattern.ts'
import type { PyPattern, PythonAssertion } from './parse-python-pattern.ts'
import type { PythonCharacters } from './python-characters.ts'

/** Operations of a program. Each is followed by its operands. */
export const op = {
  match: 0,
  text: 1,
  set: 2,
  any: 3,
  /** Tries the first address, then the second. */
  split: 4,
  jump: 5,
  save: 6,
  assert: 7,
  look: 8,
  atomic: 9,
  backReference: 10,
  /** Any number of characters of a set. */
  loop: 11,
  /** Remembers where a repetition begins. */
  mark: 12,
  /** Leaves a repetition that has matched nothing. */
  check: 13,
  fail: 14,
} as const

export type Look = { start: number; behind: boolean; negated: boolean; least: number; most: number }

export type PythonProgram = {
  code: Int32Array
  texts: readonly string[]
  /** The first code unit of each text. */
  firstUnits: Int32Array
  /** `undefined`: every character. */
  sets: readonly (PythonCharacters | undefined)[]
  asserts: readonly PythonAssertion[]
  looks: readonly Look[]
  references: readonly { group: number; ignoreCase: boolean }[]
  /** Positions that are saved: two for each group, then one for each repetition that may match nothing. */
  slots: number
  splits: number
  loops: number
  /** How many code units before a position decide whether the pattern matches there. */
  lookback: number
}

export function compilePythonPattern(node: PyPattern, groups: number): PythonProgram {
  const code: number[] = []
  const [texts, sets, asserts, looks]: [string[], (PythonCharacters | undefined)[], PythonAssertion[], Look[]] = [[], [], [], []]
  const references: PythonProgram['references'][number][] = []
  const subprograms: (() => void)[] = []
  let [slots, splits, loops, lookback] = [2 * (groups + 1), 0, 0, 0]

  write(node)
  add(op.match)
  for (let next = subprograms.shift(); next; next = subprograms.shift()) next()
  const firstUnits = Int32Array.from(texts, (text) => text.charCodeAt(0))
  return { code: Int32Array.from(code), texts, firstUnits, sets, asserts, looks, references, slots, splits, loops, lookback }

  function add(...values: number[]): number {
    if (code.length > limits.patternSteps) throw new UnsupportedPattern('it is too large')
    return code.push(...values) - values.length
  }

  function write(node: PyPattern): void {
    switch (node.kind) {
      case 'text':
        add(op.text, texts.push(node.text) - 1)
        return
      case 'any':
        add(op.any)
        return
      case 'set':
        add(op.set, sets.push(node.set) - 1)
        return
      case 'sequence':
        for (const part of node.nodes) write(part)
        return
      case 'either':
        writeEither(node.nodes)
        return
      case 'group':
        add(op.save, 2 * node.number)
        write(node.node)
        add(op.save, 2 * node.number + 1)
        return
      case 'assert':
        if (node.what !== 'start' && node.what !== 'end' && node.what !== 'very-end') lookback = Math.max(lookback, 2)
        add(op.assert, asserts.push(node.what) - 1)
        return
      case 'back-reference':
        add(op.backReference, references.push(node) - 1)
        return
      case 'repeat':
        if (node.how === 'possessive') writeAtomic({ ...node, how: 'greedy' })
        else writeRepeat(node)
        return
      case 'atomic':
        writeAtomic(node.node)
        return
      case 'look': {
        const [least, most] = node.behind ? lengthOf(node.node) : [0, 0]
        lookback = Math.max(lookback, most)
        const look: Look = { start: 0, behind: node.behind, negated: node.negated, least, most }
        add(op.look, looks.push(look) - 1)
        subprogram(node.node, (start) => {
          look.start = start
        })
      }
    }
  }

  function subprogram(node: PyPattern, startsAt: (start: number) => void): void {
    subprograms.push(() => {
      startsAt(code.length)
      write(node)
      add(op.match)
    })
  }

  function writeAtomic(node: PyPattern): void {
    const at = add(op.atomic, 0)
    subprogram(node, (start) => {
      code[at + 1] = start
    })
  }

  function writeEither(nodes: readonly PyPattern[]): void {
    if (nodes.length === 0) add(op.fail)
    const ends: number[] = []
    for (const [index, part] of nodes.entries()) {
      const isLast = index === nodes.length - 1
      const split = isLast ? -1 : addSplit()
      write(part)
      if (isLast) continue
      ends.push(add(op.jump, 0))
      code[split + 2] = code.length
    }
    for (const end of ends) code[end + 1] = code.length
  }

  function addSplit(): number {
    const at = add(op.split, 0, 0, splits++)
    code[at + 1] = code.length
    return at
  }

  function writeRepeat({ node, least, most, how }: PyPattern & { kind: 'repeat' }): void {
    for (let count = 0; count < least; count++) write(node)
    if (most === Number.POSITIVE_INFINITY) {
      const isSingle = node.kind === 'any' || node.kind === 'set' || (node.kind === 'text' && node.text.length === 1)
      if (isSingle) {
        const set = node.kind === 'any' ? undefined : node.kind === 'set' ? node.set : oneCharacter(node.text)
        add(op.loop, sets.push(set) - 1, how === 'lazy' ? 1 : 0, loops++)
        return
      }
      const slot = slots++
      const split = addSplit()
      add(op.mark, slot)
      write(node)
      const check = add(op.check, slot, 0)
      add(op.jump, split)
      order(split, how)
      code[check + 2] = code.length
      return
    }
    const optional: number[] = []
    for (let count = least; count < most; count++) {
      optional.push(addSplit())
      write(node)
    }
    for (const split of optional) order(split, how)
  }

  /** The second way of a split leads behind what was just written; a lazy one is tried first. */
  function order(split: number, how: string): void {
    const inside = code[split + 1]!
    code[split + 1] = how === 'lazy' ? code.length : inside
    code[split + 2] = how === 'lazy' ? inside : code.length
  }
}

function oneCharacter(text: string): PythonCharacters {
  const code = text.charCodeAt(0)
  const ascii = new Uint8Array(128)
  if (code < 128) ascii[code] = 1
  return { ascii, has: (other: number) => other === code } as PythonCharacters
}

/** The fewest and the most code units that a pattern matches. */
export function lengthOf(node: PyPattern): [least: number, most: number] {
  switch (node.kind) {
    case 'text':
      return [node.text.length, node.text.length]
    case 'any':
    case 'set':
      return [1, 2]
    case 'sequence':
      return node.nodes.map(lengthOf).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0])
    case 'either': {
      const all = node.nodes.map(lengthOf)
      return [Math.min(...all.map(([least]) => least)), Math.max(...all.map(([, most]) => most))]
    }
    case 'repeat': {
      const [least, most] = lengthOf(node.node)
      return [least * node.least, most === 0 ? 0 : most * node.most]
    }
    case 'group':
    case 'atomic':
      return lengthOf(node.node)
    case 'back-reference':
      return [0, Number.POSITIVE_INFINITY]
    default:
      return [0, 0]
  }
}

/** With which ASCII characters a match may begin, whether with others, and whether it may be empty: nowhere, only at the end, or anywhere. */
export type FirstCharacters = { ascii: Uint8Array; others: boolean; empty: 'no' | 'end' | 'yes' }

export function firstCharacters(node: PyPattern): FirstCharacters {
  const none = (empty: FirstCharacters['empty']): FirstCharacters => ({ ascii: new Uint8Array(128), others: false, empty })
  const all = (): FirstCharacters => ({ ascii: new Uint8Array(128).fill(1), others: true, empty: 'no' })
  switch (node.kind) {
    case 'any':
      return all()
    case 'set':
      return { ascii: node.set.ascii, others: true, empty: 'no' }
    case 'text': {
      const code = node.text.charCodeAt(0)
      const first = none(node.text === '' ? 'yes' : 'no')
      if (code < 128) first.ascii[code] = 1
      else first.others = node.text !== ''
      return first
    }
    case 'either':
      return node.nodes
        .map(firstCharacters)
        .reduce((one, other) => ({ ...union(one, other), empty: moreEmpty(one.empty, other.empty) }), none('no'))
    case 'sequence': {
      let first = none('yes')
      for (const part of node.nodes) {
        const next = firstCharacters(part)
        first = { ...union(first, next), empty: next.empty }
        if (next.empty !== 'yes') break
      }
      return first
    }
    case 'repeat': {
      const first = firstCharacters(node.node)
      return node.least === 0 ? { ...first, empty: 'yes' } : first
    }
    case 'group':
    case 'atomic':
      return firstCharacters(node.node)
    case 'look': {
      // What is looked for ahead must begin here, so that the pattern can only begin where it does.
      if (node.behind || node.negated) return none('yes')
      return firstCharacters(node.node)
    }
    case 'assert': {
      if (node.what === 'very-end') return none('end')
      const first = none(node.what === 'end' || node.what === 'line-end' ? 'end' : 'yes')
      if (first.empty === 'end') first.ascii[10] = 1
      return first
    }
    case 'back-reference':
      return { ...all(), empty: 'yes' }
  }
}

function union(one: FirstCharacters, other: FirstCharacters): FirstCharacters {
  return { ascii: one.ascii.map((has, code) => has | other.ascii[code]!), others: one.others || other.others, empty: 'no' }
}

function moreEmpty(one: FirstCharacters['empty'], other: FirstCharacters['empty']): FirstCharacters['empty'] {
  return one === 'yes' || other === 'yes' ? 'yes' : one === 'end' || other === 'end' ? 'end' : 'no'
}

/** The first two ASCII characters of matches: for each set of first ones, those that may follow; `undefined`: any, or none. */
export type FirstPair = { first: Uint8Array; second?: Uint8Array }

/** How matches may begin, so that most positions need no attempt. */
export function firstPairs(node: PyPattern): FirstPair[] {
  if (node.kind === 'group') return firstPairs(node.node)
  if (node.kind === 'either') return node.nodes.flatMap(firstPairs)
  const [head, ...rest] = node.kind === 'sequence' ? node.nodes : [node]
  if (head?.kind === 'text' && head.text.length > 1)
    return [{ first: tableOf(head.text.charCodeAt(0)), second: tableOf(head.text.charCodeAt(1)) }]
  const isRun = head?.kind === 'repeat' && head.most === Number.POSITIVE_INFINITY && head.node.kind === 'set' && head.least < 2
  if (!isRun || head.node.kind !== 'set') return [{ first: firstCharacters(node).ascii }]
  const behind: PyPattern = { kind: 'sequence', nodes: rest }
  const next = firstCharacters(behind)
  const { ascii } = head.node.set
  const pair: FirstPair =
    next.empty === 'no' ? { first: ascii, second: ascii.map((has, code) => has | next.ascii[code]!) } : { first: ascii }
  return head.least === 0 ? [pair, ...firstPairs(behind)] : [pair]
}

function tableOf(code: number): Uint8Array {
  const table = new Uint8Array(128)
  if (code < 128) table[code] = 1
  return table
}
