import { PromptError } from '@rolecall/core/internal/errors'
import { intOf, isList, type PyValue, pyRound, pyStr, strip } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { defineEvaluator, type EvaluatorDefinition } from '../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../evaluation/score/evaluate/given.ts'
import { mean, shareOf } from '../../../evaluation/score/evaluate/shares.ts'
import { findAll, guardedPattern } from '../../../python/regex/index.ts'

/** How an answer is announced, by language code. */
const announcements: Readonly<Record<string, readonly string[]>> = {
  fr: ['La réponse est', 'la réponse est'],
  en: ['the answer is', 'The answer is'],
  vi: ['Câu trả lời là', 'câu trả lời là'],
  ar: ['الجواب هو'],
  th: ['คำตอบคือ'],
  zh: ['答案是'],
  ko: ['답변은'],
  pt: ['A resposta é'],
  ja: ['答えは'],
  id: ['Jawaban adalah', 'jawaban adalah'],
  es: ['La respuesta es'],
}

/** MMMLU names regions: EN-US. */
const regions: Readonly<Record<string, string>> = {
  'FR-FR': 'fr',
  'EN-US': 'en',
  'VI-VT': 'vi',
  'AR-XY': 'ar',
  'TH-TL': 'th',
  'ZH-CN': 'zh',
  'KO-KR': 'ko',
  'PT-BR': 'pt',
  'JA-JP': 'ja',
  'ES-LA': 'es',
}

const inJson = [
  String.raw`\{\s*?\"answer\"\s*?\:\s*?\"?(A|B|C|D).*?\"?\s*?\}`,
  String.raw`\{\s*?[\'\"]answer[\'\"]\s*?\:\s*?[\'\"](A|B|C|D).*?[\'\"]\s*?\}`,
  String.raw`\"answer\"\s*:\s*\"?(A|B|C|D)\"?`,
  String.raw`[\'\"]answer[\'\"]\s*:\s*[\'\"](A|B|C|D)[\'\"]`,
]

/** The letter that an answer gives in JSON, else after an announcement in its language. */
function announced(text: string, phrases: readonly string[]): string | undefined {
  for (const pattern of inJson) {
    const last = guardedPattern(pattern, { dotAll: true }).all(text).at(-1)
    if (last) return last.groups[0]
  }
  const phrase = phrases.find((one) => text.includes(one) && one !== text)
  const letter = phrase === undefined ? undefined : [...strip(text.split(phrase).at(-1)!)][0]
  return letter !== undefined && /^[A-Da-d]$/.test(letter) ? letter : undefined
}

/** The first letter of the alphabet that occurs anywhere. */
const anyLetter = (text: string) => ['A', 'B', 'C', 'D'].find((letter) => text.includes(letter))

/** Predictions from PMMEval's postprocessors: the text and its language code. */
function textAndLanguage(prediction: PyValue): [text: string, language: string] {
  if (isList(prediction) && prediction.length === 2) return [answerText(prediction[0]!), pyStr(prediction[1])]
  throw new PromptError('wrong-prediction', {
    where: 'the answer',
    problem: 'it does not say in which language it is',
    fix: 'set pred_postprocessor to that of this dataset, with its lang_code',
  })
}

type Choice = {
  name: string
  of: string
  /** Languages are named by region. */
  byRegion?: true
  languages: readonly string[]
  gold(reference: PyValue): string
  /** The answer shown in the details. */
  shown: 'choice' | 'text'
  hasStrict?: true
  /** Without an announced letter the reference fails, because it searches in null. */
  failsWithout?: true
}

