import { TooLarge } from '../text/automaton.ts'
import { canonical } from './canonical.ts'
import type { GivenPart, SchemaPart } from './json-schema.ts'
import { type TypeName, typeNames } from './keywords.ts'
import type { SchemaParts } from './schema-part.ts'
import { escaped } from './schema-references.ts'
import { declaredTypes, typesOf } from './types-of.ts'

/**
 * The schemas of `oneOf` with the types that their keywords imply, which make them exclude each other: `{ minimum: 1 }` alone fits every
 * text. Undefined if two may still fit the same value, as far as can be determined.
 */
export function withoutOverlap(branches: readonly GivenPart[], parts: SchemaParts): GivenPart[][] | undefined {
  const found = branches.map((branch) => parts.conjunction([branch]) ?? [])
  const listed = found.map(valuesOf)
  if (listed.every((values) => values !== undefined)) return hasShared(listed) ? undefined : branches.map((branch) => [branch])
  if (branches.length > mostCompared) throw new TooLarge(`oneOf has more than ${mostCompared} schemas, each to be compared with all others`)
  const written = found.map((some, index) => (listed[index] ? typesWith(some, parts) : typesOf(some, parts)))
  for (const [index, one] of branches.entries()) {
    for (const [at, other] of branches.entries()) {
      if (at !== index && !exclude([one], [other], { types: written[index]!, parts, depth: 0 })) return undefined
    }
  }
  return branches.map((branch, index) => [
    branch,
    ...(listed[index] || written[index]!.size === typeNames.length
      ? []
      : [{ schema: { type: [...written[index]!] }, pointer: `${branch.pointer}/type` }]),
  ])
}

/** Limit for pairwise comparison; constants are looked up, so there may be many more of them. */
const mostCompared = 200

/** Whether two schemas list the same value. */
function hasShared(listed: readonly string[][]): boolean {
  const owners = new Map<string, number>()
  for (const [index, values] of listed.entries()) {
    for (const value of values) {
      if ((owners.get(value) ?? index) !== index) return true
      owners.set(value, index)
    }
  }
  return false
}

/** Maximum depth of nested constants. */
const deepest = 4

/**
 * Whether no value fits both: different types, different constants, or a property that both require with schemas that exclude each other.
 */
function exclude(one: readonly GivenPart[], other: readonly GivenPart[], { types, parts, depth }: Comparison): boolean {
  const [a, b] = [parts.conjunction(one), parts.conjunction(other)]
  if (!a || !b) return true
  const [values, otherValues] = [valuesOf(a), valuesOf(b)]
  if (values && otherValues) return !values.some((value) => otherValues.includes(value))
  const [first, second] = [typesWith(a, parts), typesWith(b, parts)]
  const common = typeNames.filter((type) => [types, first, second].every((some) => mayHave(some, type)))
  if (common.length === 0) return true
  if (common.length > 1 || common[0] !== 'object' || depth >= deepest) return false
  return requiredOf(a)
    .filter((name) => requiredOf(b).includes(name))
    .some((name) => exclude(propertyOf(a, name, parts), propertyOf(b, name, parts), { types: everyType, parts, depth: depth + 1 }))
}

/** `types`: those that the value may have. */
type Comparison = { types: ReadonlySet<TypeName>; parts: SchemaParts; depth: number }

const everyType: ReadonlySet<TypeName> = new Set(typeNames)

/** An integer is also a number, and a number may be an integer. */
function mayHave(types: ReadonlySet<TypeName>, type: TypeName): boolean {
  return types.has(type) || (type === 'integer' && types.has('number')) || (type === 'number' && types.has('integer'))
}

/** The constants of a schema, as canonical JSON. */
function valuesOf(found: readonly SchemaPart[]): string[] | undefined {
  for (const { schema } of found) {
    if ('const' in schema) return [canonical(schema.const)]
    if (Array.isArray(schema.enum)) return schema.enum.map(canonical)
  }
  return undefined
}

/** The types of values that satisfy a schema, whatever its keywords imply. */
function typesWith(found: readonly SchemaPart[], parts: SchemaParts): ReadonlySet<TypeName> {
  const values = valuesOf(found)
  if (!values) return declaredTypes(found, parts) ?? everyType
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
