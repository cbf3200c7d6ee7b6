import type { WorkBudget } from '../work-budget.ts'

/** Characters by their code points: pairs of the first and the last of each range, in ascending order. */
export type CharacterSet = { readonly ranges: Uint32Array }

const lastCode = 0x10ffff

/** Surrogates are not characters: no text that can be sent contains them. */
const surrogates = { first: 0xd800, last: 0xdfff }

/** A set of given ranges, ascending and disjoint. */
export function setOf(...ranges: readonly (readonly [first: number, last: number])[]): CharacterSet {
  return { ranges: Uint32Array.from(ranges.flat()) }
}

/** The set of one character. */
export function oneCharacter(character: string): CharacterSet {
  const code = character.codePointAt(0)!
  return ascii[code] ?? setOf([code, code])
}

const ascii: readonly CharacterSet[] = Array.from({ length: 0x80 }, (_, code) => setOf([code, code]))

/** All characters. */
export const everyCharacter: CharacterSet = setOf([0, surrogates.first - 1], [surrogates.last + 1, lastCode])

export function hasCharacter(set: CharacterSet, code: number): boolean {
  return meets(set, code, code)
}

/** Whether any character from the first to the last code point is in the set. */
export function meets({ ranges }: CharacterSet, first: number, last: number): boolean {
  let low = 0
  let high = ranges.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[2 * middle + 1]! < first) low = middle + 1
    else high = middle
  }
  return 2 * low < ranges.length && ranges[2 * low]! <= last
}

/** The characters that are in both sets. */
export function intersection({ ranges: a }: CharacterSet, { ranges: b }: CharacterSet): CharacterSet {
  const both: [number, number][] = []
  for (let one = 0, other = 0; one < a.length && other < b.length; ) {
    const first = Math.max(a[one]!, b[other]!)
    const last = Math.min(a[one + 1]!, b[other + 1]!)
    if (first <= last) both.push([first, last])
    if (a[one + 1]! < b[other + 1]!) one += 2
    else other += 2
  }
  return setOf(...both)
}

/** All characters except those of a set. */
export function complement({ ranges }: CharacterSet): CharacterSet {
  const rest: [number, number][] = []
  let from = 0
  for (let index = 0; index < ranges.length; index += 2) {
    if (ranges[index]! > from) rest.push([from, ranges[index]! - 1])
    from = ranges[index + 1]! + 1
  }
  if (from <= lastCode) rest.push([from, lastCode])
  return intersection(setOf(...rest), everyCharacter)
}

/** The characters that a part of a regular expression matches, such as `[a-z]`, `\d` or `.`, as determined by JavaScript's engine. */
export function charactersOf(source: string, flags: string, budget: WorkBudget): CharacterSet {
  const literal = /^(?:\\([^\w])|([^.\\]))$/su.exec(source)
  if (literal) return oneCharacter(literal[1] ?? literal[2]!)
  const key = `${flags}/${source}`
  const cached = known.get(key)
  if (cached) return cached
  budget.charge(stepsPerSet)
  const found = findCharacters(new RegExp(`(?:${source})+`, `${flags}g`))
  if (known.size < mostKnown) known.set(key, found)
  return found
}

/** All characters are tested, which takes as long as thousands of states. */
const stepsPerSet = 10_000

const known = new Map<string, CharacterSet>()
const mostKnown = 1000

function findCharacters(runs: RegExp): CharacterSet {
  const ranges: [number, number][] = []
  blocks ??= Array.from({ length: (lastCode + 1) / blockSize }, (_, index) => block(index * blockSize))
  for (const some of blocks) {
    for (const { 0: run } of some.matchAll(runs)) {
      const first = run.codePointAt(0)!
      const last = lastCharacter(run)
      const before = ranges.at(-1)
      if (before && before[1] + 1 === first) before[1] = last
      else ranges.push([first, last])
    }
  }
  return intersection(setOf(...ranges), everyCharacter)
}

const blockSize = 0x1000
let blocks: readonly string[] | undefined

/** All characters of a block. */
function block(from: number): string {
  if (from === 0xd000) return characters(from, surrogates.first)
  if (from >= surrogates.first && from < surrogates.last) return characters(surrogates.last + 1, from + blockSize)
  return characters(from, from + blockSize)
}

function characters(from: number, to: number): string {
  return from >= to ? '' : String.fromCodePoint(...Array.from({ length: to - from }, (_, index) => from + index))
}

function lastCharacter(text: string): number {
  const pair = text.length > 1 ? text.codePointAt(text.length - 2)! : 0
  return pair > 0xffff ? pair : text.charCodeAt(text.length - 1)
}
