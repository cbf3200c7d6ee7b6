import type { Row } from '@rolecall/core/internal/conversation'
import { dictGet, dictHas, pyStr } from '@rolecall/core/internal/python'
import { mapColumns } from '../../evaluation/dataset/map-columns.ts'
import { isUnfit, rowFormats } from '../../evaluation/dataset/row-formats/index.ts'
import { isIdName, isNamed } from './column-names.ts'
import type { FileColumns } from './file-columns.ts'
import { type FoundChoices, letteredLines, namesSeveral, readAnswers } from './find-choices.ts'
import { type Column, isMissing } from './profile-columns.ts'
import { type Asked, mapOf, promptOf, type RowsLook } from './rows-look.ts'
import { type AnswerIs, UnclearRows } from './unclear-rows.ts'

/** The row format that reads answers of this form. */
const formatOf: Readonly<Record<AnswerIs, string>> = { letter: 'choices', '0': 'choices', '1': 'choices_from_one', text: 'choices_by_text' }

const evaluation = { evaluator: { type: 'AccEvaluator' }, pred_postprocessor: { type: 'choice_answer', options: 'ABCDEFGHIJ' } }

type Found = {
  choices: FoundChoices | undefined
  gold: Column | undefined
  questions: readonly Column[]
  asked: Asked
  form: AnswerIs | undefined
}

/** Multiple choice: the choices are columns, a list, or part of a text. */
export function lookAtChoices(
  rows: readonly Row[],
  columns: FileColumns,
  { choices, gold, questions, asked, form }: Found,
): Omit<RowsLook, 'uses'> {
  const { isChinese, system, tools } = asked
  const request = isChinese ? '请回答正确选项的字母。' : 'Answer with the letter of the right choice.'
  const base = { ...(system ? { system } : {}), ...(tools ? { tools } : {}) }
  if (choices === undefined || choices.map === undefined) {
    const [inText] = choices?.paths ?? []
    if (inText === undefined && !questions.some(({ values }) => values.every((value) => letteredLines(pyStr(value ?? '')))))
      throw new UnclearRows(
        'choices',
        gold!.path,
        'the gold answers are letters, but no column has the choices',
        'name the columns: --choices A,B,C or --choices COLUMN; if a letter is the whole answer: --choices none',
      )
    const shown = inText === undefined ? [] : [columns.nameOf(inText)]
    if (gold && choices) choiceForm(columns, gold, choices, form)
    return {
      is: 'multiple choice, listed in a text',
      inputs: [...asked.contexts, ...asked.questions, ...shown],
      prompt: promptOf(asked, ...shown.map((name) => `{${name}}`), request),
      isSaid: gold !== undefined,
      ...(gold && { gold: columns.nameOf(gold.path), evaluation }),
      ...base,
      ...mapOf(columns),
    }
  }
  const read = gold && choiceForm(columns, gold, choices, form)
  const rowFormat = read === undefined ? 'choices' : formatOf[read.form]
  const [question, ...more] = asked.questions
  // The format reads its columns from the row itself, not from columns that were made from it.
  const { [question!]: _, ...others } = columns.map
  const map = { ...others, ...namesForFormat(rows[0]!, questions[0]!.path, choices, gold) }
  if (read) refuseOthers(rows, map, rowFormat, read.letters, gold)
  return {
    is: 'multiple choice',
    rowFormat,
    ...(Object.keys(map).length === 0 ? {} : { map }),
    inputs: [...asked.contexts, 'question', ...more, 'options'],
    prompt: promptOf({ ...asked, questions: ['question', ...more] }, '{options}', request),
    isSaid: read !== undefined,
    ...(read && { gold: 'answer', evaluation }),
    ...base,
  }
}

/** FileColumns under the names that the row format reads; columns that have them already are left alone. */
function namesForFormat(row: Row, question: string, choices: FoundChoices, gold: Column | undefined): NonNullable<RowsLook['map']> {
  const isLettered = choices.paths.every((path, index) => path === 'ABCDEFGHIJ'[index])
  const isListed = choices.map === choices.paths[0] && ['choices', 'options', 'endings'].includes(choices.paths[0]!)
  const hasOther = ['choices', 'options', 'endings'].some((name) => dictHas(row, name) && name !== choices.paths[0])
  const answer = dictHas(row, 'answerKey') ? 'answerKey' : 'answer'
  return {
    ...(question === 'question' ? {} : { question }),
    ...((isLettered && choices.paths.length > 1) || isListed ? (hasOther ? { choices: choices.map! } : {}) : { choices: choices.map! }),
    ...(gold === undefined || gold.path === answer ? {} : { [answer]: gold.path }),
  }
}

