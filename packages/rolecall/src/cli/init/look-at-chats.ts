import type { Row } from '@rolecall/core/internal/conversation'
import { dictGet, dictHas, isList, pyStr } from '@rolecall/core/internal/python'
import { mapColumns } from '../../evaluation/dataset/map-columns.ts'
import { isUnfit, rowFormats } from '../../evaluation/dataset/row-formats/index.ts'
import { isNamed, rankIn } from './column-names.ts'
import type { FileColumns } from './file-columns.ts'
import { judgeGold } from './judge-gold.ts'
import { type Column, isShareGptTurn } from './profile-columns.ts'
import type { RowsLook } from './rows-look.ts'
import { type RowFlags, UnclearRows } from './unclear-rows.ts'

/** Rows that are chats: the gold answer is the last message, its tool calls, or a column. */
export function lookAtChats(
  rows: readonly Row[],
  columns: FileColumns,
  chats: readonly Column[],
  given: RowFlags,
  tools: Column | undefined,
): Omit<RowsLook, 'uses'> {
  const chat = chats.find(({ path }) => path === given.question) ?? chats[0]!
  if (chats.length > 1 && given.question === undefined)
    throw new UnclearRows(
      'question',
      'messages',
      `several columns have chats: ${chats.map(({ path }) => path).join(', ')}`,
      'name the one to send: --question COLUMN',
    )
  columns.take(chat.path, 'chat')
  const first = chat.values.find((value) => isList(value))
  const isShareGpt = isList(first) && isShareGptTurn(first[0])
  const [rowFormat, column] = isShareGpt ? ['sharegpt', 'conversations'] : ['messages', 'messages']
  if (chat.path !== column) columns.map[column] = chat.path
  const read = rows.map((row, index) => {
    const mapped = mapColumns(row, columns.map)
    const found = isUnfit(mapped) ? mapped : rowFormats[rowFormat]!.read(mapped)
    if (!isUnfit(found)) return found
    throw new UnclearRows('question', `${chat.path} › row ${index}`, found.problem, found.fix)
  })
  const system = columns.free.find(({ path, kind }) => isNamed('system', path) && kind === 'text')
  if (system) columns.take(system.path, 'system')
  const addsSystem = system !== undefined && !(isShareGpt && system.path === 'system')
  return {
    is: isShareGpt ? "chats as ShareGPT's conversations" : 'chats as messages',
    rowFormat,
    inputs: ['messages', ...(addsSystem ? [columns.nameOf(system.path)] : [])],
    ...(addsSystem ? { system: `{${columns.nameOf(system.path)}}` } : {}),
    ...(tools ? { tools: columns.nameOf(tools.path) } : {}),
    ...goldOf(read, columns, chat, given),
    ...(Object.keys(columns.map).length === 0 ? {} : { map: columns.map }),
  }
}

function goldOf(
  read: readonly Row[],
  columns: FileColumns,
  chat: Column,
  given: RowFlags,
): Pick<RowsLook, 'gold' | 'isSaid' | 'evaluation'> {
  if (given.answer === 'none') return { isSaid: false }
  const named = columns.free
    .filter(({ path, kind }) => kind !== 'empty' && isNamed('gold', path))
    .toSorted((a, b) => rankIn('gold', a.path) - rankIn('gold', b.path))
  const column = given.answer === undefined ? named[0] : columns.given(given.answer, '--answer')[0]
  const answered = read.filter((row) => dictHas(row, 'answer')).length
  const calling = read.filter((row) => dictHas(row, 'calls')).length
  if (answered > 0 && given.answer === undefined) {
    if (answered < read.length || (calling > 0 && calling < read.length))
      throw new UnclearRows(
        'answer',
        chat.path,
        calling > 0 && answered === read.length
          ? `${calling} of ${read.length} chats end with tool calls, the others with a text`
          : `${answered} of ${read.length} chats end with the model's answer, the others do not`,
        'write files of one kind, name the column with the answers: --answer COLUMN, or --answer none',
      )
    if (calling > 0) {
      columns.take(chat.path, 'chat', 'gold: the tool calls of the last message')
      return { gold: 'calls', isSaid: false, evaluation: { evaluator: { type: 'ToolCallEvaluator' } } }
    }
    columns.take(chat.path, 'chat', 'gold: the last message')
    const last: Column = { path: 'answer', kind: 'text', values: read.map((row) => pyStr(dictGet(row, 'answer') ?? '')) }
    const { isSaid, evaluation } = judgeGold(last, undefined, true)
    return { gold: 'answer', isSaid, evaluation }
  }
  if (column === undefined) return { isSaid: false }
  columns.take(column.path, 'gold')
  const { isSaid, evaluation, map } = judgeGold(column, given.labels?.split(','), true)
  // The row format overwrites `answer` where a chat ends with one.
  const name = columns.nameOf(column.path)
  if (map !== undefined) columns.map[name] = map
  return { gold: name, isSaid, evaluation }
}
