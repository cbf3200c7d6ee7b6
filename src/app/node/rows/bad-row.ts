import { PromptError } from '../../../base/errors/prompt-error.ts'
import { JsonSyntaxError, type PyValue, parseJson } from '../../../base/python/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'

/** What a reader finds in a file: a row, or why a place has none. What makes the rest unreadable is thrown instead. */
export type Found<Value> = Value | PromptError

/** What a reader finds, a chunk of the file at a time. */
export type FoundRows = AsyncGenerator<Iterable<Found<Row>>>

export function badRow(where: string, problem: string, fix: string): PromptError {
  return new PromptError('bad-row', { where, problem, fix })
}

export function parseOrTell(text: string, where: () => string, fix: string): Found<PyValue> {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    // The line of a file stands in the place already.
    const message = text.includes('\n') ? error.message : error.message.replace(/^line 1, /, '')
    return badRow(where(), `this is not JSON (${message})`, fix)
  }
}
