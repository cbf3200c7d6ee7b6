import { readMessage } from '../chat/read-message.ts'
import type { Row } from '../dataset/row.ts'
import { dictFromEntries, dictGet, dictHas, isDict, isList, type PyValue, pyStr } from '../python/index.ts'
import { buildConversation } from '../template/build-conversation.ts'
import { type Conversation, isTurn, type Turn } from '../template/conversation.ts'
import type { DatasetTemplates, Question } from '../template/question.ts'
import { plain } from '../text/index.ts'
import { asMessages } from './as-messages.ts'

/**
 * The chat of a row, as OpenCompass's ChatInferencer finds it: the row's own messages where its only input column (or one
 * named "dialogue") holds them; the template filled once for each entry where every column is a list of texts; else the
 * template, turn by turn. In generation the model's last turn is left to it.
 */
export function chatOfRow(
  templates: DatasetTemplates,
  question: Question,
  inputColumns: readonly string[],
): Conversation & { kind: 'dialogue' } {
  const { row, mode } = question
  const column = inputColumns.length === 1 ? inputColumns[0]! : inputColumns.find((name) => name === 'dialogue')
  const messages = column === undefined ? undefined : dictGet(row, column)
  if (isList(messages) && messages.length > 0 && messages.every(isDict)) {
    const turns = messages.map((message, index) => readMessage(message, { by: 'field', path: `${column}[${index}]` }))
    return chat(mode === 'gen' ? open(turns) : turns, [])
  }
  const entries = entriesOf(row, [...inputColumns, ...(templates.outputColumn ? [templates.outputColumn] : [])])
  const last = filled(templates, { ...question, row: entries.at(-1) ?? row })
  const before = entries
    .slice(0, -1)
    .map((entry) => answered(filled(templates, { row: entry, mode: 'ppl' }), entry, templates.outputColumn))
  const said = turnsOf(last)
  return chat([...before.flat(), ...(mode === 'gen' ? open(said) : said)], last.notes)
}

function filled(templates: DatasetTemplates, question: Question): Conversation & { kind: 'dialogue' } {
  return asMessages(buildConversation(templates, question), templates.quirks)
}

/** One row for each round, where every column is a list of texts. */
function entriesOf(row: Row, columns: readonly string[]): Row[] {
  const lists = columns.filter((name) => dictHas(row, name)).map((name) => [name, dictGet(row, name)!] as const)
  const isRounds = lists.length > 0 && lists.every(([, value]) => isList(value) && value.every((one) => typeof one === 'string'))
  if (!isRounds) return []
  const rounds = Math.min(...lists.map(([, value]) => (value as readonly PyValue[]).length))
  return Array.from({ length: rounds }, (_, round) =>
    dictFromEntries(lists.map(([name, value]): [string, PyValue] => [name, (value as readonly PyValue[])[round]!])),
  )
}

/** An earlier round ends with the right answer, where its template does not end with the model's words. */
function answered(conversation: Conversation & { kind: 'dialogue' }, row: Row, column: string | undefined): Turn[] {
  const turns = turnsOf(conversation)
  if (turns.at(-1)?.role === 'assistant' || column === undefined) return turns
  const words = plain(pyStr(dictGet(row, column) ?? ''), { by: 'field', path: column })
  return [...turns, { role: 'assistant', content: [words], path: column }]
}

function open(turns: readonly Turn[]): readonly Turn[] {
  return turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns
}

function turnsOf({ sections }: Conversation & { kind: 'dialogue' }): Turn[] {
  return sections.flatMap(({ items }) => items.filter(isTurn))
}

function chat(items: readonly Turn[], notes: Conversation['notes']): Conversation & { kind: 'dialogue' } {
  return { kind: 'dialogue', sections: [{ kind: 'chat', items }], notes }
}
