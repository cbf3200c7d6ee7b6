import * as z from 'zod/mini'
import { dictGet, type PyValue, pyStr } from '../../../base/python/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { announcements } from './announcements.ts'
import { boxedParts, plainAnswer, withoutMarkup, withoutThoughts } from './answer-text.ts'
import { labelAt } from './choice-label.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

/** Not in OpenCompass, whose `first_option` takes the first letter that it finds: this one reports if there is no answer. */
export const choiceAnswer = definePostprocessor({
  names: ['choice_answer'],
  does: 'The option that the answer announces last, in English or Chinese, in \\boxed{…}, as a label (`**B)**`, "B. 0.01"), or by its text where `choices` are known; no letter in prose, and none of several.',
  example: { options: { options: 'ABCD' }, answer: 'A? No.\n### Answer\n**B)** 0.01 C', becomes: 'B' },
  options: z.strictObject({
    options: z
      .string()
      .check(z.regex(/^[A-Z]+$/, 'expected capital letters only'), z.describe('The options, one capital letter each: "ABCD".')),
    choices: z
      .optional(z.union([z.array(z.string()), z.string()]))
      .check(z.describe('Where the row has the texts of the options: their columns in order, or one column that lists them as "(A) …".')),
  }),
  finds: true,
  process(text, { options, choices }, _words, row) {
    const said = plainAnswer(text)
    const texts = row && choices !== undefined ? choiceTexts(row, choices, options) : noTexts
    return (
      announced(said, options, texts) ??
      texts.get(spelling(said)) ??
      called(said, options) ??
      labelled(said, options) ??
      marked(text, options) ??
      texts.get(spelling(said.split('\n').at(-1)!)) ??
      notFound()
    )
  },
})

type Texts = ReadonlyMap<string, string>
const noTexts: Texts = new Map()

/** The last explicit announcement that names an option. */
function announced(said: string, options: string, texts: Texts): string | undefined {
  const found: { at: number; letter: string }[] = []
  for (const { at, said: inside } of boxedParts(said)) {
    const letter = texts.get(spelling(inside)) ?? labelAt(inside, 0, options)?.letter
    if (letter !== undefined) found.push({ at, letter })
  }
  for (const { behind } of announcements(said, 'choices')) {
    const letter = announcedAt(said, behind, options, texts)
    if (letter !== undefined) found.push({ at: behind, letter })
  }
  let last: { at: number; letter: string } | undefined
  for (const one of found) if (!last || one.at >= last.at) last = one
  return last?.letter
}

function announcedAt(said: string, behind: number, options: string, texts: Texts): string | undefined {
  const [line = ''] = said
    .slice(behind, behind + 400)
    .trimStart()
    .split('\n', 1)
  const [sentence = ''] = line.split(/(?<=[.!?])\s|[。！？]/, 1)
  const byText = texts.get(spelling(line)) ?? texts.get(spelling(sentence))
  if (byText !== undefined) return byText
  const label = labelAt(said, behind, options)
  if (label) return label.letter
  // The answer is Paris (B). The answer is Paris, option B.
  const named = [...sentence.matchAll(/\(([A-Z])\)|\boption\s+([A-Z])(?![A-Za-z0-9])/g)].map(([, one, other]) => (one ?? other)!)
  return oneOf(named, options)
}

/** Options called right or chosen without the word "answer": B is correct, it must be B, 选项B正确. Only if it is a single option. */
function called(said: string, options: string): string | undefined {
  const found: string[] = []
  for (const { 1: letter = '' } of said.matchAll(calledRight(options))) found.push(letter)
  const chosen =
    /\b(?:it|this|that|which|conclude|say|think|believe|guess|probably|definitely|certainly|surely|therefore|thus|hence|so|leaves|leaving|with)\b(?:'s|’s)?[\s,:]*(?:(?:is|must be|should be|has to be|would be|it's|it’s|that)\s+)*/gi
  for (const { index, 0: words } of said.matchAll(chosen)) {
    const label = labelAt(said, index + words.length, options)
    if (label) found.push(label.letter)
  }
  return oneOf(found, options)
}

const patterns = new Map<string, RegExp>()

