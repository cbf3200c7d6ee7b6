import { pyRound } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineJudgePostprocessor } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { findAll, search } from '../../../../python/regex/index.ts'

const count = (letters: readonly string[], wanted: string) => letters.filter((letter) => letter === wanted).length

/** The shares with OpenCompass's names; the arithmetic follows its code so that the last digit matches. */
function shares(letters: readonly string[]) {
  const [right, wrong, all] = [count(letters, 'A'), count(letters, 'B'), letters.length]
  const [isRight, isWrong] = [right / all, wrong / all]
  const given = isRight + isWrong > 0 ? isRight / (isRight + isWrong) : 0
  const f1 = given + isRight > 0 ? (2 * given * isRight) / (given + isRight) : 0
  return { right, wrong, all, isRight, given, f1 }
}

const letterExample = [{ said: 'A' }, { said: 'B' }, { said: 'The grade is A.' }, { said: 'unsure' }]

export const academic = defineJudgePostprocessor({
  names: ['generic_llmjudge_academic_postprocess'],
  does: 'The first A (right) or B (wrong) anywhere; what has neither is not attempted. The share of right answers, among all and among the attempted.',
  example: { judged: letterExample, figures: { accuracy: 50, attempted_ratio: 75 } },
  options: z.strictObject({ metric_name: z.string().default('accuracy').describe('What the share is called.') }),
  metric: ({ metric_name: name }) => name,
  unit: 'percent',
  kind: 'verdict',
  read: ({ said }) => /[AB]/.exec(said)?.[0] ?? 'unknown',
  score: (letter) => Number(letter === 'A'),
  figures(letters, { metric_name: name }) {
    const { right, wrong, all, isRight, given } = shares(letters)
    return {
      [name]: isRight * 100,
      [`${name}_given_attempted`]: given * 100,
      attempted_ratio: ((right + wrong) / all) * 100,
      correct_count: right,
      incorrect_count: wrong,
      not_attempted_count: all - right - wrong,
    }
  },
})

/** The first A, B or C anywhere, and C (not attempted) if there is none: even "CORRECT" is C. */
const firstOfThree = {
  kind: 'verdict',
  read: ({ said }: { said: string }) => /[ABC]/.exec(said)?.[0] ?? 'C',
  score: (letter: string) => Number(letter === 'A'),
} as const

export const simpleqa = defineJudgePostprocessor({
  names: ['simpleqa_postprocess'],
  does: 'The first A (right), B (wrong) or C (not attempted) anywhere, C where there is none. The share of right answers, among all and among the attempted, and `f1`.',
  example: { judged: letterExample, figures: { accuracy: 50, accuracy_given_attempted: 66.67 } },
  metric: 'accuracy',
  unit: 'percent',
  ...firstOfThree,
  figures(letters) {
    const { isRight, given, f1 } = shares(letters)
    return { accuracy: isRight * 100, accuracy_given_attempted: given * 100, f1 }
  },
})

export const chineseSimpleqa = defineJudgePostprocessor({
  names: ['csimpleqa', 'csimpleqa_postprocess'],
  does: 'As simpleqa_postprocess for Chinese SimpleQA, as shares from 0 to 1.',
  example: { judged: letterExample, figures: { correct: 0.5, F1: 0.57 } },
  metric: 'correct',
  unit: 'share',
  ...firstOfThree,
  figures(letters) {
    const { isRight, wrong, all, given, f1 } = shares(letters)
    return { correct: isRight, incorrect: wrong / all, not_attempted: count(letters, 'C') / all, given_attempted_accuracy: given, F1: f1 }
  },
})

export const livereasonbench = defineJudgePostprocessor({
  names: ['livereasonbench_postprocess'],
  does: 'The same for LiveReasonBench, where the share of right answers among the attempted counts.',
  example: { judged: letterExample, figures: { accuracy_given_attempted: 66.67 } },
  metric: 'accuracy_given_attempted',
  unit: 'percent',
  ...firstOfThree,
  figures(letters) {
    const { given, f1 } = shares(letters)
    return { accuracy_given_attempted: given * 100, f1 }
  },
})

export const peerJudge = defineJudgePostprocessor({
  names: ['peer_llm_judge_postprocess'],
  does: 'Right where "true" occurs anywhere, also in "untrue".',
  example: { judged: [{ said: 'It is true.' }, { said: 'False' }], figures: { accuracy: 50 } },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read: ({ said }) => Number(said.trim().toUpperCase().includes('TRUE')),
  score: (right) => right,
  figures: (rights) => ({ accuracy: (rights.reduce((sum, right) => sum + right, 0) / rights.length) * 100 }),
  detail({ said }, right) {
    const word = said.trim().toUpperCase()
    return { prediction: word, correct: right === 1, llm_judge: word }
  },
})

export const charmMemory = defineJudgePostprocessor({
  names: ['charm_memory'],
  does: "Right where the first word in brackets, of [正确], [correct], [yes], [错误], [incorrect] and [no], is one of the first three. As OpenCompass's summarizer of CHARM reads replies.",
  example: { judged: [{ said: '因此是[正确]' }, { said: '[Incorrect]' }], figures: { accuracy: 50 } },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read: ({ said }) => /(?<=\[)(?:incorrect|correct|正确|错误|yes|no)(?=\])/i.exec(said)?.[0].toLowerCase(),
  score: (word) => Number(['correct', '正确', 'yes'].includes(word)),
  figures(words) {
    const right = words.filter((word) => ['correct', '正确', 'yes'].includes(word)).length
    return { accuracy: pyRound((right / words.length) * 100, 2) }
  },
})

const shareOfRight = {
  score: (right: number) => right,
  figures: (rights: readonly number[]) => ({ accuracy: (100 * rights.filter((right) => right === 1).length) / rights.length }),
}

export const boxedYes = defineJudgePostprocessor({
  names: ['boxed_yes'],
  does: 'Right where the last \\boxed{…} is "yes". As GaoKaoMATHEvaluator reads replies.',
  example: { judged: [{ said: '\\boxed{no}, or \\boxed{yes}' }, { said: 'yes' }], figures: { accuracy: 50 } },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read: ({ said }) => Number(findAll(String.raw`\\boxed{(.+?)}`, said).at(-1) === 'yes'),
  ...shareOfRight,
})

export const correctWord = defineJudgePostprocessor({
  names: ['correct_word'],
  does: 'Right where "correct" stands anywhere as a word, in any case. As AISBench reads replies about AA-LCR.',
  example: { judged: [{ said: 'Correct.' }, { said: 'INCORRECT' }], figures: { accuracy: 50 } },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read: ({ said }) => Number(search(String.raw`\bCORRECT\b`, said, { ignoreCase: true }) !== null),
  ...shareOfRight,
})
