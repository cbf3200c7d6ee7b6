import { alignLists } from './align-lists.ts'
import type { CutPrompt, Part } from './cut-prompt.ts'

/**
 * The turns of two conversations under keys that mean the same on both sides. Places do where the turns of one conversation are written by two
 * formats; where another conversation is written, with a system turn in addition or other words, role and content do.
 */
export function withCommonKeys(first: CutPrompt, second: CutPrompt): [CutPrompt, CutPrompt] {
  const words = new Map(first.parts.map((part) => [part.key, wordsOf(part)]))
  const areSame = second.parts.every((part) => (words.get(part.key) ?? wordsOf(part)) === wordsOf(part))
  return areSame ? [first, second] : [byWords(first), byWords(second)]
}

function wordsOf({ role, words }: Part): string {
  return JSON.stringify([role, words])
}

function byWords(prompt: CutPrompt): CutPrompt {
  const seen = new Map<string, number>()
  const parts = prompt.parts.map((part) => {
    const words = wordsOf(part)
    const count = seen.get(words) ?? 0
    seen.set(words, count + 1)
    return { ...part, key: count === 0 ? words : `${words} again ${count}` }
  })
  return { ...prompt, parts }
}

/** The turns that are the same on both sides, as pairs of indexes; between these, turns of the same role are the same with other words. */
export function alignTurns(first: readonly Part[], second: readonly Part[]): [first: number, second: number][] {
  const same = alignLists(
    first.map(({ key }) => key),
    second.map(({ key }) => key),
  )
  const ends = [...same, [first.length, second.length] as [number, number]]
  let [one, other] = [0, 0]
  return ends.flatMap(([nextOne, nextOther], index) => {
    const start = [one, other] as const
    const [left, right] = [first.slice(one, nextOne), second.slice(other, nextOther)]
    ;[one, other] = [nextOne + 1, nextOther + 1]
    // A turn that is only elsewhere on the other side was moved, not rewritten.
    const roleOf = (part: Part, others: readonly Part[]) => (others.some(({ key }) => key === part.key) ? `moved ${part.key}` : part.role)
    const between = alignLists(
      left.map((part) => roleOf(part, second)),
      right.map((part) => roleOf(part, first)),
    ).map(([a, b]): [number, number] => [a + start[0], b + start[1]])
    return index === ends.length - 1 ? between : [...between, [nextOne, nextOther] as [number, number]]
  })
}
