import type { PyValue } from '@rolecall/core/internal/python'

/** Marks a text without a readable answer; `instead` is compared in its place, as in the reference. */
export class NotFound {
  readonly instead: PyValue

  constructor(instead: PyValue) {
    this.instead = instead
  }
}

/**
 * The result of a postprocessor that finds no answer: the row is counted as "not found". `instead` is compared in its place,
 * nothing by default.
 *
 * @example
 * notFound('NULL').instead // => 'NULL'
 */
export function notFound(instead: PyValue = ''): NotFound {
  return new NotFound(instead)
}

/** The value read from a text, and whether it is an answer or a placeholder. */
export type ReadText = { value: PyValue; isFound: boolean }
