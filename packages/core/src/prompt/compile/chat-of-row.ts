import { distinctNotes, type Note } from '../../base/errors/note.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyValue, pyStr } from '../../base/python/index.ts'
import { plain } from '../../base/text/index.ts'
import { buildConversation } from '../conversation/build-conversation.ts'
import { type Conversation, isTurn, type Turn } from '../conversation/conversation.ts'
import type { DatasetTemplates, Question } from '../conversation/question.ts'
import { readMessage } from '../conversation/read-message.ts'
import { listsOfRounds, roundsOfRow } from '../conversation/rounds-of-row.ts'
import type { Row } from '../conversation/row.ts'
import { asMessages } from '../format/adapt/as-messages.ts'

/** The settings of an inferencer that decide which one it is. */
export type NamedInferencer = { type?: string | undefined; multiround?: boolean | undefined }

/**
 * The name of an inferencer without its module. Two other names mean ChatInferencer: AISBench's MultiTurnGenInferencer, and OpenCompass's
 * GenInferencer with `multiround`.
 */
export function inferencerName({ type, multiround }: NamedInferencer = {}): string {
  const name = type?.split('.').at(-1) ?? 'GenInferencer'
  return name === 'MultiTurnGenInferencer' || (name === 'GenInferencer' && multiround === true) ? 'ChatInferencer' : name
}

/** Whether an inferencer reads templates and rows as chats: message by message, without rounds. */
export function readsChats(inferencer: NamedInferencer | undefined): boolean {
  return inferencerName(inferencer) === 'ChatInferencer'
}

/**
 * The chat of a row, as OpenCompass's ChatInferencer finds it: the row's messages if its only input column (or one named "dialogue") holds
 * them; the template filled once per entry if every column is a list of texts; otherwise the template, turn by turn. In generation the
 * model's last turn is omitted.
 */
export function chatOfRow(
  templates: DatasetTemplates,
  given: Question,
  inputColumns: readonly string[],
): Conversation & { kind: 'dialogue' } {
  const { row, mode } = given
  const { quirks, outputColumn } = templates
  const showsExamples = chatShowsExamples(row, inputColumns, quirks)
  const question: Question = showsExamples ? given : { ...given, examples: [] }
  const unused = showsExamples ? [] : unusedExamples(given.examples?.length ?? 0)
  const column = columnOfMessages(row, inputColumns)
  if (column !== undefined) {
    const notes: Note[] = []
    const turns = readMessages(row, column, notes)
    return chat(mode === 'gen' ? open(turns) : turns, [...unused, ...notes])
  }
  const lists = listsOfRounds(row, inputColumns, outputColumn)
  const seen = quirks.has('chat-columns') ? namedColumns(row, inputColumns, outputColumn) : row
  const { rounds, notes } = lists ? roundsOfRow(seen, lists, quirks) : { rounds: [seen], notes: [] }
  const said = rounds.map((round, index) => {
    const isLast = index === rounds.length - 1
    // Examples come before the first round.
    const examples = index === 0 ? (question.examples ?? []) : []
    const filled = asMessages(buildConversation(templates, { ...question, row: round, examples, mode: isLast ? mode : 'ppl' }), quirks)
    const turns = turnsOf(filled)
    if (!isLast) return { turns: answered(turns, round, outputColumn), notes: filled.notes }
    return { turns: mode === 'gen' ? open(turns) : turns, notes: filled.notes }
  })
  return chat(
    said.flatMap(({ turns }) => turns),
    distinctNotes([...unused, ...notes, ...said.flatMap((round) => round.notes)]),
  )
}

/** Whether the chat of a row has a place for examples: a row's own messages have none, and OpenCompass never shows any. */
export function chatShowsExamples(row: Row, inputColumns: readonly string[], quirks: Quirks): boolean {
  return !quirks.has('chat-examples-unused') && columnOfMessages(row, inputColumns) === undefined
}

function columnOfMessages(row: Row, inputColumns: readonly string[]): string | undefined {
  const column = inputColumns.length === 1 ? inputColumns[0]! : inputColumns.find((name) => name === 'dialogue')
  const messages = column === undefined ? undefined : dictGet(row, column)
  return isList(messages) && messages.length > 0 && messages.every(isDict) ? column : undefined
}

function readMessages(row: Row, column: string, notes: Note[]): Turn[] {
  const messages = dictGet(row, column) as readonly PyValue[]
  return messages.map((message, index) => readMessage(message, { by: 'field', path: `${column}[${index}]` }, { notes }))
}

/** A row as OpenCompass's chats see it. */
function namedColumns(row: Row, inputColumns: readonly string[], outputColumn: string | undefined): Row {
  if (inputColumns.length === 0) return row
  return dictFromEntries(dictEntries(row).filter(([name]) => inputColumns.includes(name) || name === outputColumn))
}

function unusedExamples(count: number): Note[] {
  if (count === 0) return []
  const left = count === 1 ? '1 example was left out' : `${count} examples were left out`
  return [{ code: 'examples-unused', text: `this chat has no place for examples: ${left}` }]
}

/**
 * An earlier round ends with the gold answer, unless its template ends with an assistant turn; an unknown answer is empty, and the model's
 * answer may replace it.
 */
function answered(turns: readonly Turn[], round: Row, column = 'answer'): readonly Turn[] {
  if (turns.at(-1)?.role === 'assistant') return turns
  const words = plain(pyStr(dictGet(round, column) ?? ''), { by: 'field', path: column })
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