/** How gold answers name their choice, which must be the only way to read them. */
function choiceForm(
  columns: FileColumns,
  gold: Column,
  choices: FoundChoices,
  form: AnswerIs | undefined,
): ReturnType<typeof readAnswers>[number] {
  const readings = readAnswers(gold, choices, form)
  const [first] = readings
  if (first === undefined) throw noChoice(gold, choices)
  const other = readings.find(({ letters }) => letters.some((letter, row) => letter !== first.letters[row]))
  if (other)
    throw new UnclearRows(
      'answerIs',
      gold.path,
      `the gold answers can be read in ${readings.length} ways: the first is choice ${readings.map((one) => `${one.letters[0]} ${wordsOf[one.form]}`).join(', ')}`,
      `choose one: ${readings.map((one) => `--answer-is ${one.form}`).join(' or ')}`,
    )
  const isSeries = choices.paths.length > 1
  if (isSeries && first.form === 'text' && form === undefined && first.letters.length > 2 && new Set(first.letters).size === 1)
    throw new UnclearRows(
      'answerIs',
      gold.path,
      `the gold answer equals the column "${choices.paths['ABCDEFGHIJ'.indexOf(first.letters[0]!)]}" in every row, so the right choice is always ${first.letters[0]}`,
      'shuffle the choices of the file, or confirm it: --answer-is text',
    )
  columns.take(gold.path, 'gold', wordsOf[first.form].slice(1, -1))
  return first
}

const wordsOf: Readonly<Record<AnswerIs, string>> = {
  letter: '(letter)',
  text: '(text of the choice)',
  '0': '(number from 0)',
  '1': '(number from 1)',
}

function noChoice(gold: Column, choices: FoundChoices): UnclearRows {
  const row = choices.rows.findIndex((one, index) => namesSeveral(gold.values[index], one))
  if (row >= 0)
    return new UnclearRows(
      'answer',
      `${gold.path} › row ${row}`,
      `the gold answer ${JSON.stringify(pyStr(gold.values[row]!))} names several choices, and replies are read as one choice`,
      'leave such rows out, or collect replies without scoring: --answer none',
    )
  const bad = gold.values.findIndex(
    (_, index) => readAnswers({ ...gold, values: [gold.values[index]] }, { ...choices, rows: [choices.rows[index]!] }).length === 0,
  )
  const at = Math.max(0, bad)
  const value = gold.values[at]
  return new UnclearRows(
    'answer',
    `${gold.path} › row ${at}`,
    isMissing(value)
      ? 'the row has no gold answer'
      : `the gold answer ${JSON.stringify(pyStr(value))} is none of the choices, or answers are written in several ways`,
    'name another column: --answer COLUMN, or --answer none to collect replies without scoring; --choices none asks without choices',
  )
}

/** The row format must find the same answers. */
function refuseOthers(
  rows: readonly Row[],
  map: NonNullable<RowsLook['map']>,
  rowFormat: string,
  letters: readonly string[],
  gold: Column,
): void {
  for (const [index, row] of rows.entries()) {
    const mapped = mapColumns(row, map)
    const read = isUnfit(mapped) ? mapped : rowFormats[rowFormat]!.read(mapped)
    if (!isUnfit(read) && dictGet(read, 'answer') === letters[index]) continue
    const problem = isUnfit(read)
      ? read.problem
      : `the answer is read as ${pyStr(dictGet(read, 'answer') ?? null)} instead of ${letters[index]}`
    throw new UnclearRows('answer', `${gold.path} › row ${index}`, problem, 'name another column: --answer COLUMN, or --answer none')
  }
}

/** The gold column of multiple choice: by its name if its values name choices, else the only other column whose values do. */
export function goldOfChoices(columns: FileColumns, named: readonly Column[], choices: FoundChoices): Column | undefined {
  const fits = (column: Column) => readAnswers(column, choices).length
  const clear = named.find((column) => fits(column) === 1) ?? named.find((column) => fits(column) > 0)
  if (clear || named.length > 0) return clear ?? named[0]
  const others = columns.free.filter(
    ({ path, kind, values }) =>
      !isIdName(path) &&
      !isNamed('question', path) &&
      (kind === 'text' || kind === 'list') &&
      readAnswers({ path, kind, values }, choices).some(({ form }) => form === 'letter' || form === 'text'),
  )
  if (others.length === 1) return others[0]
  const left = columns.free.filter(
    ({ path, kind }) =>
      !isIdName(path) && kind !== 'empty' && !isNamed('question', path) && !isNamed('about', path) && !isNamed('context', path),
  )
  if (others.length > 1 || left.length > 0)
    throw new UnclearRows(
      'answer',
      'gold answers',
      `no column is known to be the gold answer (left over: ${(others.length > 1 ? others : left).map(({ path }) => path).join(', ')})`,
      'name it: --answer COLUMN, or --answer none to collect replies without scoring',
    )
  return undefined
}
