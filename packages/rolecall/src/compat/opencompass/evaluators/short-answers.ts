import { casefold, type PyValue, pyEqual, pyStr, splitSpace, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, verdict } from '../../../evaluation/score/evaluate/evaluator.ts'
import { acceptedAnswers } from '../../../evaluation/score/evaluate/given.ts'
import { count, mean, meanOf, percent, shareOf } from '../../../evaluation/score/evaluate/shares.ts'
import { normalizeSquad, overlapF1 } from '../../../evaluation/score/evaluate/squad.ts'
import { generalPostprocess } from '../../../evaluation/score/postprocess/general.ts'
import { search, splitBy } from '../../../python/regex/index.ts'
import { bbhFreeformAnswer } from '../postprocessors/bbh-answer.ts'

const cleanAnswers = (reference: PyValue) => acceptedAnswers(reference).map((answer) => generalPostprocess(answer).toLowerCase())
const lastPart = (text: string, mark: string) => text.split(mark).at(-1)!
const firstLine = (text: string) => text.split('\n')[0]!

export const triviaqa = defineEvaluator({
  names: ['TriviaQAEvaluator'],
  does: 'Right when the cleaned first line of the answer contains one of the accepted ones.',
  example: { answers: ['It is Paris', 'Rome'], gold: [['Paris'], ['Bern']], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const line = firstLine(strip(pyStr(prediction))).toLowerCase()
    const pred = generalPostprocess(strip(lastPart(lastPart(lastPart(line, 'answer is'), 'a:'), 'answer:')))
    const answer = cleanAnswers(reference)
    return verdict(
      answer.some((one) => pred.includes(one)),
      { pred, answer },
    )
  },
})

export const naturalQuestions = defineEvaluator({
  names: ['NQEvaluator'],
  does: 'Right when the cleaned first line of the answer contains one of the accepted ones.',
  example: { answers: ['It is Paris', 'Rome'], gold: [['Paris'], ['Bern']], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const pred = generalPostprocess(lastPart(firstLine(strip(pyStr(prediction))).toLowerCase(), 'answer is'))
    const answer = cleanAnswers(reference)
    return verdict(
      answer.some((one) => pred.includes(one)),
      { pred, answer },
    )
  },
})

export const squad20 = defineEvaluator({
  names: ['SQuAD20Evaluator'],
  does: 'Right when the cleaned first line of the answer is one of the accepted ones.',
  example: { answers: ['Paris', 'It is Rome'], gold: [['paris'], ['Rome']], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const pred = generalPostprocess(lastPart(firstLine(pyStr(prediction)).toLowerCase(), 'answer is'))
    const answer = cleanAnswers(reference)
    return verdict(answer.includes(pred), { pred, answer })
  },
})

export const tydiqa = defineEvaluator({
  names: ['TydiQAEvaluator'],
  does: 'F1 of the words of the cleaned first line and of the accepted answer that is most like it; also exact matches.',
  example: { answers: ['the red house', 'Rome'], gold: [['red house'], ['Bern', 'Paris']], figures: { f1: 50 } },
  ...meanOf('f1'),
  beside: [{ metric: 'exact_match', unit: 'percent' }],
  judge({ prediction, reference }) {
    const pred = generalPostprocess(firstLine(pyStr(prediction)).toLowerCase())
    const answer = acceptedAnswers(reference).map((one) => generalPostprocess(one))
    const f1 = Math.max(...answer.map((one) => overlapF1(splitSpace(pred), splitSpace(one))))
    const exact = answer.includes(pred)
    return { score: f1, detail: { pred, answer, f1, correct: exact }, keep: { f1, exact } }
  },
  interval: 'scores',
  summarise: (rows: readonly { f1: number; exact: boolean }[]) => ({
    f1: 100 * mean(rows.map(({ f1 }) => f1)),
    exact_match: percent(
      count(rows, ({ exact }) => exact),
      rows.length,
    ),
  }),
})

export const lambada = defineEvaluator({
  names: ['LambadaEvaluator'],
  does: 'Right when the first word is the gold answer.',
  example: { answers: ['door, then', 'house'], gold: ['door', 'hut'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    // The reference's punctuation set lacks the backslash, which escapes the bracket after it.
    const word = splitBy('[!-/:-@\\[\\]-`{-~]', strip(pyStr(prediction)).split(' ')[0]!)[0]!
    const [pred, answer] = [generalPostprocess(word), generalPostprocess(pyStr(reference))]
    return verdict(pred === answer, { pred, answer })
  },
})

export const drop = defineEvaluator({
  names: ['dropOpenAIEvaluator', 'DropOpenAIEvaluator'],
  does: 'Right when what follows "Answer:" contains, or is part of, one of the gold answers, which are separated by "|".',
  example: { answers: ['Answer: 3 yards', 'Answer: 5'], gold: ['3|three', '4'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const text = pyStr(prediction)
    const said = normalizeSquad(search(String.raw`(?i)Answer\s*:\s*([^\n]+)`, text)?.[1] ?? text)
    const correct = pyStr(reference)
      .split('|')
      .map(normalizeSquad)
      .some((answer) => (said === '' || answer === '' ? said === answer : said.includes(answer) || answer.includes(said)))
    return verdict(correct, { pred: prediction, answer: reference })
  },
})

export const bbh = defineEvaluator({
  names: ['BBHEvaluator'],
  does: "Right when answer and gold answer are the same in BBH's spelling, whatever their case.",
  example: { answers: ['So the answer is Yes.', 'no'], gold: ['yes', 'yes'], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const [pred, answer] = [bbhFreeformAnswer(pyStr(prediction)), bbhFreeformAnswer(pyStr(reference))]
    return verdict(casefold(pred) === casefold(answer), { pred, answer })
  },
})

export const bbhMcqEvaluator = defineEvaluator({
  names: ['BBHEvaluator_mcq'],
  does: 'Right when answer and gold answer are the same text.',
  example: { answers: ['A', 'B'], gold: ['A', 'A'], figures: { score: 50 } },
  ...shareOf('score'),
  judge: ({ prediction, reference }) => verdict(pyStr(prediction) === pyStr(reference), { pred: prediction, answer: reference }),
})

export const mgsmEvaluator = defineEvaluator({
  names: ['MGSM_Evaluator'],
  does: 'Right when answer and gold answer are equal as values, for MGSM.',
  example: { answers: ['12', '7'], gold: ['12', '8'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge: ({ prediction, reference }) => verdict(pyEqual(prediction, reference), { references: reference, predictions: prediction }),
})
