import { isDict } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'

/** An object of an imported config. */
export type ImportedEntry = { [key: string]: unknown }

/** The fields of a value; none if it is not an object. */
export function fieldsOf(value: unknown): ImportedEntry {
  return isDict(value) ? (value as ImportedEntry) : {}
}

/** The name of a class without its module; empty if there is none. */
export function className(type: unknown): string {
  return typeof type === 'string' ? type.slice(type.lastIndexOf('.') + 1) : ''
}

/** The entry of a table for a class of a config, which may have any name. */
export function byClass<Item>(table: Readonly<Record<string, Item>>, type: unknown): Item | undefined {
  return ownEntry(table, className(type))
}
