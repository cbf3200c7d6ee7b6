import { dictGet, isDict, pyStr } from '@rolecall/core/internal/python'
import { defineEvaluator, verdict } from '../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../evaluation/score/evaluate/shares.ts'
import { minervaAnswer } from '../postprocessors/aisbench-answers.ts'

// Evaluators that only AISBench has.

export const dapoMath = defineEvaluator({
  names: ['DAPOMathEvaluator'],
  does: "Right when the answer, as dapo_math_postprocess cleans it, equals the gold answer, cleaned in the same way. AISBench's.",
  example: { answers: ['34', '7'], gold: ['x=34', '8'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const [pred, answer] = [pyStr(prediction), minervaAnswer(goldText(reference))]
    return verdict(pred === answer, { pred, answer })
  },
})

export const dapoMathStrict = defineEvaluator({
  names: ['DAPOMathEvaluatorV2'],
  does: "Right when the answer equals the gold answer. AISBench's.",
  example: { answers: ['34', '7'], gold: ['34', '8'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge: ({ prediction, reference }) => verdict(pyStr(prediction) === pyStr(reference), { pred: prediction, answer: reference }),
})

const sounds: Readonly<Record<string, string>> = { A: 'laughter', B: 'sigh', C: 'cough', D: 'throatclearing', E: 'sneeze', F: 'sniff' }

export const vocalSound = defineEvaluator({
  names: ['VocalSoundEvaluator'],
  does: "Right when the first character of the answer is the letter, A to F, of the sound. AISBench's VocalSound.",
  example: { answers: ['C', 'A'], gold: ['cough', 'sigh'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const pred = answerText(prediction)
    return verdict((pred === '' ? '' : (sounds[[...pred][0]!] ?? '')) === goldText(reference), { pred, answer: reference })
  },
})

export const videoBench = defineEvaluator({
  names: ['VideoBenchEvaluator'],
  does: "Right when the first of the letters A to F, in this order, that occurs anywhere is the `answer` of the gold answer. AISBench's Video-Bench.",
  example: { answers: ['B', 'It is C, not A'], gold: [{ answer: 'B' }, { answer: 'C' }], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const pred = answerText(prediction)
    const gold = isDict(reference) ? dictGet(reference, 'answer') : undefined
    if (gold === undefined) throw wrongGold('it has no "answer"', 'give { answer: letter }')
    return verdict(([...'ABCDEF'].find((letter) => pred.includes(letter)) ?? '') === gold, { pred, answer: gold })
  },
})
