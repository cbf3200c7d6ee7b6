import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, pyEqual, pyStr } from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { columnOf } from '../../../../evaluation/score/evaluate/given.ts'
import { count, groupShares, kept, percent, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'

const share = (rows: readonly { correct: boolean }[]) =>
  percent(
    count(rows, ({ correct }) => correct),
    rows.length,
  )

function emptyGroup(problem: string, fix: string): PromptError {
  return new PromptError('empty-group', { where: 'the rows', problem, fix })
}

/** The rows of an adversarial dataset: the modified questions first, then the originals. */
export const accuracyDrop = defineEvaluator({
  names: ['AccDropEvaluator'],
  does: 'How much lower the accuracy is on the first half of the rows (adversarial) than on the second (original), as a share of the latter.',
  example: { answers: ['A', 'B', 'A', 'A'], gold: ['A', 'A', 'A', 'A'], figures: { acc_drop: 0.5 } },
  metric: 'acc_drop',
  kind: 'verdict',
  unit: 'share lost',
  direction: 'lower',
  needsReference: true,
  interval: 'none',
  beside: ['acc_after', 'acc_before'].map((metric) => ({ metric, unit: 'percent' })),
  judge({ prediction, reference }) {
    const correct = pyStr(prediction) === pyStr(reference)
    return kept(correct, { pred: prediction, answer: reference }, { correct })
  },
  summarise(rows: readonly { correct: boolean }[]): Figures {
    const half = rows.length / 2
    if (!Number.isInteger(half)) {
      throw emptyGroup(`there are ${rows.length}, and every one should have its original`, 'ask all rows of the dataset')
    }
    const [after, before] = [share(rows.slice(0, half)), share(rows.slice(half))]
    if (before === 0) throw emptyGroup('no original question was answered right, so that nothing can be lost', 'look at the answers')
    return { acc_drop: 1 - after / before, acc_after: after, acc_before: before }
  },
})

const states = [
  ['clean', 'clean'],
  ['input contamination', 'input contaminated'],
  ['input-and-label contamination', 'input-and-label contaminated'],
] as const

export const accuracyByContamination = defineEvaluator({
  names: ['AccContaminationEvaluator'],
  does: 'The accuracy of rows that are clean, of those whose question, and of those whose question and answer were seen in training (column `is_clean`).',
  example: {
    answers: ['A', 'B', 'C'],
    gold: ['A', 'B', 'D'],
    rows: states.map(([is_clean]) => ({ is_clean })),
    figures: { 'accuracy - clean': 100 },
  },
  ...shareOf('accuracy - clean'),
  interval: 'none',
  beside: states.slice(1).map(([, name]) => ({ metric: `accuracy - ${name}`, unit: 'percent' })),
  judge({ prediction, reference, row }) {
    const correct = pyStr(prediction) === pyStr(reference)
    return kept(correct, { pred: prediction, answer: reference }, { correct, state: pyStr(columnOf(row, 'is_clean')) })
  },
  summarise(rows: readonly { correct: boolean; state: string }[]): Figures {
    const figures: Figures = {}
    for (const [state, name] of states) {
      const members = rows.filter((row) => row.state === state)
      if (members.length === 0) throw emptyGroup(`none is "${state}" in the column is_clean`, 'ask rows of all three kinds')
      figures[`accuracy - ${name}`] = share(members)
    }
    return figures
  },
})

const difficulties = ['easy', 'hard']
const lengths = ['short', 'medium', 'long']

export const longBench2 = defineEvaluator({
  names: ['LongBenchv2Evaluator'],
  does: 'Right when answer and gold answer are equal; also for each `difficulty` and `length` of the rows.',
  example: {
    answers: ['A', 'B'],
    gold: ['A', 'C'],
    rows: [
      { difficulty: 'easy', length: 'short' },
      { difficulty: 'hard', length: 'short' },
    ],
    figures: { accuracy: 50 },
  },
  ...shareOf('accuracy'),
  interval: 'scores',
  beside: [...difficulties, ...lengths].map((name) => ({ metric: `accuracy_${name}`, unit: 'percent' })),
  judge({ prediction, reference, row }) {
    const correct = pyEqual(prediction, reference)
    const groups = ['difficulty', 'length'].map((name) => pyStr(dictGet(row, name) ?? 'unknown'))
    return kept(correct, { pred: prediction, answer: reference }, { correct, groups })
  },
  summarise: (rows: readonly { correct: boolean; groups: readonly string[] }[]) => ({
    accuracy: share(rows),
    ...groupShares(rows, [...difficulties, ...lengths], 'accuracy_'),
  }),
})

/** A question is difficult if readers under time pressure get it wrong. */
export const quality = defineEvaluator({
  names: ['QuALITYEvaluator'],
  does: 'The accuracy of all rows, of the easy ones (column `difficult` is 0) and of the others.',
  example: {
    answers: ['A', 'B', 'C', 'D'],
    gold: ['A', 'B', 'D', 'D'],
    rows: [{ difficult: 0 }, { difficult: 0 }, { difficult: 1 }, { difficult: 1 }],
    figures: { all_acc: 75 },
  },
  ...shareOf('all_acc'),
  beside: ['easy_acc', 'hard_acc'].map((metric) => ({ metric, unit: 'percent' })),
  judge({ prediction, reference, row }) {
    const correct = pyEqual(prediction, reference)
    return kept(correct, { pred: prediction, answer: reference }, { correct, isEasy: pyEqual(columnOf(row, 'difficult'), 0) })
  },
  summarise(rows: readonly { correct: boolean; isEasy: boolean }[]): Figures {
    const accuracy = (some: readonly { correct: boolean }[]) => (some.length === 0 ? 0 : share(some))
    const [easy, hard] = [rows.filter(({ isEasy }) => isEasy), rows.filter(({ isEasy }) => !isEasy)]
    return { all_acc: accuracy(rows), easy_acc: accuracy(easy), hard_acc: accuracy(hard) }
  },
})