function multilingualChoice({
  name,
  of,
  byRegion,
  languages,
  gold,
  shown,
  hasStrict,
  failsWithout,
}: Choice): EvaluatorDefinition<unknown, number> {
  return defineEvaluator({
    names: [name],
    does: `Right when the letter that the answer gives in JSON, announces in its language, or else has anywhere in it, is the gold one; to two places. For ${of}.`,
    example: {
      answers: [
        ['The answer is B', byRegion ? 'EN-US' : 'en'],
        [byRegion ? '答案是C' : '答案是C', byRegion ? 'ZH-CN' : 'zh'],
      ],
      gold: gold === goldText ? ['B', 'A'] : [1, 0],
      figures: { accuracy: 50 },
    },
    ...shareOf('accuracy'),
    goldIsNoReply: true,
    interval: 'scores' as const,
    judge({ prediction, reference }) {
      const [text, code] = textAndLanguage(prediction)
      const language = byRegion ? ownEntry(regions, code) : code
      const right = gold(reference)
      // An answer in JSON needs no language.
      const phrases = language !== undefined && languages.includes(language) ? announcements[language]! : undefined
      const found = announced(text, phrases ?? [])
      if (found === undefined && phrases === undefined) throw unknownLanguage(code)
      const choice = found ?? (failsWithout ? noLetter() : anyLetter(text))
      const acc = Number(choice !== undefined && choice.toLowerCase() === right.toLowerCase())
      const failed = hasStrict ? Number(found === undefined) : Number(choice === undefined)
      const extracted = shown === 'choice' ? choice : text
      return {
        score: acc,
        detail: {
          acc,
          failed,
          ...(hasStrict ? { failed_strict: Number(choice === undefined) } : {}),
          extracted_answer: extracted || 'no answer',
          correct: acc === 1,
        },
        keep: acc,
      }
    },
    summarise: (rows: readonly number[]) => ({ accuracy: pyRound(mean(rows) * 100, 2) }),
  })
}

function unknownLanguage(code: string): PromptError {
  return new PromptError('unknown-language', {
    where: 'the answer',
    problem: `how answers are announced in "${code}" is not known`,
    fix: `use one of ${Object.keys(announcements).join(', ')}`,
  })
}

function noLetter(): never {
  throw new PromptError('no-letter', {
    where: 'the answer',
    problem: 'it announces no letter',
    fix: 'ask for {"answer": "A"}, or for "The answer is A" in the language of the question',
  })
}

/** An option's index, from 0. */
function numberedLetter(reference: PyValue): string {
  const number = intOf(reference)
  if (number === undefined) throw wrongGold('it is not a number of an option', 'give 0 for A, 1 for B …')
  return String.fromCodePoint(Number(number) + 65)
}

const ten = ['fr', 'en', 'vi', 'ar', 'th', 'zh', 'ko', 'pt', 'ja', 'es']

export const pmmXnli = multilingualChoice({
  name: 'PMMEvalXNLIEvaluator',
  of: 'XNLI in P-MMEval',
  languages: [...ten, 'id'],
  gold: goldText,
  shown: 'choice',
  hasStrict: true,
})

export const pmmMmlu = multilingualChoice({
  name: 'PMMEvalMMMLUEvaluator',
  of: 'MMMLU in P-MMEval',
  byRegion: true,
  languages: ten,
  gold: goldText,
  shown: 'text',
})

export const pmmLogic = multilingualChoice({
  name: 'PMMEvalMLogiQAEvaluator',
  of: 'MLogiQA in P-MMEval',
  languages: ten,
  gold: numberedLetter,
  shown: 'choice',
  hasStrict: true,
  failsWithout: true,
})

export const pmmHellaswag = multilingualChoice({
  name: 'PMMEvalMHellaswagEvaluator',
  of: 'MHellaswag in P-MMEval',
  languages: ten,
  gold: numberedLetter,
  shown: 'text',
  hasStrict: true,
})

/** The last number of a text, without thousands separators; null if there is none. */
function lastNumber(text: string): string | null {
  const last = findAll(String.raw`((?:[+-])?(?=(?:[0-9]|\.[0-9]))(?:0|(?:[1-9](?:\d{0,2}(?:,\d{3})*)|\d*))?(?:\.\d*)?(?=\D|$))`, text).at(
    -1,
  )
  return last === undefined ? null : strip(strip(last.replaceAll(',', '').replaceAll('+', '')), '.')
}

export const pmmGradeSchool = defineEvaluator({
  names: ['PMMEvalMGSMEvaluator'],
  does: 'Right when the last number of the answer is the gold one, whatever its commas; to two places. For MGSM in P-MMEval.',
  example: { answers: ['So 1,200.', 'I do not know'], gold: ['1200', '5'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  interval: 'scores',
  judge({ prediction, reference }) {
    const extracted = lastNumber(answerText(prediction))
    const gold = goldText(reference).replaceAll(',', '')
    const correct = extracted === gold
    return {
      score: Number(correct),
      detail: { references: gold, predictions: prediction, extracted, correct },
      keep: Number(correct),
    }
  },
  summarise: (rows: readonly number[]) => ({ accuracy: pyRound(mean(rows) * 100, 2) }),
})
