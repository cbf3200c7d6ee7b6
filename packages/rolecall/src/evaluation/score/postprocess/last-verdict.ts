import * as z from '@rolecall/core/internal/schema'
import { boxedParts, withoutMarkup, withoutThoughts } from './answer-text.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

/** Not in OpenCompass, whose `generic_llmjudge_postprocess` takes the first letter that it finds, also from the judge's reasoning. */
export const lastVerdict = definePostprocessor({
  names: ['last_verdict'],
  does: 'A judge\'s verdict, one of two tags or that of a tie: in \\boxed{…}, [[…]] or an element, after "verdict:" or the like, in the last line, or alone in the first; else "unknown". What is said before the verdict does not count.',
  example: { answer: 'The student wrote B, which is the right city.\n\nVerdict: A', becomes: 'A' },
  options: z.strictObject({
    true_tag: z._default(z.string().check(z.minLength(1)), 'A').check(z.describe('What the judge writes for a right answer.')),
    false_tag: z._default(z.string().check(z.minLength(1)), 'B').check(z.describe('What it writes for a wrong one.')),
    tie_tag: z.optional(z.string().check(z.minLength(1))).check(z.describe('What it writes if neither of two answers is better.')),
  }),
  finds: true,
  process(text, { true_tag: right, false_tag: wrong, tie_tag: tie }) {
    const said = withoutMarkup(withoutThoughts(text)).trim()
    const lines = said.split('\n').filter((line) => line.trim() !== '')
    const [first = '', last = ''] = [lines[0], lines.at(-1)]
    const tags = tie === undefined ? [right, wrong] : [right, wrong, tie]
    return alone(last, tags) ?? marked(said, tags) ?? atTheEnd(last, tags) ?? alone(first, tags) ?? notFound('unknown')
  },
})

type Tags = readonly string[]

/** A line with only the tag, or the tag and its meaning: "A", "(B)", "A: CORRECT". */
function alone(line: string, tags: Tags): string | undefined {
  const bare = line.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/[\s:(–—-]+(?:in)?correct$/i, '')
  return tags.find((tag) => isSame(bare, tag))
}

const verdictWords =
  /(?:\b(?:verdict|judge?ment|grade|grading|decision|conclusion|assessment|evaluation|final answer|final result)\b|判断|结论|判定|评判|评分结果|最终答案)[^\p{L}\p{N}\n]{0,8}(?:(?:is\b|would be\b|是|为)[^\p{L}\p{N}\n]{0,4})?\s*/giu

/** The last tag in a box, double brackets or an element, or after a word for verdict. */
function marked(said: string, tags: Tags): string | undefined {
  let last: { at: number; tag: string } | undefined
  const keep = (at: number, inside: string) => {
    const tag = alone(inside, tags)
    if (tag !== undefined && (!last || at >= last.at)) last = { at, tag }
  }
  for (const { at, said: inside } of boxedParts(said)) keep(at, inside)
  for (const { index, 1: inside } of said.matchAll(/\[\[([^[\]]{1,40})\]\]/g)) keep(index, inside!)
  for (const { index, 2: inside } of said.matchAll(/<(\w+)>([^<>]{1,40})<\/\1>/g)) keep(index, inside!)
  for (const { index, 0: words } of said.matchAll(verdictWords)) {
    const at = index + words.length
    const [found] = named(said.slice(at, at + 60), tags)
    if (found?.at === 0) keep(at, found.tag)
  }
  return last?.tag
}

/** The only tag of a line. A single letter must end it, or begin it before punctuation: elsewhere it may be the judge's subject. */
function atTheEnd(line: string, tags: Tags): string | undefined {
  const found = named(line, tags)
  const [first] = found
  if (!first || found.some(({ tag }) => tag !== first.tag)) return undefined
  if ([...first.tag].length > 1) return first.tag
  const { at, tag } = found.at(-1)!
  const rest = line.slice(at + tag.length)
  return /^[^\p{L}\p{N}]*(?:(?:and |but )?not\s+\W*\w\W*)?$/u.test(rest) ||
    /^[\s:(–—-]+(?:in)?correct\W*$/i.test(rest) ||
    (first.at <= 1 && /^[).:,–—-]/.test(rest.trimStart()))
    ? tag
    : undefined
}

/** The tags that a text names as whole words, except negated ones. */
function named(text: string, tags: Tags): { at: number; tag: string }[] {
  return tags
    .flatMap((tag) => {
      const pattern = new RegExp(
        `(?<![\\p{L}\\p{N}_])${tag.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?![\\p{L}\\p{N}_])`,
        [...tag].length > 1 ? 'giu' : 'gu',
      )
      return [...text.matchAll(pattern)].map(({ index }) => ({ at: index, tag }))
    })
    .filter(({ at }) => !/(?:\bnot|n['’]t|\bnor|不是?|并非)\s*(?:an?\s+)?["'“(]?$/i.test(text.slice(0, at)))
    .sort((one, other) => one.at - other.at)
}

/** Letters are tags only as capitals; words in any case. */
function isSame(text: string, tag: string): boolean {
  return text === tag || ([...tag].length > 1 && text.toLowerCase() === tag.toLowerCase())
}
