import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isDict } from '../../../base/python/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { badRow, type Found, type FoundRows, parseOrTell } from './bad-row.ts'
import { type TextBlock, textBlocks } from './text-blocks.ts'

/** Reads one JSON object per line; empty lines are skipped. */
export async function* readJsonLines(path: string): FoundRows {
  for await (const block of textBlocks(path)) yield rowsIn(block, path)
}

function* rowsIn({ text, line: firstLine, broken }: TextBlock, path: string): Generator<Found<Row>> {
  // Not readline: some Node versions also split at U+2028, which JSON strings may contain.
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    if (line.trim() !== '') yield broken.get(firstLine + index) ?? asRow(line, path, firstLine + index)
  }
}

function asRow(text: string, path: string, line: number): Found<Row> {
  const value = parseOrTell(text, () => `${path}:${line}`, 'correct the line')
  if (value instanceof PromptError || isDict(value)) return value
  return badRow(`${path}:${line}`, 'the row is not an object', 'write { "column": value, … }')
}
