import type { Row } from '@rolecall/core/internal/conversation'
import { limits, PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, isDict, isList, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { badRow, type OrError, parseRowJson, type RowChunks } from './bad-row.ts'
import { type TextBlock, textBlocks } from './text-blocks.ts'

/** Reads a list of objects, top-level or as the only list of an object (`{ "examples": [ … ] }`), in one piece. */
export async function* readJsonRows(path: string): RowChunks {
  const blocks: string[] = []
  let length = 0
  for await (const { text, broken } of textBlocks(path)) {
    for (const error of broken.values()) throw error
    blocks.push(text)
    length += text.length
    if (length > limits.lineBytes)
      throw badRow(
        path,
        `the file has more than ${limits.lineBytes.toLocaleString('en-US')} characters, too many for a .json file`,
        'write one object per line into a .jsonl file',
      )
  }
  const whole = parseRowJson(blocks.join(''), () => path, 'correct the file; a file with one object per line must be named .jsonl')
  if (whole instanceof PromptError) throw whole
  const rows = isDict(whole) ? onlyList(whole) : whole
  if (!isList(rows)) throw badRow(path, 'the file is not a list of rows', 'write [{ … }, { … }], or one object per line in a .jsonl file')
  yield rows.map((row, index) =>
    isDict(row) ? row : badRow(`${path}[${index}]`, 'the row is not an object', 'write { "column": value, … }'),
  )
}

/** Files often have metadata beside their rows. */
function onlyList(whole: PyDict): PyValue | undefined {
  const lists = dictEntries(whole).filter(([, value]) => isList(value) && value.length > 0 && value.every(isDict))
  return lists.length === 1 ? lists[0]![1] : undefined
}

/** Reads one JSON object per line; empty lines are skipped. */
export async function* readJsonLines(path: string): RowChunks {
  for await (const block of textBlocks(path)) yield rowsIn(block, path)
}

function* rowsIn({ text, line: firstLine, broken }: TextBlock, path: string): Generator<OrError<Row>> {
  // Not readline: some Node versions also split at U+2028, which JSON strings may contain.
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    if (line.trim() !== '') yield broken.get(firstLine + index) ?? asRow(line, path, firstLine + index)
  }
}

function asRow(text: string, path: string, line: number): OrError<Row> {
  const value = parseRowJson(text, () => `${path}:${line}`, 'correct the line')
  if (value instanceof PromptError || isDict(value)) return value
  return badRow(`${path}:${line}`, 'the row is not an object', 'write { "column": value, … }')
}
