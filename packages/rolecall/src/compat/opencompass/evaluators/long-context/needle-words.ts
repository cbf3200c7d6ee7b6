import { intOf, isList, type PyValue, pyEqual, pyRound, pyStr, splitSpace } from '@rolecall/core/internal/python'
import { defineEvaluator, type EvaluatorDefinition, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, goldTexts, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean, meanOf, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { generalPostprocess } from '../../../../evaluation/score/postprocess/general.ts'
import { findAll } from '../../../../python/regex/index.ts'

/** The mean over the rows in per cent, to two places, as RULER reports it. */
const rounded = (rows: readonly number[]) => ({ score: pyRound(mean(rows) * 100, 2) })

/** How many of the gold words occur in an answer, ignoring case. */
function found(prediction: PyValue, reference: PyValue): { all: number; hits: number } {
  const [said, words] = [answerText(prediction).toLowerCase(), goldTexts(reference)]
  if (words.length === 0) throw wrongGold('it is an empty list', 'give at least one word that the answer must have')
  return { all: words.length, hits: count(words, (word) => said.includes(word.toLowerCase())) }
}

function rulerShare(name: string, task: string): EvaluatorDefinition<unknown, number> {
  return defineEvaluator({
    names: [name],
    does: `The share of the gold words that occur in the answer, whatever their case; to two places. For ${task} of RULER.`,
    example: { answers: ['It is 41 and 42'], gold: [['42', '43']], figures: { score: 50 } },
    ...meanOf('score'),
    interval: 'scores' as const,
    judge({ prediction, reference }) {
      const { all, hits } = found(prediction, reference)
      return { score: hits / all, detail: { pred: prediction, answer: reference, found: hits }, keep: hits / all }
    },
    summarise: rounded,
  })
}

export const rulerNeedles = rulerShare('RulerNiahEvaluator', 'needles')
export const rulerCommonWords = rulerShare('RulerCweEvaluator', 'common words')
export const rulerFrequentWords = rulerShare('RulerFweEvaluator', 'frequent words')
export const rulerVariables = rulerShare('RulerVtEvaluator', 'variables')

export const rulerQuestions = defineEvaluator({
  names: ['RulerQaEvaluator'],
  does: 'Right when one of the gold answers occurs in the answer, whatever their case; to two places. For questions of RULER.',
  example: { answers: ['In Bern, I think', 'no'], gold: [['bern', 'berne'], ['yes']], figures: { score: 50 } },
  ...shareOf('score'),
  interval: 'scores',
  judge({ prediction, reference }) {
    const correct = found(prediction, reference).hits > 0
    return { ...verdict(correct, { pred: prediction, answer: reference }), keep: Number(correct) }
  },
  summarise: rounded,
})

export const babiLong = defineEvaluator({
  names: ['BabiLongEvaluator'],
  does: 'Right when the first gold answer occurs in the first sentence of the answer, whatever their case; to two places.',
  example: { answers: ['The kitchen. Or not.', 'No. Yes'], gold: [['kitchen'], ['yes']], figures: { score: 50 } },
  ...shareOf('score'),
  interval: 'scores',
  judge({ prediction, reference }) {
    const [first] = isList(reference) ? reference : [...goldText(reference)]
    if (first === undefined) throw wrongGold('it is empty', 'give the word that the answer must have')
    const sentence = answerText(prediction).toLowerCase().split('.')[0]!.split('<context>')[0]!.split('<example>')[0]!
    const correct = sentence.includes(pyStr(first).toLowerCase())
    return { ...verdict(correct, { pred: prediction, answer: reference }), keep: Number(correct) }
  },
  summarise: rounded,
})

const marks = ['\n', ':', '"', "'", '.', ',', '?', '!', '{', '}']
const wordsOf = (text: string) => splitSpace(marks.reduce((rest, mark) => rest.replaceAll(mark, ' '), text))

export const infiniteBenchNames = defineEvaluator({
  names: ['InfiniteBenchendiaEvaluator'],
  does: 'Right when the first gold answer, in capitals, is a word of the answer, whatever its case. For dialogues of InfiniteBench.',
  example: { answers: ['It was Ann.', 'Bob'], gold: [['ANN'], ['EVE']], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const [first] = isList(reference) ? reference : [...goldText(reference)]
    const words = wordsOf(answerText(prediction)).map((word) => word.toUpperCase())
    return verdict(typeof first === 'string' && words.includes(first), { pred: prediction, answer: reference })
  },
})

export const infiniteBenchKeys = defineEvaluator({
  names: ['InfiniteBenchretrievekvEvaluator'],
  does: 'Right when the gold answer is a word of the answer. For keys and values of InfiniteBench.',
  example: { answers: ['{"a": "7f3c"}', 'none'], gold: ['7f3c', '9d'], figures: { score: 50 } },
  ...shareOf('score'),
  judge: ({ prediction, reference }) =>
    verdict(
      wordsOf(answerText(prediction)).some((word) => word === reference),
      { pred: prediction, answer: reference },
    ),
})

export const levalExact = defineEvaluator({
  names: ['LEvalEMEvaluator'],
  does: 'Right when the cleaned answer contains the gold answer, cleaned or as it is.',
  example: { answers: ['The answer B', 'C'], gold: ['B', 'D'], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const [pred, gold] = [generalPostprocess(answerText(prediction)), goldText(reference)]
    return verdict(pred.includes(generalPostprocess(gold)) || pred.includes(gold), { pred, answer: gold })
  },
})

export const naturalQuestionsChinese = defineEvaluator({
  names: ['NQEvaluatorCN'],
  does: 'Right when what follows "答案是：" on the first line, cleaned, is one of the accepted answers.',
  example: { answers: ['答案是：北京', '上海'], gold: [['北京'], ['广州']], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const pred = generalPostprocess(answerText(prediction).split('\n')[0]!.toLowerCase().split('答案是：').at(-1)!)
    const answer = goldTexts(reference).map((one) => generalPostprocess(one).toLowerCase())
    return verdict(answer.includes(pred), { pred, answer })
  },
})

export const openFinData = defineEvaluator({
  names: ['OpenFinDataKWEvaluator'],
  does: 'Right when all keywords of the gold answer, separated by "、", occur in the answer.',
  example: { answers: ['涨了，因为利好', '涨了'], gold: ['涨、利好', '跌'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  interval: 'scores',
  judge({ prediction, reference }) {
    const correct = goldText(reference)
      .split('、')
      .every((word) => answerText(prediction).includes(word))
    return { ...verdict(correct, { pred: prediction, answer: reference }), keep: Number(correct) }
  },
  summarise: (rows: readonly number[]) => ({ accuracy: pyRound(mean(rows), 4) * 100 }),
})

export const medBenchCloze = defineEvaluator({
  names: ['MedBenchEvaluator_Cloze'],
  does: 'Right when all parts of the gold answer occur in the answer.',
  example: { answers: ['发热、咳嗽', '发热'], gold: [['发热', '咳嗽'], ['头痛']], figures: { Accuracy: 50 } },
  ...shareOf('Accuracy'),
  judge({ prediction, reference }) {
    const said = isList(prediction) ? prediction : answerText(prediction)
    return verdict(
      goldTexts(reference).every((part) => said.includes(part)),
      { pred: prediction, answer: reference },
    )
  },
})

export const medBenchJudgement = defineEvaluator({
  names: ['MedBenchEvaluator_TF'],
  does: 'An answer with 不 or 否 in it says 不可以, any other one 可以; right when that is the gold answer.',
  example: { answers: ['不行', '好'], gold: ['不可以', '不可以'], figures: { Accuracy: 50 } },
  ...shareOf('Accuracy'),
  judge({ prediction, reference }) {
    const pred = /[不否]/.test(answerText(prediction)) ? '不可以' : '可以'
    return verdict(pred === reference, { pred, answer: reference })
  },
})

export const infiniteBenchCalculation = defineEvaluator({
  names: ['InfiniteBenchmathcalcEvaluator'],
  does: 'How many numbers of the answer equal those of the gold list before the first that differs, on average, times 100. For calculations of InfiniteBench.',
  example: { answers: ['1, 2, 4', '7'], gold: [[1, 2, 3], [8]], figures: { score: 100 } },
  metric: 'score',
  kind: 'graded',
  unit: 'points',
  needsReference: true,
  goldIsNoReply: true,
  judge({ prediction, reference }) {
    if (!isList(reference)) throw wrongGold('it is not a list', 'give the list of numbers')
    const said = findAll('[0-9]+', answerText(prediction)).map((digits) => intOf(digits))
    const differs = reference.findIndex((one, place) => said[place] === undefined || !pyEqual(one, said[place]))
    const hits = differs < 0 ? reference.length : differs
    return { score: hits, detail: { pred: prediction, answer: reference, hits }, keep: hits }
  },
  interval: 'scores',
  summarise: (rows: readonly number[]) => ({ score: mean(rows) * 100 }),
})
