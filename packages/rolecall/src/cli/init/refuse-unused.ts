import { isDict, isList, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { isIdName, isNamed, isWrongAnswerName } from './column-names.ts'
import type { FileColumns } from './file-columns.ts'
import { type Column, isMissing } from './profile-columns.ts'
import { type RowFlags, UnclearRows } from './unclear-rows.ts'

/** Refuses rows with tests of code. */
export function refuseCode(columns: FileColumns): void {
  const tests = columns.free.find(({ path }) => isNamed('code', path))
  if (!tests) return
  throw new UnclearRows(
    'unused',
    tests.path,
    'the rows have tests of code, which a comparison of texts does not run',
    `use a preset (\`rolecall list presets\`: humaneval) or a dataset class of docs/loaders.md; to compare texts nevertheless: --unused ${tests.path}`,
  )
}

/** Rows to compare when a column is examined. */
export const compared = 20

/** Refuses to leave columns out that look as if they mattered. */
export function refuseUnused(columns: FileColumns, given: RowFlags, gold?: Column): void {
  const used = columns.all.filter(({ path }) => columns.uses.some((one) => one.path === path && one.use !== 'unused' && one.use !== 'id'))
  const isRepeated = ({ path, values }: Column) =>
    used.some((other) =>
      values.slice(0, compared).every((value, row) => {
        const [one, two] = [textOf(value), textOf(other.values[row])]
        return one === '' || two.includes(one) || (other === gold && isNamed('gold', path) && one.includes(two))
      }),
    )
  for (const column of columns.free) {
    const { path, kind } = column
    if (kind === 'empty' || isIdName(path) || isRepeated(column)) continue
    const unused = `, or leave it out: --unused ${path}`
    if (isWrongAnswerName(path))
      throw new UnclearRows(
        'unused',
        path,
        'the column has wrong answers, which are not shown as choices',
        `to ask without choices: --unused ${path}; to show them, write the choices into one column`,
      )
    if (kind === 'list' || kind === 'json' || kind === 'chat' || kind === 'mixed')
      throw new UnclearRows(
        'unused',
        path,
        `the column has ${kind === 'chat' ? 'chats' : 'lists'} that are not used`,
        `say what they are: --choices ${path}, --answer ${path} or --tools ${path}${unused}`,
      )
    if (isNamed('gold', path) && !(given.answer !== undefined && given.answer !== 'none'))
      throw new UnclearRows(
        'answer',
        path,
        `the column could be the gold answer${gold ? ` as well as "${gold.path}"` : ''}`,
        `choose one: --answer ${gold?.path ?? path}${unused}`,
      )
    if (
      given.question === undefined &&
      given.prompt === undefined &&
      kind === 'text' &&
      (isNamed('question', path) || isNamed('system', path) || isNamed('choices', path))
    )
      throw new UnclearRows(
        'question',
        path,
        'the column looks like part of the question, but is not used',
        `name all its columns: --question A,B${unused}`,
      )
    if (kind === 'text' && !isNamed('explanation', path) && !isNamed('about', path) && averageLength(column) > longText)
      throw new UnclearRows(
        'context',
        path,
        'the column has long texts that are not used',
        `if the question is about them: --context ${path}${unused}`,
      )
  }
}

/** An unknown column with longer texts may be what a question is about. */
const longText = 80

function averageLength({ values }: Column): number {
  return values.reduce((sum: number, value) => sum + textOf(value).length, 0) / Math.max(1, values.length)
}

export function textOf(value: Column['values'][number]): string {
  if (isMissing(value)) return ''
  return isList(value) || isDict(value) ? stringifyJson(value) : pyStr(value).trim()
}