/** (B) is correct; B. 0.01 C is the best answer; B选项的说法正确. */
function calledRight(options: string): RegExp {
  const known = patterns.get(options)
  if (known) return known
  const english = String.raw`\s+(?:is|seems|appears to be|looks|would be|must be|should be)\s+(?:indeed\s+|clearly\s+)?(?:the\s+)?(?:most\s+|only\s+|single\s+)?(?:likely\s+)?(?:correct|right|best|accurate|appropriate|suitable|plausible|answer|sensible)\b`
  const chinese = String.raw`\s*(?:选?项)?(?:的?说法|描述|表述)?(?:是|为)?(?:最|完全)?(?:正确|对的|合适|恰当|符合)`
  const pattern = new RegExp(
    String.raw`(?<![A-Za-z0-9])\(?([${options}])(?![A-Za-z0-9'’])\)?(?:[.:)][^.\n]{0,60}?)?(?:${english}|${chinese})`,
    'g',
  )
  patterns.set(options, pattern)
  return pattern
}

/** Lines that begin with a label, except lists that repeat the options in order. */
function labelled(said: string, options: string): string | undefined {
  const labels: { letter: string; isDenied: boolean }[] = []
  for (const { index, 0: lead } of said.matchAll(/^[ \t]*(?:[-*•>|][ \t]*)?/gm)) {
    const at = index + lead.length
    const begin =
      /^(?:option\s+|选项\s*)?[("'[【]*([A-Za-z])(?:["')\]】]*(?:[.):、,，;|。!]|\s*$)|["')\]】]+|\s*[-–—]\s|\s+(?:because|since)\b)/i.exec(
        said.slice(at).split('\n', 1)[0]!,
      )
    const letter = begin?.[1]?.toUpperCase()
    if (letter === undefined || !options.includes(letter)) continue
    labels.push({ letter, isDenied: labelAt(said, at, options) === undefined })
  }
  const left = withoutLists(labels, options)
  return oneOf(
    left.filter(({ isDenied }) => !isDenied).map(({ letter }) => letter),
    options,
  )
}

/** A, B, C … in order are a discussion of the options, not an answer. */
function withoutLists<Labelled extends { letter: string }>(labels: readonly Labelled[], options: string): Labelled[] {
  const left: Labelled[] = []
  for (let at = 0; at < labels.length; ) {
    let length = 0
    while (labels[at + length]?.letter === options[length] && length < options.length) length++
    if (length >= 2) at += length
    else left.push(labels[at++]!)
  }
  return left
}

/** The only option that is bold, or in brackets in the last line. */
function marked(text: string, options: string): string | undefined {
  const spoken = withoutThoughts(text)
  const bold = [...spoken.matchAll(/\*\*\s*\(?([A-Z])(?:[.):][^*\n]*|\)?\s*)\*\*/g)].map(([, letter]) => letter!)
  const last = withoutMarkup(spoken).trim().split('\n').at(-1)!
  const bracketed = [...last.matchAll(/(?<!\w)\(([A-Z])\)/g)].map(([, letter]) => letter!)
  return oneOf(bold, options) ?? oneOf(bracketed, options)
}

/** The letter, if all are equal. */
function oneOf(letters: readonly string[], options: string): string | undefined {
  const [first] = letters
  return first !== undefined && options.includes(first) && letters.every((letter) => letter === first) ? first : undefined
}

/** Options by their texts, except those that are labels or duplicates. */
function choiceTexts(row: Row, choices: string | readonly string[], options: string): Texts {
  const listed = typeof choices === 'string' ? listedChoices(pyStr(dictGet(row, choices) ?? '')) : choices.map((name) => dictGet(row, name))
  const texts = new Map<string, string>()
  const doubtful = new Set<string>()
  listed.forEach((value: PyValue | undefined, index) => {
    if (value === undefined || value === null) return
    const text = spelling(withoutMarkup(pyStr(value)))
    if (text.length < 2 || texts.has(text)) doubtful.add(text)
    texts.set(text, options[index] ?? '')
  })
  for (const text of doubtful) texts.delete(text)
  return texts
}

function listedChoices(text: string): string[] {
  return [...text.matchAll(/^\s*\(([A-Z])\)[ \t]*(.+)$/gm)].map(([, , choice]) => choice!)
}

/** Normalizes texts that are compared as a whole. */
function spelling(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“‘(]+|[\s"'”’).,;:!。，；]+$/g, '')
}
