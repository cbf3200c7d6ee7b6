import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictGet, isDict, isList, type PyValue, pyEqual, pyStr } from '@rolecall/core/internal/python'
import { defineEvaluator, type EvaluatorDefinition, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, columnOf, listColumn } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { readerOf } from '../../../../evaluation/score/postprocess/postprocessors.ts'
import { escapePattern, findAll } from '../../../../python/regex/index.ts'

/** Phrases in replies that contain letters but name no option. */
const phrases = ['I understand', 'A through J', 'A through E', 'A through D']

/** The letters of the first standalone options in a text. */
function lettersIn(text: string, options: number): string[] {
  const said = phrases.reduce((rest, phrase) => rest.replaceAll(phrase, ''), text)
  return namedIn(said, lettersUpTo(options))
}

function lettersUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String.fromCharCode(65 + index))
}

function namedIn(text: string, labels: readonly string[]): string[] {
  return findAll(String.raw`\b(${labels.map(escapePattern).join('|')})\b`, text)
}

/** The first letter; for few-shot questions the last, if only one is named. An empty list if none is named. */
function firstLetter(method: string, found: readonly string[], label: PyValue): PyValue {
  if (found.length === 0) return []
  if (pyStr(label).length === 1 && method !== 'zero-shot' && method !== 'few-shot') {
    throw new PromptError('wrong-column', {
      where: 'the column "prompt_mode" of the row',
      problem: `it is "${method}"`,
      fix: 'it is zero-shot or few-shot',
    })
  }
  return found[0]!
}

/** How many options a row has, in a list or by letter. */
function optionsOf(row: Row): number {
  const options = columnOf(row, 'options')
  return isDict(options) ? dictEntries(options).length : listColumn(row, 'options').length
}

/** Medical questions: rows have `options`, a `label` and a `prompt_mode`; details include some columns. */
function medicalChoices(name: string, of: string, shown: readonly string[]): EvaluatorDefinition<unknown, never> {
  return defineEvaluator({
    names: [name],
    does: `Right when the first option letter that stands alone in the answer is the gold one; rows have \`options\`. For ${of}.`,
    example: {
      answers: ['I choose B.', 'C'],
      gold: ['B', 'A'],
      rows: Array.from({ length: 2 }, () => ({ prompt_mode: 'zero-shot', options: ['x', 'y', 'z'], label: 'A' })),
      figures: { accuracy: 50 },
    },
    ...shareOf('accuracy'),
    judge({ prediction, reference, row }) {
      const letters = lettersIn(answerText(prediction), optionsOf(row))
      const pred = firstLetter(pyStr(columnOf(row, 'prompt_mode')), letters, columnOf(row, 'label'))
      const columns = Object.fromEntries(shown.map((column) => [column, dictGet(row, column) ?? null]))
      return verdict(pyEqual(pred, reference), { pred, answer: reference, ...columns })
    },
  })
}

export const medbullets = medicalChoices('MedbulletsEvaluator', 'Medbullets', ['question_type'])
export const nejmaibench = medicalChoices('NejmaibenchEvaluator', 'NEJM AI Bench', ['Subject'])
export const medmcqa = medicalChoices('MedmcqaEvaluator', 'MedMCQA', ['subject_name', 'topic_name', 'choice_type'])
export const medXpertQa = medicalChoices('MedXpertQAEvaluator', 'MedXpertQA', [])

export const proteinLmBench = defineEvaluator({
  names: ['ProteinLMBenchEvaluator'],
  does: 'Right when the letter that first_option_postprocess finds, among as many as the row has `options`, is the gold one.',
  example: {
    answers: ['The answer is B.', 'Answer: A'],
    gold: ['B', 'C'],
    rows: Array.from({ length: 2 }, () => ({ options: ['x', 'y', 'z'] })),
    figures: { accuracy: 50 },
  },
  ...shareOf('accuracy'),
  judge({ prediction, reference, row }) {
    const options = lettersUpTo(listColumn(row, 'options').length).join('')
    const pred = readerOf({ type: 'first_option_postprocess', options }, 'ProteinLMBenchEvaluator')(answerText(prediction)).value
    return verdict(pyEqual(pred, reference), { pred, answer: reference })
  },
})

export const sciKnowEval = defineEvaluator({
  names: ['SciKnowEvalEvaluator'],
  does: 'Right when the first label of an option that stands alone in the answer is the gold one; rows have `choices` with `label`s and an `answerKey`.',
  example: {
    answers: ['I choose B.', 'C'],
    gold: ['B', 'A'],
    rows: Array.from({ length: 2 }, () => ({ prompt_mode: 'zero-shot', choices: { label: ['A', 'B', 'C'] }, answerKey: 'A' })),
    figures: { accuracy: 50 },
  },
  ...shareOf('accuracy'),
  judge({ prediction, reference, row }) {
    const choices = columnOf(row, 'choices')
    const labels = isDict(choices) ? dictGet(choices, 'label') : undefined
    const named = namedIn(answerText(prediction), labels !== undefined && isList(labels) ? labels.map((one) => pyStr(one)) : [])
    // If no option is named, the reference fails for the whole dataset.
    const pred = firstLetter(pyStr(columnOf(row, 'prompt_mode')), named, columnOf(row, 'answerKey'))
    return verdict(pyEqual(pred, reference), { pred, answer: reference })
  },
})
