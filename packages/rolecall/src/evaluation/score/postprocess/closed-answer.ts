import * as z from '@rolecall/core/internal/schema'
import { announcements } from './announcements.ts'
import { boxedParts, plainAnswer } from './answer-text.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

/** Not in OpenCompass. */
export const closedAnswer = definePostprocessor({
  names: ['closed_answer'],
  does: 'One of a few words (yes or no, valid or invalid): the one in \\boxed{…} or announced last, else the only one that begins or ends the answer; as it is written in `answers`.',
  example: { options: { answers: ['Yes', 'No'] }, answer: 'No is what many say.\n**Final answer:** yes, they do.', becomes: 'Yes' },
  options: z.strictObject({
    answers: z.array(z.string().check(z.minLength(1))).check(z.minLength(2), z.describe('The words, one of which is the answer.')),
  }),
  finds: true,
  process(text, { answers }, { isCut }) {
    const said = plainAnswer(text)
    const read = (part: string) => answers.find((answer) => startsWithWord(part, answer))
    let last: { at: number; answer: string } | undefined
    const places = [
      ...boxedParts(said),
      ...announcements(said, 'choices')
        .filter(({ isDenied }) => !isDenied)
        .map(({ behind }) => ({ at: behind, said: said.slice(behind, behind + 80).replace(/<\/?\w+>/g, ' ') })),
    ]
    for (const { at, said: part } of places) {
      const answer = read(part)
      if (answer !== undefined && (!last || at >= last.at)) last = { at, answer }
    }
    return last?.answer ?? bare(said, answers, isCut) ?? notFound()
  },
})

const lead = /^[\s"'“‘([{*-]*(?:(?:that|it is|it's|therefore|definitely|clearly|deductively|simply)\s+)*[\s"'“‘([{]*/i

function startsWithWord(text: string, word: string): boolean {
  const start = text.replace(lead, '').slice(0, word.length + 1)
  if (start.slice(0, word.length).toLowerCase() !== word.toLowerCase() || /\w/.test(start.slice(word.length))) return false
  // "Yes or no?": either would be chosen by chance.
  return !/^\W*(?:or|and|\/)\b/i.test(text.replace(lead, '').slice(word.length))
}

/** An answer that begins or ends with one of the words, unless the two differ. */
function bare(said: string, answers: readonly string[], isCut = false): string | undefined {
  const words = said.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first, last] = [words[0], words.at(-1)].map((word) => answers.find((answer) => answer.toLowerCase() === word?.toLowerCase()))
  const isLone = words.length === 1 || startsWithWord(said, first ?? '\u0000')
  const start = isLone ? first : undefined
  // The end of a reply that was cut is not its conclusion.
  if (isCut) return start
  const lastLine = said.split('\n').at(-1)!
  const end = answers.find((answer) => lastLine.replace(/[^\p{L}]/gu, '').toLowerCase() === answer.toLowerCase()) ?? concluded(said, last)
  return start === undefined || end === undefined || start === end ? (start ?? end) : undefined
}

/** … so it is plausible: no. */
function concluded(said: string, last: string | undefined): string | undefined {
  return last !== undefined && /[:：]\s*\S+\s*$/.test(said) ? last : undefined
}
