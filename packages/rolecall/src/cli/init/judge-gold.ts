import { dictHas, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { type ColumnMap, parseText } from '../../evaluation/dataset/map-columns.ts'
import { isNamed } from './column-names.ts'
import { type Column, isMissing } from './profile-columns.ts'
import { UnclearRows } from './unclear-rows.ts'

/** The `eval_cfg` of a new config. */
export type DraftEvaluation = {
  evaluator: { type: string }
  pred_postprocessor?: { type: string; options?: string; answers?: readonly string[] }
  dataset_postprocessor?: { type: string }
}

/** How answers are compared with a column of gold answers. */
export type GoldLook = {
  is: string
  evaluation: DraftEvaluation
  /** A single text, usable as the model's turn in examples. */
  isSaid: boolean
  /** How the column is read, if not as it is. */
  map?: ColumnMap[string]
  /** The words that the prompt asks for. */
  classes?: readonly string[]
  /** What the prompt asks for in addition. */
  asksFor?: 'steps' | 'boxed'
}

/** Longer answers are scored with ROUGE. */
const maxExactLength = 80

/** More distinct values than this are no classes. */
const maxClasses = 12

/** Chooses how answers are compared with gold answers, by their values. */
export function judgeGold(gold: Column, labels: readonly string[] | undefined, hasQuestion: boolean): GoldLook {
  const { path, kind } = gold
  const values = gold.values.filter((value) => !isMissing(value)) as PyValue[]
  const written = kind === 'json' ? values.map((value) => (typeof value === 'string' ? (parseText(value) ?? value) : value)) : values
  const parse = kind === 'json' ? { map: { from: path, parse: true } } : {}
  if (values.length === 0)
    throw new UnclearRows('answer', path, 'the gold answers are empty', 'name another column: --answer COLUMN, or --answer none')
  if (written.every(isCalls)) return { is: 'tool calls', isSaid: false, evaluation: { evaluator: { type: 'ToolCallEvaluator' } }, ...parse }
  if (written.some((value) => isDict(value) || (isList(value) && value.some((one) => isDict(one) || isList(one)))))
    throw new UnclearRows(
      'answer',
      path,
      `the gold answers are ${written.some(isDict) ? 'objects' : 'lists of objects'}, which cannot be compared with a reply`,
      `name the value inside: --answer ${path}.${insideOf(written)}, or --answer none`,
    )
  const texts = written.map((value) => pyStr(value))
  if (labels !== undefined) return classLook(gold, labels)
  if (written.every((value) => typeof value === 'boolean')) return classLook(gold, hasQuestion ? ['No', 'Yes'] : ['False', 'True'])
  if (kind === 'mixed')
    throw new UnclearRows(
      'answer',
      path,
      'the gold answers are values of several kinds',
      'name another column: --answer COLUMN, or --answer none',
    )
  if (written.every((value) => isList(value))) {
    const isShort = written.flat().every((value) => pyStr(value as PyValue).length <= maxExactLength)
    return {
      is: 'several right answers',
      isSaid: false,
      evaluation: { evaluator: { type: isShort ? 'EMEvaluator' : 'RougeEvaluator' } },
      ...parse,
    }
  }
  if (texts.every((text) => /####\s*[-$]?\d/.test(text))) {
    return {
      is: 'numbers after ####',
      isSaid: true,
      asksFor: 'steps',
      evaluation: {
        evaluator: { type: 'MarkedNumberEvaluator' },
        pred_postprocessor: { type: 'marked_number' },
        dataset_postprocessor: { type: 'gsm8k_dataset' },
      },
    }
  }
  if (texts.some((text) => /####/.test(text)))
    throw new UnclearRows(
      'answer',
      path,
      'only some gold answers end with "#### " and a number',
      'name another column: --answer COLUMN, or --answer none',
    )
  if (texts.every((text) => text.includes('\\boxed'))) return boxedLook()
  if (texts.every(isNumber)) return numberLook(gold, texts)
  const classes = classesIn(gold, texts)
  if (classes) return classLook(gold, classes)
  const isShort = texts.every((text) => text.length <= maxExactLength)
  return { is: 'texts', isSaid: true, evaluation: { evaluator: { type: isShort ? 'EMEvaluator' : 'RougeEvaluator' } } }
}

function boxedLook(): GoldLook {
  const boxed = { type: 'math_postprocess_v2' }
  return {
    is: 'solutions with \\boxed{…}',
    isSaid: true,
    asksFor: 'boxed',
    evaluation: { evaluator: { type: 'MATHEvaluator' }, pred_postprocessor: boxed, dataset_postprocessor: boxed },
  }
}

function isNumber(text: string): boolean {
  return /^\s*[-+]?[$¥€]?\d[\d,]*(?:\.\d+)?%?\s*$/.test(text)
}

function numberLook({ path }: Column, texts: readonly string[]): GoldLook {
  if (isNamed('classes', path) && texts.every((text) => /^-?\d{1,2}$/.test(text.trim()))) {
    const numbers = [...new Set(texts.map(Number))].toSorted((a, b) => a - b)
    throw new UnclearRows(
      'labels',
      path,
      `the gold answers are numbers of classes (${numbers.join(', ')}), and their words are unknown`,
      `give the words in the order of the numbers: --labels ${numbers.map((number) => `WORD${number}`).join(',')}; if they are results of a calculation, rename the column to "answer"`,
    )
  }
  const number = { type: 'final_number' }
  return {
    is: 'numbers',
    isSaid: true,
    evaluation: { evaluator: { type: 'AccEvaluator' }, pred_postprocessor: number, dataset_postprocessor: number },
  }
}

/** The words of classes: given for numbers and booleans, in their order, or found as they are. */
function classLook(gold: Column, words: readonly string[]): GoldLook {
  const values = [...new Set(gold.values.filter((value) => !isMissing(value)).map((value) => pyStr(value!)))]
  const isWord = values.every((value) => words.includes(value))
  const keys = isWord ? [] : values.every((value) => /^(?:True|False)$/i.test(value)) ? ['False', 'True'] : numberKeys(values, words.length)
  if (!isWord && (keys === undefined || keys.length !== words.length))
    throw new UnclearRows(
      'labels',
      gold.path,
      `${words.length} labels are given, but the gold answers are: ${values.slice(0, 10).join(', ')}`,
      'give one label for each class, in order',
    )
  const map = isWord ? {} : { map: { from: gold.path, values: Object.fromEntries(keys!.map((key, index) => [key, words[index]!])) } }
  return {
    is: `classes (${words.join(', ')})`,
    isSaid: true,
    classes: words,
    evaluation: { evaluator: { type: 'AccEvaluator' }, pred_postprocessor: { type: 'closed_answer', answers: words } },
    ...map,
  }
}

/** Numbers from 0, or from 1 if there is no 0, for a known number of classes. */
function numberKeys(values: readonly string[], count: number): string[] | undefined {
  const numbers = values.map(Number)
  if (!numbers.every((number) => Number.isInteger(number))) return undefined
  const first = Math.min(...numbers) < 0 ? Math.min(...numbers) : Math.max(...numbers) === count ? 1 : 0
  const keys = Array.from({ length: count }, (_, index) => String(first + index))
  return values.every((value) => keys.includes(value)) ? keys : undefined
}

/** The distinct texts, if they are few and repeat, or if the column's name says that they are classes. */
function classesIn({ path }: Column, texts: readonly string[]): string[] | undefined {
  const distinct = [...new Set(texts)].toSorted()
  if (distinct.some((text) => text.length > 40 || text.trim() !== text)) return undefined
  const repeats = distinct.length <= maxClasses && texts.length >= 3 * distinct.length && texts.length >= 6
  if (!repeats && !(isNamed('classes', path) && distinct.length <= maxClasses)) return undefined
  if (distinct.length > 1) return distinct
  throw new UnclearRows(
    'labels',
    path,
    `all gold answers are "${distinct[0]}"`,
    `name all classes: --labels ${distinct[0]},OTHER; or another column: --answer COLUMN`,
  )
}

function isCalls(value: PyValue): boolean {
  return isList(value) && value.length > 0 && value.every(isCall)
}

function isCall(value: PyValue): boolean {
  return isDict(value) && (dictHas(value, 'function') || (dictHas(value, 'name') && dictHas(value, 'arguments')))
}

/** A key inside object-valued answers, as an example of a path. */
function insideOf(values: readonly PyValue[]): string {
  const first = values.find((value) => isDict(value))
  return first && isDict(first) ? (first instanceof Map ? [...first.keys()][0] : Object.keys(first)[0])! : '0'
}
