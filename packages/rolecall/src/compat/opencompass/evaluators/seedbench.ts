import { pyRound, pyStr, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText } from '../../../evaluation/score/evaluate/given.ts'
import { count, mean, meanOf, shareOf, sumOf } from '../../../evaluation/score/evaluate/shares.ts'
import { noOptions } from '../../../evaluation/score/register-by-name.ts'
import { substitute } from '../../../python/regex/index.ts'
import type { SplitWords } from '../../../python/word-split/word-tokenize.ts'
import { chineseRouge } from './chinese-rouge.ts'
import { type SetOverlap, setOverlap, shares } from './set-overlap.ts'

/** Letters a to d and commas: SeedBench's answers to multiple choice questions. */
const letters = (text: string) => substitute('[^A-Da-d,]+', '', text.toLowerCase())

export const seedChoices = defineEvaluator({
  names: ['F1ScoreEvaluator'],
  ofNothing: { F1Score: 0 },
  does: 'The F1 score, over all rows, of the letters A to D that answers and gold answers have between commas. For SeedBench.',
  example: { answers: ['A, B', 'C'], gold: ['A,B', 'C,D'], figures: { F1Score: 85.71 } },
  ...meanOf('F1Score'),
  judge({ prediction, reference }) {
    const [pred, answer] = [letters(answerText(prediction)), letters(goldText(reference))]
    const [said, right] = [new Set(pred.split(',')), new Set(answer.split(','))]
    const keep = setOverlap(said, right)
    const score = shares(keep).f1
    return { score, detail: { pred, answer, correct: score * 100 }, keep }
  },
  summarise(rows: readonly SetOverlap[]): Figures {
    const sum = (key: keyof SetOverlap) => sumOf(rows.map((row) => row[key]))
    return { F1Score: 100 * shares({ common: sum('common'), said: sum('said'), right: sum('right') }).f1 }
  },
})

export const seedWords = defineEvaluator({
  names: ['AccScoreStr_Evaluator'],
  does: 'Right when the answer contains the gold answer, whatever their case. For SeedBench.',
  example: { answers: ['The root hairs', 'leaves'], gold: ['Root', 'stem'], figures: { ACCStrScore: 50 } },
  ...shareOf('ACCStrScore'),
  judge({ prediction, reference }) {
    const correct = strip(answerText(prediction))
      .toLowerCase()
      .includes(strip(goldText(reference)).toLowerCase())
    return { score: Number(correct), detail: { pred: prediction, answer: reference, correct: Number(correct) } }
  },
})

const nothing = '无内容'

/** ROUGE-L of a blank and its gold answer, by words of jieba. */
function blankScore(said: string, right: string, words: SplitWords): number {
  const spaced = (text: string) => words(text).join(' ')
  const answer = spaced(said)
  return chineseRouge(strip(answer) === '' ? nothing : answer, spaced(right))['rouge-l'].f
}

export const seedBlanks = defineEvaluator({
  names: ['AverageRougeScoreEvaluator'],
  does: "ROUGE-L (F) of each blank, separated by commas, and its gold answer; words by jieba's dictionary (`npm install jieba-wasm`). For SeedBench.",
  example: { answers: ['正确答案：水稻,玉米'], gold: ['水稻，小麦'], figures: { AvgRougeScore: 50 } },
  options: noOptions,
  needsWords: true,
  with: (_, words) => ({
    ...meanOf('AvgRougeScore'),
    judge({ prediction, reference }) {
      const said = strip(substitute('(?i)(正确答案[:：]|correct answer[:：])', '', answerText(prediction)))
      const blanks = (text: string) => text.split(',').map((one) => strip(one))
      const answer = blanks(goldText(reference).replaceAll('，', ','))
      const given = blanks(said)
      const pred = answer.length === 1 ? [said] : answer.map((_, place) => given[place] ?? nothing)
      const score = mean(answer.map((one, place) => blankScore(pred[place]!, one, words)))
      return { score, detail: { pred, answer, correct: score * 100 } }
    },
  }),
})

type Chosen = { correct: boolean; isValid: boolean }

export const crowsPairs = defineEvaluator({
  names: ['CrowspairsEvaluator'],
  does: 'Right when answer and gold answer are equal; `valid_accuracy` is of the answers that are not "invalid", whose share is `valid_frac`. For CrowS-Pairs.',
  example: { answers: ['A', 'invalid'], gold: ['A', 'B'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  interval: 'scores',
  beside: ['valid_accuracy', 'valid_frac'].map((metric) => ({ metric, unit: 'percent' })),
  judge({ prediction, reference }) {
    const [pred, answer] = [pyStr(prediction), pyStr(reference)]
    const correct = pred === answer
    return { score: Number(correct), detail: { pred, answer, correct }, keep: { correct, isValid: pred !== 'invalid' } }
  },
  summarise(rows: readonly Chosen[]): Figures {
    const right = count(rows, ({ correct }) => correct)
    const valid = rows.filter(({ isValid }) => isValid)
    const share = (part: number, whole: number) => pyRound(part / whole, 4) * 100
    return {
      accuracy: share(right, rows.length),
      valid_accuracy:
        valid.length === 0
          ? Number.NaN
          : share(
              count(valid, ({ correct }) => correct),
              valid.length,
            ),
      valid_frac: share(valid.length, rows.length),
    }
  },
})
