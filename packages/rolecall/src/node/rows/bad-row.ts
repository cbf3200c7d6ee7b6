import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { JsonSyntaxError, type PyValue, parseJson } from '@rolecall/core/internal/python'

/** A value, or the error of a bad row. Errors that make the rest of a file unreadable are thrown instead. */
export type OrError<Value> = Value | PromptError

/** Rows or their errors, one chunk of the file at a time. */
export type RowChunks = AsyncGenerator<Iterable<OrError<Row>>>

export function badRow(where: string, problem: string, fix: string): PromptError {
  return new PromptError('bad-row', { where, problem, fix })
}

export function parseRowJson(text: string, where: () => string, fix: string): OrError<PyValue> {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    // `where` already has the line of the file.
    const message = text.includes('\n') ? error.message : error.message.replace(/^line 1, /, '')
    return badRow(where(), `this is not JSON (${message})`, fix)
  }
}
