import { alignLists } from 'rolecall/internal/workbench/diff/align-lists'
import type { Section, Stretch } from './contract.ts'

/** Comparing is quadratic: longer sections count as different where they are not equal. */
const most = 1_000_000

type Range = readonly [start: number, end: number]

/** The sections with what column A does not have marked; a marker of the format equals only a marker. */
export function markDifferences(sections: readonly Section[], reference: readonly Section[]): Section[] {
  return sections.map((section) => {
    const other = reference.filter(({ key }) => key === section.key).flatMap(({ stretches }) => stretches)
    return { ...section, stretches: marked(section.stretches, other) }
  })
}

function marked(stretches: readonly Stretch[], other: readonly Stretch[]): Stretch[] {
  const [own, theirs] = [wordsOf(stretches), wordsOf(other)]
  const keys = (words: readonly Word[]) => words.map(({ key }) => key)
  const alike = new Set(alignLists(keys(own), keys(theirs), { most }).map(([index]) => index))
  return stretches.map((stretch, index) => {
    const differs: [number, number][] = []
    own.forEach(({ of, range: [start, end] }, word) => {
      if (of !== index || alike.has(word)) return
      const last = differs.at(-1)
      if (last?.[1] === start) last[1] = end
      else differs.push([start, end])
    })
    return differs.length === 0 ? stretch : { ...stretch, differs }
  })
}

type Word = { key: string; of: number; range: Range }

/** Markers, words, line breaks, other characters; with whether the format wrote them. */
function wordsOf(stretches: readonly Stretch[]): Word[] {
  return stretches.flatMap(({ text, by, media }, of): Word[] => {
    if (media !== undefined) return [{ key: `media ${media}`, of, range: [0, 0] }]
    return [...text.matchAll(/<[^<>\s]+>|[\p{L}\p{N}_]+|\n|[^\S\n]+|./gsu)].map(({ 0: word, index }) => ({
      key: `${by === 'format' ? 'format' : ''} ${word}`,
      of,
      range: [index, index + word.length],
    }))
  })
}
