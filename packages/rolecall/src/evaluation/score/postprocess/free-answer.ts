import { announcements } from './announcements.ts'
import { boxedParts, plainAnswer } from './answer-text.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

/** Not in OpenCompass, whose `bbh-freeform` takes the first line if nothing is announced. */
export const freeAnswer = definePostprocessor({
  names: ['free_answer'],
  does: 'A short answer in words: in \\boxed{…}, announced last ("the answer is …", "Final answer: …", a list below it counts as its words), or the whole answer where it is one line.',
  example: { answer: 'We sort them.\n**Final answer:** apple, bird, cat.', becomes: 'apple, bird, cat' },
  finds: true,
  process(text, _options, { isCut }) {
    const said = plainAnswer(text)
    let last: { at: number; answer: string } | undefined
    const places = [
      ...boxedParts(said),
      ...announcements(said)
        .filter(({ isDenied }) => !isDenied)
        .map(({ behind }) => ({ at: behind, said: announcedWords(said.slice(behind)) })),
      ...sortedLists(said),
    ]
    for (const { at, said: part } of places) {
      const answer = tidy(part)
      if (answer !== '' && !isRefusal(answer) && (!last || at >= last.at)) last = { at, answer }
    }
    if (last) return last.answer
    // Without an announcement, only a complete reply is an answer.
    if (isCut) return notFound()
    const lines = text.trim().split('\n')
    const isBold = /^\s*\*\*[^*]+\*\*\.?\s*$/.test(lines.at(-1)!)
    const whole = said.includes('\n') ? (isBold ? tidy(said.split('\n').at(-1)!) : '') : tidy(said)
    return whole === '' || isRefusal(whole) ? notFound() : whole
  },
})

/** Sorted words: … */
function sortedLists(said: string): { at: number; said: string }[] {
  return [...said.matchAll(/\b(?:sorted|alphabetical|final)\b[^:\n]{0,60}:/gi)].map(({ index, 0: words }) => ({
    at: index,
    said: announcedWords(said.slice(index + words.length)),
  }))
}

/** The rest of the line; if it is empty, the next line, or the items of the list that follows. */
function announcedWords(rest: string): string {
  const [line = '', ...below] = rest.split('\n')
  if (line.trim() !== '') return line.trim()
  const first = below.findIndex((one) => one.trim() !== '')
  if (first < 0) return ''
  const items: string[] = []
  for (const one of below.slice(first)) {
    const item = /^\s*(?:[-*•]|\d+[.)])\s+(.*)$/.exec(one)?.[1]
    if (item === undefined) break
    items.push(item.trim())
  }
  return items.length > 0 ? items.join(' ') : below[first]!.trim()
}

/** Without the final period, and without text after an answer in brackets or quotes. */
function tidy(words: string): string {
  const boxed = boxedParts(words).at(-1)?.said ?? words
  return boxed
    .replace(/<\/?\w+>/g, '')
    .trim()
    .replace(/^["“'‘](.*)["”'’]\.?$/, '$1')
    .replace(/\s*[.。]$/, '')
    .replace(/^[:：\s]+/, '')
    .trim()
}

function isRefusal(answer: string): boolean {
  return /^(?:as an? (?:ai|large|language)|i(?:['’]m| am) (?:sorry|unable|not able)|i (?:cannot|can['’]t|could not|don['’]t know|do not know)|sorry\b|unfortunately|作为|抱歉|对不起|我无法)/i.test(
    answer,
  )
}
