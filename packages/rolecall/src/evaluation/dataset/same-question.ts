import type { Row } from '@rolecall/core/internal/conversation'
import { compactJson, dictGet, dictHas, dictKeys } from '@rolecall/core/internal/python'

/** The columns of a dataset: the question and its answer. */
export type QuestionColumns = { input_columns?: string | readonly string[]; output_column?: string | null }

/**
 * The key that identifies a question: its input columns and its answer verbatim, in any order. Row numbers
 * and split names differ between files with the same question. Without declared columns all of them count.
 *
 * @example
 * const key = questionKey({ input_columns: ['q'], output_column: 'a' })
 * key({ q: 'cat', a: '1', split: 'train' }) === key({ a: '1', q: 'cat' }) // => true
 * key({ q: 1, a: '1' }) === key({ q: true, a: '1' }) // => false
 */
export function questionKey(columns: QuestionColumns = {}): (row: Row) => string {
  const named = namedColumns(columns)
  return (row) =>
    columnsOf(row, named)
      .map((name) => `${name}=${written(row, name)}`)
      .join('\n')
}

/**
 * The index of the example that asks the same question, to detect a prompt that shows its own answer; -1 if none does.
 *
 * @example
 * ownExample({ q: 'b' }, [{ q: 'a' }, { q: 'b' }]) // => 1
 * ownExample({ q: 'b' }, [{ q: 'a' }]) // => -1
 */
export function ownExample(row: Row, examples: readonly Row[], columns: QuestionColumns = {}): number {
  if (examples.length === 0) return -1
  const named = columnsOf(row, namedColumns(columns))
  const key = questionKey(columns)
  // Nearly all examples differ in the first column already.
  const [first = ''] = named
  const own = dictGet(row, first)
  return examples.findIndex((example) => example === row || (isLike(own, dictGet(example, first)) && key(example) === key(row)))
}

function namedColumns({ input_columns: inputs, output_column: answer }: QuestionColumns): string[] | undefined {
  return inputs === undefined || inputs.length === 0 ? undefined : [inputs, answer ?? []].flat()
}

function columnsOf(row: Row, named: readonly string[] | undefined): readonly string[] {
  return named?.some((name) => dictHas(row, name)) ? named : [...dictKeys(row)].sort()
}

function written(row: Row, name: string): string {
  return dictHas(row, name) ? compactJson(dictGet(row, name)) : ''
}

function isLike(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && typeof other === 'object')
}
