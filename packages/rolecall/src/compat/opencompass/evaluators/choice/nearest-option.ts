import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { readerOf } from '../../../../evaluation/score/postprocess/postprocessors.ts'
import { levenshtein } from '../edit-distance.ts'

export const optionLetters = z.array(z.string().regex(/^\p{Lu}$/u)).describe('The letters of the options: [A, B, C, D].')

/** Finds the option that an answer means; the texts of the options are columns of the row. */
export function nearestOptionOf(options: readonly string[]): (prediction: PyValue, row: Row) => string {
  const announced = readerOf({ type: 'first_option_postprocess', options: options.join(''), cushion: false }, 'OptionSimAccEvaluator')
  return (prediction, row) => {
    const said = strip(pyStr(prediction))
    return options.includes(said) ? said : pyStr(announced(said).value) || optionIn(said, options, row)
  }
}

export const nearestOption = defineEvaluator({
  names: ['OptionSimAccEvaluator'],
  does: 'Right when the answer announces the gold option, or contains its text and no other, or is nearest to it by edit distance. The texts of the options are in columns with their letters. For custom datasets.',
  example: {
    options: { options: ['A', 'B'] },
    answers: ['B', 'the red one'],
    gold: ['B', 'B'],
    rows: [
      { A: 'red', B: 'blue' },
      { A: 'red', B: 'blue' },
    ],
    figures: { accuracy: 50 },
  },
  options: z.strictObject({ options: optionLetters }),
  with: ({ options }) => {
    const optionOf = nearestOptionOf(options)
    return {
      ...shareOf('accuracy'),
      judge({ prediction, reference, row }) {
        const parsed = optionOf(prediction, row)
        return verdict(parsed === pyStr(reference), { pred: prediction, parsed, answer: reference })
      },
    }
  },
})

/** The only option whose text the answer contains, else the nearest; the first of equally near ones. */
function optionIn(said: string, options: readonly string[], row: Row): string {
  const texts = options.flatMap((option) => {
    const text = dictGet(row, option)
    if (text === undefined)
      throw new PromptError('missing-column', {
        where: 'OptionSimAccEvaluator › options',
        problem: `the row has no column "${option}" with the text of the option`,
        fix: 'name the letters of the columns that the rows have',
      })
    return text === null ? [] : [{ option, text: pyStr(text) }]
  })
  const contained = texts.filter(({ text }) => said.toLowerCase().includes(text.toLowerCase()))
  if (contained.length === 1) return contained[0]!.option
  const distances = texts.map(({ option, text }) => ({
    option,
    distance: Math.min(...[option, text, `${option}. ${text}`].map((one) => levenshtein(said, one))),
  }))
  const [nearest] = distances.sort((one, other) => one.distance - other.distance || (one.option < other.option ? -1 : 1))
  return nearest?.option ?? ''
}
