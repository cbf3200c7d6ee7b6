import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictGet, dictHas, dictKeys, type PyDict, type PyValue, pyStr } from '../../base/python/index.ts'

/** One row of a dataset: column → value. A Map if a column has a numeric name, since objects would reorder it. */
export type Row = PyDict

/**
 * A row as a template sees it. In a generative prompt the answer column is masked, so that the answer cannot leak: its field exists, with
 * the mask as its text.
 */
export type Fields = {
  row: Row
  masked?: { column: string; text: string }
  /** Set when the row is an in-context example: its number, from 0. */
  example?: number
}

export function hasField({ row, masked }: Fields, name: string): boolean {
  return masked?.column === name || dictHas(row, name)
}

/** The text of a field in a prompt: its value as Python's `str` prints it. Undefined if the row has no such field. */
export function fieldText({ row, masked }: Fields, name: string): string | undefined {
  if (masked?.column === name) return masked.text
  const value = dictGet(row, name)
  if (typeof value === 'string') return value
  return value === undefined && !dictHas(row, name) ? undefined : shown(value, name)
}

function shown(value: PyValue | undefined, name: string): string {
  try {
    return pyStr(value)
  } catch (error) {
    throw new PromptError('bad-value', {
      where: name,
      problem: `the value cannot be written (${(error as Error).message})`,
      fix: 'use strings, numbers, lists and objects',
    })
  }
}

/** The field's raw value; a masked field has only its mask. */
export function fieldValue({ row, masked }: Fields, name: string): PyValue | undefined {
  return masked?.column === name ? masked.text : dictGet(row, name)
}

/** The names of all fields in the row's order; a masked column that the row does not have comes last. */
export function fieldNames({ row, masked }: Fields): string[] {
  const names = [...dictKeys(row)]
  if (masked && !dictHas(row, masked.column)) names.push(masked.column)
  return names
}
