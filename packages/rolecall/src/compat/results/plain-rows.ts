import type { PyValue } from '@rolecall/core/internal/python'
import type { ForeignPair, ForeignResult, ForeignRow, ResultFiles, ResultReader, SkipPart } from './foreign-result.ts'
import { chatTurn, fieldsOf, type JsonFields, knownFacts, linesOf, numberOf, textOf, tryJson, valueAt } from './foreign-values.ts'
import { fieldsIn, lineParts } from './row-parts.ts'

/** The names of columns that hold the same thing, the most specific first. */
const columns = {
  id: ['id', 'row_id', 'doc_id', 'index', 'idx'],
  prompt: ['prompt', 'messages', 'input', 'question', 'query'],
  question: ['question', 'query', 'problem', 'input'],
  reply: ['prediction', 'response', 'reply', 'answer_text', 'completion', 'generation', 'model_output', 'output', 'answer'],
  gold: ['gold', 'reference', 'target', 'label', 'ground_truth', 'expected', 'references'],
  pred: ['extracted', 'parsed', 'pred'],
  score: ['score', 'correct', 'is_correct', 'accuracy', 'acc', 'exact_match', 'pass', 'success'],
  model: ['model'],
} as const

type Column = keyof typeof columns

/** JSON Lines with columns for prompt, answer and gold, whichever tool wrote them. Read last: other formats are JSON Lines too. */
export const plainRows: ResultReader = {
  harness: 'jsonl',
  read(files) {
    return files.names.filter((name) => name.endsWith('.jsonl')).flatMap((name) => resultOf(files, name) ?? [])
  },
}

function resultOf(files: ResultFiles, name: string): ForeignResult | undefined {
  const first = firstRow(files, name)
  if (first === undefined) return undefined
  const used = columnsOf(first)
  const metric = used.score ?? 'score'
  const pair: ForeignPair = {
    model: textOf(first[used.model ?? '']) ?? 'model',
    dataset: name.slice(name.lastIndexOf('/') + 1).replace(/\.jsonl$/, ''),
    setup: { harness: 'jsonl', rows: knownFacts({}), prompt: knownFacts({}), sampling: knownFacts({}), scoring: { [metric]: {} } },
    reported: {},
    rows: (skip) => rowsOf(files, name, used, metric, skip),
  }
  const read = Object.entries(used).map(([meaning, column]) => `${meaning} from "${column}"`)
  const rest = Object.keys(first).filter((key) => !Object.values(used).includes(key))
  const unread = rest.length === 0 ? '' : `; not read: ${rest.join(', ')}`
  return {
    harness: 'jsonl',
    source: name,
    started: '',
    pairs: [pair],
    notes: [{ code: 'columns', where: name, text: `read ${read.join(', ')}${unread}` }],
  }
}

/** A file may begin with other lines: the first of these with the columns of a row counts. */
const mostOtherLines = 20

function firstRow(files: ResultFiles, name: string): JsonFields | undefined {
  let others = 0
  for (const line of linesOf(files.chunks(name))) {
    const fields = fieldsOf(tryJson(line))
    const { reply, prompt, gold } = columnsOf(fields)
    if (reply !== undefined && (prompt !== undefined || gold !== undefined)) return fields
    if (++others > mostOtherLines) return undefined
  }
  return undefined
}

/** The column of each meaning; no column has two. */
function columnsOf(row: JsonFields): Partial<Record<Column, string>> {
  const taken = new Set<string>()
  const order: readonly Column[] = ['id', 'gold', 'reply', 'pred', 'score', 'prompt', 'question', 'model']
  return Object.fromEntries(
    order.flatMap((meaning) => {
      const found = columns[meaning].find((name) => row[name] !== undefined && !taken.has(name))
      if (found === undefined) return []
      // The question is often the whole prompt.
      if (meaning !== 'prompt') taken.add(found)
      return [[meaning, found]]
    }),
  )
}

function* rowsOf(
  files: ResultFiles,
  name: string,
  used: Partial<Record<Column, string>>,
  metric: string,
  skip: SkipPart,
): Generator<ForeignRow> {
  let number = 0
  for (const part of lineParts(files.chunks(name))) {
    const row = fieldsIn(part.text, name)
    const problem = typeof row === 'string' ? row : !isRow(row, used) ? 'it is not a row: it has none of the columns' : undefined
    if (typeof row === 'string' || problem !== undefined) {
      skip({ file: name, place: part.place, problem: problem! })
      continue
    }
    const at = (meaning: Column) => (used[meaning] === undefined ? undefined : row[used[meaning]])
    const [id, reply, score, prompt] = [at('id'), at('reply'), numberOf(at('score')), at('prompt')]
    yield {
      id: number++,
      keys: id === undefined ? {} : { id: String(id) },
      question: textOf(at('question')),
      gold: (at('gold') ?? null) as PyValue,
      prompt: Array.isArray(prompt) ? prompt.map((one) => chatTurn(String(valueAt(one, 'role')), valueAt(one, 'content'))) : textOf(prompt),
      replies: reply === undefined || reply === null ? [] : [textOf(reply) ?? JSON.stringify(reply)],
      error: reply === undefined || reply === null ? (textOf(row.error) ?? 'there is no reply') : undefined,
      metrics: score === undefined ? {} : { [metric]: { score, ...(at('pred') === undefined ? {} : { pred: at('pred') as PyValue }) } },
    }
  }
}

function isRow(row: JsonFields, { prompt, question, reply, gold }: Partial<Record<Column, string>>): boolean {
  return [prompt, question, reply, gold].some((name) => name !== undefined && row[name] !== undefined)
}
