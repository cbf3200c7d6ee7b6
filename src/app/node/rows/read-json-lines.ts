import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isDict } from '../../../base/python/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { badRow, type Found, type FoundRows, parseOrTell } from './bad-row.ts'
import { type TextBlock, textBlocks } from './text-blocks.ts'

/** One JSON object a line; empty lines are skipped. */
export async function* readJsonLines(path: string): FoundRows {
  for await (const block of textBlocks(path)) yield rowsIn(block, path)
}

function* rowsIn({ text, line: firstLine, broken }: TextBlock, path: string): Generator<Found<Row>> {
  // Not readline, which also ends lines at U+2028 on some versions of Node: JSON may have it in a string.
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    if (line.trim() !== '') yield broken.get(firstLine + index) ?? asRow(line, path, firstLine + index)
  }
}

function asRow(text: string, path: string, line: number): Found<Row> {
  const value = parseOrTell(text, () => `${path}:${line}`, 'correct the line')
  if (value instanceof PromptError || isDict(value)) return value
  return badRow(`${path}:${line}`, 'a row is an object with a value for each column', 'write { "column": value, … }')
}
