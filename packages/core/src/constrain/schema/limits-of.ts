import type { SchemaPart } from './json-schema.ts'
import type { SchemaParts } from './schema-part.ts'

/** The numbers that several schemas give for a keyword. */
export function numbersOf(found: readonly SchemaPart[], keyword: string, parts: SchemaParts): number[] {
  return found.flatMap(({ schema, pointer }) => {
    const given = schema[keyword]
    if (given === undefined) return []
    if (typeof given === 'number' && Number.isFinite(given)) return [given]
    throw parts.refuse(`${pointer}/${keyword}`, `${keyword} must be a number, and is ${JSON.stringify(given)}`, 'write a number')
  })
}

/** The strictest lower limit; by default none. */
export function atLeast(found: readonly SchemaPart[], keyword: string, parts: SchemaParts): number {
  return Math.max(0, ...numbersOf(found, keyword, parts))
}

/** The strictest upper limit; by default none. */
export function atMost(found: readonly SchemaPart[], keyword: string, parts: SchemaParts): number {
  return Math.min(Number.POSITIVE_INFINITY, ...numbersOf(found, keyword, parts))
}
