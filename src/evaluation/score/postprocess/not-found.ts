import type { PyValue } from '../../../base/python/index.ts'

/** Says that a text holds no answer that could be read; `instead` is compared in its place, as the reference would do it. */
export class NotFound {
  readonly instead: PyValue

  constructor(instead: PyValue) {
    this.instead = instead
  }
}

/**
 * What a postprocessor gives where it finds no answer: the row is counted as "not found". In its place `instead` is compared,
 * nothing by default.
 *
 * @example
 * notFound('NULL').instead // => 'NULL'
 */
export function notFound(instead: PyValue = ''): NotFound {
  return new NotFound(instead)
}

/** What was read in a text, and whether that is an answer or only what stands in its place. */
export type ReadText = { value: PyValue; isFound: boolean }
