import { floatOf, splitSpace, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, verdict } from '../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText } from '../../../evaluation/score/evaluate/given.ts'
import { meanOf, shareOf } from '../../../evaluation/score/evaluate/shares.ts'
import { normalizeSquad, overlapF1 } from '../../../evaluation/score/evaluate/squad.ts'
import { substitute } from '../../../python/regex/index.ts'
import { bbehFreeformAnswer, bbehMcqAnswer } from '../postprocessors/freeform-answers.ts'

/** The rows of a Markdown table below its header, each as one text. */
function tableRows(text: string): string[] {
  return text
    .split('\n')
    .slice(2)
    .filter((line) => strip(line) !== '')
    .map((line) =>
      JSON.stringify(
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => strip(cell)),
      ),
    )
}

const items = (text: string) => [...new Set(text.split(',').map((item) => strip(item)))]

/** Compares tables row by row, comma-separated lists item by item, numbers as numbers, and other texts word by word. */
function likeness(said: string, gold: string): number {
  if (gold.includes('|')) return overlapF1(tableRows(said), tableRows(gold))
  if (gold.includes(',')) return overlapF1(items(said), items(gold))
  const [ours, theirs] = [floatOf(said), floatOf(gold)]
  if (ours !== undefined && theirs !== undefined) return Number(ours === theirs)
  return overlapF1(splitSpace(normalizeSquad(said)), splitSpace(normalizeSquad(gold)))
}

export const s3Eval = defineEvaluator({
  names: ['S3EvalEvaluator'],
  does: 'What answer and gold answer have in common (F1): rows of a table, items of a list with commas, else words; numbers must be equal.',
  example: { answers: ['a, b', '42.0'], gold: ['b, c', '42'], figures: { score: 75 } },
  ...meanOf('score'),
  judge({ prediction, reference }) {
    const score = likeness(answerText(prediction), goldText(reference))
    return { score, detail: { pred: prediction, answer: reference, score } }
  },
})

export const bbeh = defineEvaluator({
  names: ['BBEHEvaluator'],
  does: 'Right when what follows "The answer is" is the gold answer, whatever its case, quotes, brackets and spaces at commas.',
  example: { answers: ['The answer is: Yes', 'no'], gold: ['yes', 'yes'], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const [pred, answer] = [bbehFreeformAnswer(answerText(prediction)), goldText(reference).toLowerCase()]
    const spaced = (text: string) => substitute(String.raw`\s*,\s*`, ',', text)
    const correct = pred === answer || pred === strip(answer, '\'"()[]') || (answer.includes(',') && spaced(pred) === spaced(answer))
    return verdict(correct, { pred, answer })
  },
})

export const bbehChoices = defineEvaluator({
  names: ['BBEHEvaluator_mcq'],
  does: 'Right when what follows "The answer is" is the gold letter, whatever its case and brackets.',
  example: { answers: ['The answer is: (A)', 'b'], gold: ['(A)', '(C)'], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const [pred, answer] = [bbehMcqAnswer(answerText(prediction)), strip(goldText(reference).toLowerCase(), '()')]
    return verdict(pred === answer, { pred, answer })
  },
})
