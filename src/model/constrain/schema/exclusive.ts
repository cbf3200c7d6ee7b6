import { TooLarge } from '../text/automaton.ts'
import type { GivenPart, SchemaPart } from './json-schema.ts'
import type { TypeName } from './keywords.ts'
import type { SchemaParts } from './schema-part.ts'
import { escaped } from './schema-references.ts'
import { typesOf } from './types-of.ts'

/** Two schemas that one value may fit, by their pointers; undefined if the schemas exclude each other, as far as can be determined. */
export function findOverlap(branches: readonly GivenPart[], parts: SchemaParts): [string, string] | undefined {
  const listed = branches.map((branch) => valuesOf(parts.conjunction([branch]) ?? []))
  if (listed.every((values) => values !== undefined)) return findShared(branches, listed)
  if (branches.length > mostCompared) throw new TooLarge(`oneOf has more than ${mostCompared} schemas, each to be compared with all others`)
  for (const [index, one] of branches.entries()) {
    for (const other of branches.slice(index + 1)) {
      if (!exclude([one], [other], parts, 0)) return [one.pointer, other.pointer]
    }
  }
  return undefined
}

/** Limit for pairwise comparison; constants are looked up, so there may be many more of them. */
const mostCompared = 200

/** Two schemas that list the same value. */
function findShared(branches: readonly GivenPart[], listed: readonly string[][]): [string, string] | undefined {
  const owners = new Map<string, number>()
  for (const [index, values] of listed.entries()) {
    for (const value of values) {
      const owner = owners.get(value) ?? index
      if (owner !== index) return [branches[owner]!.pointer, branches[index]!.pointer]
      owners.set(value, index)
    }
  }
  return undefined
}

/** Maximum depth of nested constants. */
const deepest = 4

/**
 * Whether no value fits both: different types, different constants, or a property that both require with schemas that exclude each other.
 */
function exclude(one: readonly GivenPart[], other: readonly GivenPart[], parts: SchemaParts, depth: number): boolean {
  const [a, b] = [parts.conjunction(one), parts.conjunction(other)]
  if (!a || !b) return true
  const [values, otherValues] = [valuesOf(a), valuesOf(b)]
  if (values && otherValues) return !values.some((value) => otherValues.includes(value))
  const [types, otherTypes] = [typesWith(a, parts), typesWith(b, parts)]
  const common = [...types].filter(
    (type) => otherTypes.has(type) || (type === 'integer' && otherTypes.has('number')) || (type === 'number' && otherTypes.has('integer')),
  )
  if (common.length === 0) return true
  if (common.length > 1 || common[0] !== 'object' || depth >= deepest) return false
  return requiredOf(a)
    .filter((name) => requiredOf(b).includes(name))
    .some((name) => exclude(propertyOf(a, name, parts), propertyOf(b, name, parts), parts, depth + 1))
}

/** The constants of a schema, as JSON. */
function valuesOf(found: readonly SchemaPart[]): string[] | undefined {
  for (const { schema } of found) {
    if ('const' in schema) return [JSON.stringify(schema.const)]
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value))
  }
  return undefined
}

function typesWith(found: readonly SchemaPart[], parts: SchemaParts): ReadonlySet<TypeName> {
  const values = valuesOf(found)
  if (!values) return typesOf(found, parts)
  return new Set(values.map((value) => typeOf(JSON.parse(value))))
}

function typeOf(value: unknown): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'boolean' | 'string' | 'object'
}

function requiredOf(found: readonly SchemaPart[]): string[] {
  return found.flatMap(({ schema }) => (Array.isArray(schema.required) ? (schema.required as string[]) : []))
}

function propertyOf(found: readonly SchemaPart[], name: string, parts: SchemaParts): GivenPart[] {
  return found.flatMap((part) => {
    const properties = parts.byName(part, 'properties')
    return Object.hasOwn(properties, name) ? [parts.child(part, properties[name], `properties/${escaped(name)}`)] : []
  })
}
