import { dictEntries, dictGet, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { type ColumnMap, parseText } from '../../evaluation/dataset/map-columns.ts'
import { withoutLabels } from '../../evaluation/dataset/row-formats/choices.ts'
import { isNamed, optionSeries } from './column-names.ts'
import { type Column, hasTexts, isLettered, isMissing } from './profile-columns.ts'
import { type AnswerIs, answerForms, UnclearRows } from './unclear-rows.ts'

/** The columns with the choices of multiple-choice rows. */
export type FoundChoices = {
  paths: readonly string[]
  /** How they become the column `choices`; absent if a text already lists them with letters. */
  map?: ColumnMap[string]
  /** The texts of each row's choices, and their labels if they have some. */
  rows: readonly RowChoices[]
}

type RowChoices = { texts: readonly string[]; labels: readonly string[] }

const letters = 'ABCDEFGHIJ'

/** Finds the choices: a column with lists or objects, a text with lettered lines, or a series of columns; `given` names them. */
export function findChoices(columns: readonly Column[], given: readonly Column[] | undefined): FoundChoices | undefined {
  const [only] = given ?? []
  if (given && given.length > 1) return ofSeries(given)
  if (only) {
    const found = ofColumn(only)
    if (found) return found
    throw new UnclearRows(
      'choices',
      only.path,
      'the column has no list of choices',
      'name a column with lists, or one column per choice: --choices A,B,C',
    )
  }
  for (const column of columns) {
    if (!isNamed('choices', column.path)) continue
    const found = ofColumn(column)
    if (found) return found
  }
  const series = optionSeries(columns.filter(({ kind }) => kind === 'text' || kind === 'number').map(({ path }) => path))
  return series && ofSeries(series.map((path) => columns.find((column) => column.path === path)!))
}

function ofSeries(columns: readonly Column[]): FoundChoices {
  const rows = columns[0]!.values.map((_, row): RowChoices => {
    const texts = columns.map(({ values }) => pyStr(values[row] ?? ''))
    return { texts: texts.slice(0, texts.findLastIndex((text) => text !== '') + 1), labels: [] }
  })
  const paths = columns.map(({ path }) => path)
  return { paths, map: paths, rows }
}

function ofColumn({ path, kind, values }: Column): FoundChoices | undefined {
  if (kind === 'text') {
    const rows = values.map((value) => (typeof value === 'string' ? letteredLines(value) : undefined))
    return rows.every((row) => row !== undefined) ? { paths: [path], rows } : undefined
  }
  const parsed = kind === 'json' ? values.map((value) => (typeof value === 'string' ? parseText(value) : value)) : values
  const rows = parsed.map(choicesOf)
  if (!rows.every((row) => row !== undefined)) return undefined
  return { paths: [path], map: kind === 'json' ? { from: path, parse: true } : path, rows }
}

function choicesOf(value: PyValue | undefined): RowChoices | undefined {
  if (isDict(value) && isLettered(value)) return { texts: dictEntries(value).map(([, text]) => pyStr(text)), labels: [] }
  const lists =
    isDict(value) && hasTexts(value) ? { texts: dictGet(value, 'text'), labels: dictGet(value, 'label') } : { texts: value, labels: [] }
  if (!isList(lists.texts) || lists.texts.length < 2 || lists.texts.length > letters.length) return undefined
  const labels = isList(lists.labels) ? lists.labels.map((label) => pyStr(label)) : []
  if (lists.texts.every((one) => isDict(one) && dictGet(one, 'text') !== undefined)) {
    const dicts = lists.texts.filter(isDict)
    return { texts: dicts.map((one) => pyStr(dictGet(one, 'text')!)), labels: dicts.map((one) => pyStr(dictGet(one, 'label') ?? null)) }
  }
  const isPlain = lists.texts.every((one) => !isDict(one) && !isList(one) && !isMissing(one))
  return isPlain ? { texts: withoutLabels(lists.texts).map((one) => pyStr(one)), labels } : undefined
}

/** The choices listed in a text: `A. 1 B. 2`; undefined if it lists none. */
export function letteredLines(text: string): RowChoices | undefined {
  const found = [...text.matchAll(/(?:^|\s|[(（])([A-Ja-j])\s?[).:：、．）]/gu)].map((match) => match[1]!.toUpperCase())
  let count = 0
  for (const letter of found) if (letter === letters[count]) count++
  return count >= 2 ? { texts: Array.from({ length: count }, (_, index) => letters[index]!), labels: [] } : undefined
}

/** The letters of the right choices, and how the gold values name them; undefined if they name none. */
export function readAnswers(gold: Column, choices: FoundChoices, form?: AnswerIs): { form: AnswerIs; letters: string[] }[] {
  const forms = form === undefined ? answerForms : [form]
  return forms.flatMap((one) => {
    if (choices.map === undefined && one !== 'letter') return []
    const read = choices.rows.map((row, index) => letterOf(gold.values[index], row, one))
    return read.every((letter) => letter !== undefined) ? [{ form: one, letters: read }] : []
  })
}

function letterOf(given: PyValue | undefined, { texts, labels }: RowChoices, form: AnswerIs): string | undefined {
  const single = isList(given) && given.length === 1 ? given[0] : given
  if (isMissing(single) || isList(single) || isDict(single)) return undefined
  const answer = pyStr(single).trim()
  const labelled = labels.indexOf(answer)
  if (labelled >= 0) return letters[labelled]
  const known = letters.slice(0, texts.length)
  switch (form) {
    case 'letter':
      return answer.length === 1 && known.includes(answer.toUpperCase()) ? answer.toUpperCase() : undefined
    case 'text': {
      const same = texts.flatMap((text, place) => (text.trim() === answer ? [letters[place]!] : []))
      return same.length === 1 ? same[0] : undefined
    }
    case '0':
    case '1':
      return /^\d\d?$/.test(answer) ? known[Number(answer) - Number(form)] : undefined
    default:
      return form satisfies never
  }
}

/** Whether a value names several choices: `AC`, `A,C` or a list. */
export function namesSeveral(value: PyValue | undefined, { texts }: RowChoices): boolean {
  if (isList(value)) return value.length > 1
  const parts = typeof value === 'string' ? [...value.toUpperCase().replace(/[,，、;；\s]/g, '')] : []
  return (
    parts.length > 1 && parts.every((part, index) => letters.slice(0, texts.length).includes(part) && !parts.slice(0, index).includes(part))
  )
}
