import { dictGet } from '@rolecall/core/internal/python'
import { defineEvaluator } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { meanOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { matchRatio } from '../../../../python/library/sequence-matcher.ts'
import { jsonDict } from '../json-dict.ts'

export const mrcr = defineEvaluator({
  names: ['MRCREvaluator'],
  does: "How similar answer and gold answer are, by Python's difflib; 0 unless the answer starts with the prefix. Gold answers are JSON: { answer, prefix }.",
  example: {
    answers: ['Q7Once upon', 'Once upon a time'],
    gold: Array(2).fill('{"answer": "Q7Once upon a time", "prefix": "Q7"}'),
    figures: { score: 36 },
  },
  ...meanOf('score'),
  goldIsNoReply: true,
  judge({ prediction, reference }) {
    const said = answerText(prediction)
    const { answer, prefix } = readGold(goldText(reference))
    const score = said.startsWith(prefix) ? matchRatio(said.slice(prefix.length), answer.slice(prefix.length)) : 0
    return { score, detail: { pred: said, answer, score } }
  },
})

function readGold(json: string): { answer: string; prefix: string } {
  const gold = jsonDict(json)
  const [answer, prefix] = [gold && dictGet(gold, 'answer'), gold && dictGet(gold, 'prefix')]
  if (typeof answer === 'string' && typeof prefix === 'string') return { answer, prefix }
  throw wrongGold('it is not JSON with the texts "answer" and "prefix"', 'use rows as MRCRDataset gives them')
}
