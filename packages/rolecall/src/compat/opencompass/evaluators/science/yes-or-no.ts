import { isList, type PyValue } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type Figures, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { count, mean, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { readerOf } from '../../../../evaluation/score/postprocess/postprocessors.ts'

const example = { answers: ['It will dissolve.', 'Perhaps'], gold: ['The answer is Yes', 'The answer is No'] }

export const peerRule = defineEvaluator({
  names: ['PEERRuleEvaluator'],
  does: 'Right when PEER_postprocess finds the same Yes or No in the answer and in the gold answer; wrong where it finds none in one of them.',
  example: { ...example, figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge: ({ prediction, reference }) => verdictOf(prediction, reference),
})

export const peerStability = defineEvaluator({
  names: ['PEER_Evaluator'],
  does: 'As PEERRuleEvaluator, for the stability of proteins. Its precision, recall and F1 are of the right answers alone: 100 if one of them is Yes, else 0. Its other tasks ask a GPT model, at an address in OpenCompass’s code: use PEERRuleEvaluator with a judge.',
  example: { ...example, options: { task: 'stability' }, figures: { accuracy: 50 } },
  options: z.strictObject({ task: z.literal('stability').describe('`stability`.') }),
  with: () => ({
    ...shareOf('accuracy'),
    beside: ['acc_wo_no_answer_invalid', 'precision', 'recall', 'f1_score'].map((metric) => ({ metric, unit: 'percent' })),
    judge({ prediction, reference }) {
      const { score, detail } = verdictOf(prediction, reference)
      return { score, detail, keep: { right: score, isYes: score === 1 && detail.clean_pred === 'yes' } }
    },
    summarise(rows: readonly { right: number; isYes: boolean }[]): Figures {
      const accuracy = 100 * mean(rows.map(({ right }) => right))
      const ofRight = count(rows, ({ isYes }) => isYes) > 0 ? 100 : 0
      return { accuracy, acc_wo_no_answer_invalid: accuracy, precision: ofRight, recall: ofRight, f1_score: ofRight }
    },
  }),
})

function verdictOf(prediction: PyValue, reference: PyValue) {
  const [pred, answer] = [firstOf(prediction), firstOf(reference)]
  const [said, gold] = [wordIn(pred), wordIn(answer)]
  return verdict(said !== '' && said === gold, { pred, answer, clean_pred: said, clean_ref: gold })
}

/** Answers and gold answers may be lists, of which the first counts. */
function firstOf(value: PyValue): PyValue {
  return isList(value) ? (value[0] ?? null) : value
}

function wordIn(value: PyValue): string {
  if (typeof value !== 'string') return ''
  const found = readerOf({ type: 'PEER_postprocess' }, 'PEERRuleEvaluator')(value).value
  return typeof found === 'string' ? found.toLowerCase() : ''
}
