import { isList, type PyValue, pyEqual, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, type EvaluatorDefinition, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText } from '../../../../evaluation/score/evaluate/given.ts'
import { count } from '../../../../evaluation/score/evaluate/shares.ts'
import { matthews } from '../labels.ts'

/** Phrases that mean yes or no in lower-case text without spaces; the first match in this order wins. */
function saysYes(text: string, marks: readonly (readonly [mark: string, yes: boolean])[]): boolean {
  const dense = text.toLowerCase().replaceAll(' ', '')
  return marks.find(([mark]) => dense.includes(mark))?.[1] ?? true
}

type BinaryAnswer = { said: boolean; right: boolean; correct: boolean }

/** Precision, recall and F1 of "yes", as shares. */
function binaryFigures(rows: readonly BinaryAnswer[]): Figures {
  const [said, right] = [count(rows, (row) => row.said), count(rows, (row) => row.right)]
  const both = count(rows, (row) => row.said && row.right)
  const [precision, recall] = [said === 0 ? 0 : both / said, right === 0 ? 0 : both / right]
  return {
    accuracy: count(rows, ({ correct }) => correct) / rows.length,
    precision,
    recall,
    f1_score: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  }
}

function matbench(name: string, marks: readonly (readonly [string, boolean])[]): EvaluatorDefinition<unknown, BinaryAnswer> {
  return defineEvaluator({
    names: [name],
    does: 'Right when the answer says yes (`Answer: True`, yes, or nothing else) or no (`Answer: False`, not, no) as the gold answer does. Figures are shares, not per cent.',
    example: { answers: ['Answer: True', 'It is not'], gold: [true, true], figures: { accuracy: 0.5 } },
    metric: 'accuracy',
    kind: 'verdict' as const,
    unit: 'share',
    range: [0, 1] as const,
    needsReference: true,
    interval: 'scores' as const,
    beside: ['precision', 'recall', 'f1_score'].map((metric) => ({ metric, unit: 'share' })),
    judge({ prediction, reference }) {
      const said = saysYes(answerText(prediction), marks)
      const correct = pyEqual(said, reference)
      return {
        score: Number(correct),
        detail: { pred: said, answer: reference, correct },
        keep: { said, right: pyEqual(true, reference), correct },
      }
    },
    summarise: binaryFigures,
  })
}

const marks = [
  ['answer:true', true],
  ['answer:false', false],
  ['not', false],
  ['no', false],
] as const

export const matbenchMetals = matbench('MatbenchEvaluator_classification', marks)
export const matbenchGlasses = matbench('MatbenchEvaluator_classification_glass', marks)

type Labels = { said: string; right: string }

export const genomeUnderstanding = defineEvaluator({
  names: ['GUE_Evaluator'],
  does: 'Matthews\' correlation of answers and gold answers, in per cent: anything but "positive" counts as negative, or (`filtered`) is left out unless it is "negative".',
  example: {
    answers: ['positive', 'negative', 'positive', 'negative'],
    gold: ['positive', 'negative', 'negative', 'negative'],
    figures: { matthews_correlation_all: 57.74 },
  },
  metric: 'matthews_correlation_all',
  kind: 'verdict',
  unit: 'percent',
  range: [-100, 100],
  needsReference: true,
  beside: [{ metric: 'matthews_correlation_filtered', unit: 'percent' }],
  judge({ prediction, reference }) {
    const [said, right] = [labelOf(isList(prediction) ? (prediction[0] ?? '') : prediction), labelOf(reference)]
    const correct = (said === 'positive') === (right === 'positive')
    return { score: Number(correct), detail: { pred: prediction, answer: reference, correct }, keep: { said, right } }
  },
  summarise(rows: readonly Labels[]): Figures {
    const known = rows.filter(({ said, right }) => [said, right].every((label) => label === 'positive' || label === 'negative'))
    const pairs = (some: readonly Labels[]) =>
      some.map(({ said, right }) => [String(said === 'positive'), String(right === 'positive')] as const)
    return {
      matthews_correlation_all: 100 * matthews(pairs(rows)),
      matthews_correlation_filtered: 100 * matthews(pairs(known)),
      non_pos_neg_count: rows.length - known.length,
      total_count: rows.length,
    }
  },
})

function labelOf(value: PyValue): string {
  return strip(goldText(value)).toLowerCase()
}
