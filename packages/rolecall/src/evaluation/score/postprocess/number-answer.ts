import { announcements } from './announcements.ts'
import { boxedParts, withoutMarkup, withoutThoughts } from './answer-text.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

/** Not in OpenCompass, whose `gsm8k` takes the last digits, and 005 of "1,005". */
export const markedNumber = definePostprocessor({
  names: ['marked_number'],
  does: 'The number after "####", else in \\boxed{…}, else after "the answer is", else the last one before a further "Question:", unless the reply was cut; without currency, unit and commas. One that is marked by "####" or \\boxed keeps the mark: "#### 18".',
  example: { answer: 'He pays \\$1{,}005.\n#### $1,005.00', becomes: '#### 1005.00' },
  finds: true,
  process(text, _options, { isCut }) {
    const read = readNumber(text, isCut)
    return read ? `${read.isMarked ? '#### ' : ''}${read.number}` : notFound()
  },
})

export const finalNumber = definePostprocessor({
  names: ['final_number'],
  does: 'The same number without the mark and without zeros after its point: after "####", in \\boxed{…}, after "the answer is", or the last one, unless the reply was cut.',
  example: { answer: 'There are 3 + 5 objects. **Final answer:** 8 objects, not 7.', becomes: '8' },
  finds: true,
  process: (text, _options, { isCut }) => readNumber(text, isCut)?.number.replace(/\.0+$/, '') ?? notFound(),
})

/** A parsed number, and whether the model marked it as its answer. */
type ReadNumber = { number: string; isMarked: boolean }

const digits = String.raw`(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+`
/** "-$5" is a negative amount, "9-2" a difference; digits of names (x18) are not numbers. */
const numbers = new RegExp(String.raw`(?<![\w.])(-?)(?:[$€£¥₹]\s?)?(-?)(${digits})`, 'g')

function readNumber(text: string, isCut = false): ReadNumber | undefined {
  const spoken = beforeNextQuestion(withoutThoughts(text))
  const mark = [...spoken.matchAll(/####+[ \t]*([^\n]*)/g)].map(([, line]) => atStart(withoutMarkup(line!))).findLast(isKnown)
  if (mark !== undefined) return { number: mark, isMarked: true }
  const said = withoutMarkup(spoken)
  const boxed = boxedParts(said)
    .map(({ said: inside }) => result(inside))
    .findLast(isKnown)
  if (boxed !== undefined) return { number: boxed, isMarked: true }
  const announced = announcements(said)
    .filter(({ isDenied }) => !isDenied)
    .map(({ behind }) => announcedNumber(said.slice(behind, behind + 300)))
    .findLast(isKnown)
  // The last number of a reply that was cut belongs to its reasoning.
  const number = announced ?? (isCut ? undefined : (boldNumber(spoken) ?? eachNumber(said).at(-1)))
  return number === undefined ? undefined : { number, isMarked: false }
}

/** Base models continue with the next question after the answer. */
function beforeNextQuestion(text: string): string {
  const [answer = ''] = text.split(/(?:Question|\nQ):/, 1)
  return /\d/.test(answer) ? answer : text
}

/** The number at the start of a line that is not a heading: "#### 18", "#### The answer is $18", not "#### 1. Count them". */
function atStart(line: string): string | undefined {
  const rest = line.replace(/^\s*(?:the\s+)?(?:final\s+)?(?:answer|答案)?\s*(?:is|是|为)?\s*[:：=]?\s*/i, '')
  if (/^\d+[.)]\s+[^\d\s]/.test(rest) || /^(?:step|part)\b/i.test(line)) return undefined
  const boxed = boxedParts(rest)[0]?.said
  if (boxed !== undefined) return result(boxed)
  return /^[^\w(]*(?:[-+.\d]|USD|Rs)/.test(rest) ? result(rest) : undefined
}

/** Directly after the announcement, after the last "=" of its line, or the only number of its line. */
function announcedNumber(said: string): string | undefined {
  const [line = ''] = said.trimStart().split('\n', 1)
  const boxed = boxedParts(line)[0]?.said
  if (boxed !== undefined) return result(boxed)
  if (/^[^\w(]*(?:(?:approximately|about|only|exactly|around)\s+)?[^\w(]*[-.\d]/i.test(line) || line.includes('=')) return result(line)
  const found = new Set(eachNumber(line))
  return found.size === 1 ? [...found][0] : undefined
}

/** The value of an expression: after its last "=", else its first number. */
function result(expression: string): string | undefined {
  const [sentence = ''] = expression.split(/(?<=\d)[.!?]\s+(?=[A-Z])/, 1)
  const parts = sentence.split(/=|≈|\\approx/)
  return eachNumber(parts.at(-1)!)[0] ?? eachNumber(sentence).at(-1)
}

/** The bold number of the last line, if there is exactly one. */
function boldNumber(spoken: string): string | undefined {
  const last = spoken.trimEnd().split('\n').at(-1)!
  const found = [...last.matchAll(/\*\*([^*\n]+)\*\*/g)].flatMap(([, inside]) => eachNumber(withoutMarkup(inside!)))
  return found.length === 1 ? found[0] : undefined
}

function eachNumber(text: string): string[] {
  return [...text.matchAll(numbers)].map(([, before, sign, figure]) => `${before || sign ? '-' : ''}${figure!.replaceAll(',', '')}`)
}

function isKnown(value: string | undefined): value is string {
  return value !== undefined
}
