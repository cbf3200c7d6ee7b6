import { dictGet, isDict, type PyValue } from '@rolecall/core/internal/python'
import { badField } from './api-error.ts'

/** Fields of a body, without those that are null. */
export function exactFields<Name extends string>(exact: PyValue, names: readonly Name[]): { [Key in Name]?: PyValue } {
  const fields: { [Key in Name]?: PyValue } = {}
  for (const name of names) {
    const value = exactField(exact, name)
    if (value !== undefined && value !== null) fields[name] = value
  }
  return fields
}

/** A field of an object within a body. */
export function exactField(value: PyValue | undefined, key: string): PyValue | undefined {
  return isDict(value) ? (dictGet(value, key) ?? undefined) : undefined
}

/** A field that must be a string; `path` is that of the object. */
export function exactText(value: PyValue | undefined, key: string, path: string): string {
  const text = exactField(value, key)
  if (typeof text === 'string') return text
  throw badField(`${path}.${key}`, 'expected a string')
}
