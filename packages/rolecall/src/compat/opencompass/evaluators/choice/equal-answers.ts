import { pyEqual, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type EvaluatorDefinition, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { acceptedAnswers, answerText, goldText } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'

/** Evaluators that compare like Python's `==` and differ only in the metric's name. */
function equalAnswers(name: string, metric: string, of: string): EvaluatorDefinition<unknown, never> {
  return defineEvaluator({
    names: [name],
    does: `Right when answer and gold answer are equal as values: 1 is not "1". For ${of}.`,
    example: { answers: ['A', 'B'], gold: ['A', 'C'], figures: { [metric]: 50 } },
    ...shareOf(metric),
    judge: ({ prediction, reference }) => verdict(pyEqual(prediction, reference), { pred: prediction, answer: reference }),
  })
}

export const gpqa = equalAnswers('GPQAEvaluator', 'accuracy', 'GPQA')
export const mastermath = equalAnswers('MastermathDatasetv1Evaluator', 'accuracy', 'MasterMath')
export const charmReason = equalAnswers('CharmReasonEvaluator', 'score', 'CHARM')
export const agievalChoices = equalAnswers('AGIEvalEvaluator_mcq', 'score', 'the multiple choice of AGIEval')

const unsure = ['不确定', '无法确定', '无法回答', '不知道', '不认识']

export const charmMemory = defineEvaluator({
  names: ['CharmMemoryEvaluator'],
  does: 'Right when the answer contains a gold answer, or does not contain one that begins with "[not]"; wrong when it says that it does not know. For the recommendations of CHARM.',
  example: { answers: ['《活着》很好', '不知道'], gold: [['活着', '霸王别姬'], '[not]活着'], figures: { accuracy: 50 } },
  options: z.looseObject({}).describe('Those of LMEvaluator, which this rule does not need.'),
  with: () => ({
    ...shareOf('accuracy'),
    judge({ prediction, reference }) {
      const pred = answerText(prediction)
      const isNegative = typeof reference === 'string' && reference.startsWith('[not]')
      const golds = isNegative ? [reference.slice('[not]'.length)] : acceptedAnswers(reference)
      const names = golds.some((gold) => pred.includes(gold))
      return verdict(names !== isNegative && !unsure.some((word) => pred.includes(word)), { pred, answer: reference })
    },
  }),
})

const proLetters = 'ABCDEFGHIJKLMNOP'

export const mmluPro = defineEvaluator({
  names: ['MMLUProBaseEvaluator'],
  does: 'Right when the first line of the answer is the letter, or the text, of the gold option, which is written "C. text".',
  example: { answers: ['C', 'nitrogen\nas it is'], gold: ['C. oxygen', 'B. nitrogen'], figures: { accuracy: 100 } },
  ...shareOf('accuracy'),
  goldIsNoReply: true,
  judge({ prediction, reference }) {
    const pred = strip(answerText(prediction).split('\n')[0]!)
    const parts = typeof reference === 'string' ? reference.split('. ') : []
    const [letter, text] = parts
    // As in the reference, an option whose text contains ". " never matches.
    const isRight = parts.length === 2 && ((pred.length === 1 && proLetters.includes(pred) && pred === letter) || strip(text!) === pred)
    return verdict(isRight, { pred, answer: reference })
  },
})

export const needleAncestors = defineEvaluator({
  names: ['NeedleBenchATCEvaluator', 'needlebench_atc_evaluator'],
  ofNothing: { score: 0 },
  does: 'Right when answer and gold answer are the same name but for the space around them.',
  example: { answers: ['Ann ', 'Bob'], gold: ['Ann', 'Eve'], figures: { score: 50 } },
  ...shareOf('score'),
  judge: ({ prediction, reference }) =>
    verdict(strip(answerText(prediction)) === strip(goldText(reference)), { pred: prediction, answer: reference }),
})
