import { longestCommonSubsequence } from 'rolecall/internal/workbench/diff/align-lists'

/** A range of a text, and whether the other text lacks it. */
export type Stretch = { text: string; differs: boolean }

/** Longer texts are compared only from both ends. */
const mostWords = 1500

/** A word-level diff of two texts. */
export function diffTexts(one: string, other: string): [one: Stretch[], other: Stretch[]] {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  let start = 0
  while (start < first.length && start < second.length && first[start] === second[start]) start++
  let end = 0
  while (end < first.length - start && end < second.length - start && first.at(-1 - end) === second.at(-1 - end)) end++
  const [left, right] = [first.slice(start, first.length - end), second.slice(start, second.length - end)]
  const [leftKept, rightKept] =
    left.length > mostWords || right.length > mostWords ? [new Set<number>(), new Set<number>()] : common(left, right)
  return [
    joined(first, (index) => index >= start && index < first.length - end && !leftKept.has(index - start)),
    joined(second, (index) => index >= start && index < second.length - end && !rightKept.has(index - start)),
  ]
}

function wordsOf(text: string): string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? []
}

/** The words that both have, as positions in both. */
function common(left: readonly string[], right: readonly string[]): [Set<number>, Set<number>] {
  const pairs = longestCommonSubsequence(left, right)
  return [new Set(pairs.map(([one]) => one)), new Set(pairs.map(([, other]) => other))]
}

function joined(words: readonly string[], differs: (index: number) => boolean): Stretch[] {
  const parts: Stretch[] = []
  for (const [index, text] of words.entries()) {
    const last = parts.at(-1)
    if (last?.differs === differs(index)) last.text += text
    else parts.push({ text, differs: differs(index) })
  }
  return parts
}
