import type { Row } from '@rolecall/core/internal/conversation'
import { dictEntries, dictGet, dictHas, dictKeys, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { parseText, valueAtPath } from '../../evaluation/dataset/map-columns.ts'

/** The values of a column: `json` is a list or an object written as text, `mixed` has several kinds. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'chat' | 'json' | 'empty' | 'mixed'

/** A column of a file, or a value inside one (`data.question`). */
export type Column = {
  path: string
  kind: ColumnKind
  /** The value of each row; undefined where it is missing. */
  values: readonly (PyValue | undefined)[]
}

/** Objects deeper than this are not looked into. */
const maxDepth = 3

/** The columns of rows; objects are looked into, unless they are options, answers or questions in a known layout. */
export function profileColumns(rows: readonly Row[]): Column[] {
  const paths = [...new Set(rows.flatMap(dictKeys))]
  return paths.filter((path) => !/[{}]/.test(path)).flatMap((path) => profileAt(rows, path, 0))
}

function profileAt(rows: readonly Row[], path: string, depth: number): Column[] {
  const values = rows.map((row) => valueAtPath(row, path))
  const kind = kindOfAll(values)
  const column: Column = { path, kind, values }
  if (kind !== 'object' || depth >= maxDepth || values.every((value) => isMissing(value) || isWhole(value))) return [column]
  const keys = [...new Set(values.flatMap((value) => (isDict(value) ? dictKeys(value) : [])))].filter((key) => !/[{}.]/.test(key))
  return keys.flatMap((key) => profileAt(rows, `${path}.${key}`, depth + 1))
}

export function isMissing(value: PyValue | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}

/** Objects that row formats read as a whole: options by letter, ARC's texts with labels, SQuAD's answers. */
function isWhole(value: PyValue | undefined): boolean {
  return isLettered(value) || hasTexts(value)
}

/** `{ text: […], … }` */
export function hasTexts(value: PyValue | undefined): boolean {
  return isDict(value) && isList(dictGet(value, 'text'))
}

/** `{ A: …, B: … }` */
export function isLettered(value: PyValue | undefined): boolean {
  return isDict(value) && dictEntries(value).length > 1 && dictKeys(value).every((key, index) => key.toUpperCase() === 'ABCDEFGHIJ'[index])
}

function kindOfAll(values: readonly (PyValue | undefined)[]): ColumnKind {
  const kinds = [...new Set(values.filter((value) => !isMissing(value)).map(kindOfValue))]
  if (kinds.length === 0) return 'empty'
  if (kinds.length === 1) return kinds[0]!
  return kinds.every((kind) => kind === 'text' || kind === 'number' || kind === 'json') ? 'text' : 'mixed'
}

function kindOfValue(value: PyValue | undefined): ColumnKind {
  if (isChat(value)) return 'chat'
  if (isList(value)) return 'list'
  if (isDict(value)) return 'object'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value !== 'string') return 'number'
  const isWritten = /^\s*[[{][\s\S]*[\]}]\s*$/.test(value)
  const parsed = isWritten ? parseText(value) : undefined
  return isList(parsed) || isDict(parsed) ? 'json' : 'text'
}

/** A list of messages with a role and content, or of ShareGPT's turns. */
function isChat(value: PyValue | undefined): boolean {
  if (!isList(value) || value.length === 0) return false
  const isTurn = (turn: PyValue) =>
    isDict(turn) && ((dictHas(turn, 'role') && ['content', 'tool_calls'].some((key) => dictHas(turn, key))) || isShareGptTurn(turn))
  return value.every(isTurn)
}

export function isShareGptTurn(turn: PyValue | undefined): boolean {
  return isDict(turn) && dictHas(turn, 'from') && dictHas(turn, 'value')
}
