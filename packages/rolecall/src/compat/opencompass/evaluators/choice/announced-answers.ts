import { compareCodePoints, intOf, pyEqual, pyStr, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, search, substitute } from '../../../../python/regex/index.ts'

export const musr = defineEvaluator({
  names: ['MusrEvaluator'],
  ofNothing: { accuracy: 0 },
  does: 'Right when the first number after "ANSWER:", on the first line that has it, is the gold number.',
  example: { answers: ['So it is her.\nANSWER: 2', 'Answer: 1'], gold: [2, 1], figures: { accuracy: 50 } },
  options: z.strictObject({
    answer_index_modifier: z.unknown().optional().describe("OpenCompass's; not read there either."),
    self_consistency_n: z.unknown().optional().describe("OpenCompass's; not read there either."),
  }),
  with: () => ({
    ...shareOf('accuracy'),
    judge({ prediction, reference }) {
      const line = answerText(prediction)
        .split('\n')
        .find((one) => one.includes('ANSWER:'))
      const pred = line === undefined ? undefined : search(String.raw`\d+`, line.split('ANSWER:').at(-1)!)?.[0]
      const number = pred === undefined ? undefined : intOf(pred)
      return verdict(number !== undefined && pyEqual(number, reference), { pred: pred ?? null, answer: reference })
    },
  }),
})

/** Distinct letters from A to J, in order. */
function lettersOf(text: string): string {
  return [...new Set(findAll('[A-J]', text.toUpperCase()))].sort(compareCodePoints).join('')
}

/** The letters after an announcement, else a last line that contains only letters. */
function chosenLetters(text: string): string {
  const marked = search(String.raw`(?:ANSWER|答案|最终答案)\s*[:：是为]?\s*(.+)`, text, { ignoreCase: true })
  if (marked) {
    const letters = lettersOf(findAll('(?<![A-Za-z])([A-Ja-j])(?![A-Za-z])', marked[1]!).join(''))
    if (letters !== '') return letters
  }
  const last = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/).findLast((line) => strip(line) !== '')
  if (last === undefined) return ''
  const line = strip(last).toUpperCase()
  return substitute(String.raw`[\sA-J,，、.。()\[\]:：和与]`, '', line) === '' ? lettersOf(line) : ''
}

export const elBench = defineEvaluator({
  names: ['ELBenchChoiceEvaluator'],
  does: 'Right when the letters after "ANSWER" or "答案", or those of a last line without words, are the gold letters, in any order.',
  example: { answers: ['答案：B、A', 'I think so'], gold: ['AB', 'C'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const [pred, answer] = [prediction === null ? '' : chosenLetters(answerText(prediction)), lettersOf(pyStr(reference))]
    return verdict(pred === answer && answer !== '', { pred, answer })
  },
})

/** An announced letter, one in bold, the last one alone on a line, or the last one in brackets. */
function zebraLetter(text: string): string {
  const announced =
    search(String.raw`[Tt]he (?:final )?answer is[:\s]+\(?([A-Ja-j])\)?`, text) ?? search(String.raw`\*\*([A-Ja-j])\*\*`, text)
  if (announced) return announced[1]!.toUpperCase()
  const lines = strip(text).split('\n')
  for (let at = lines.length - 1; at >= 0; at--) {
    const alone = search(String.raw`^\s*\(?([A-Ja-j])\)?\s*$`, strip(lines[at]!))
    if (alone) return alone[1]!.toUpperCase()
  }
  return findAll(String.raw`\(([A-Ja-j])\)`, text).at(-1)?.toUpperCase() ?? ''
}

export const zebraChoice = defineEvaluator({
  names: ['ZebraLogicMCEvaluator'],
  does: 'Right when the letter that the answer announces, or puts in bold, on a separate line or in brackets, is the gold one.',
  example: { answers: ['The answer is: (B)', 'C, perhaps'], gold: ['B', 'C'], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const extracted = zebraLetter(answerText(prediction))
    const correct = extracted.toUpperCase() === goldText(reference).toUpperCase()
    return verdict(correct, { pred: prediction, extracted, answer: reference })
  },
})
