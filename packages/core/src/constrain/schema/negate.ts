import type { WorkBudget } from '../work-budget.ts'
import { type GivenPart, isRecord, type JsonSchema, type SchemaObject, type SchemaPart } from './json-schema.ts'
import { annotations, type TypeName, typeNames } from './keywords.ts'
import { PlacedSchema } from './placed-schema.ts'
import { escaped } from './schema-references.ts'

/** Strings that a derived schema excludes: JSON Schema has no keyword for it. */
export const excludedStrings = Symbol('excluded strings')

/** Patterns that a string of a derived schema must not match. */
export const excludedPatterns = Symbol('excluded patterns')

/** What it needs to know of the other schemas. */
type OtherParts = {
  budget: WorkBudget
  child(part: SchemaPart, schema: unknown, path: string): GivenPart
  list(part: SchemaPart, keyword: string): GivenPart[]
  byName(part: SchemaPart, keyword: string): SchemaObject
  resolve(part: SchemaPart): GivenPart
  leaveOut(pointer: string, keyword: string): void
}

type Negated = { schema: JsonSchema; pointer: string; base: string }

/**
 * A schema for values that violate another: at least one of its keywords. Some ways to violate a schema cannot be expressed and are left
 * out, so that fewer values than possible are written, but never one that satisfies it.
 */
export function negate({ schema, pointer, base }: Negated, parts: OtherParts): JsonSchema {
  if (typeof schema === 'boolean') return !schema
  const part: SchemaPart = { schema, pointer, base, done: [] }
  const restricting = Object.keys(schema).filter(
    (keyword) => !annotations.has(keyword) && !keyword.startsWith('x-') && !isNegatedWithOther(keyword),
  )
  if (restricting.length === 0) return false
  const ways = restricting.flatMap((keyword) => {
    const found = violations(part, keyword, parts)
    if (found === undefined || (keyword === 'type' && [schema.type].flat().includes('integer'))) parts.leaveOut(pointer, keyword)
    return found ?? []
  })
  parts.budget.charge(ways.length)
  return ways.length > 0 && { anyOf: ways }
}

/** Keywords that count only together with another, which is looked at. */
function isNegatedWithOther(keyword: string): boolean {
  return ['then', 'else', 'minContains', 'maxContains', 'format', '$dynamicAnchor'].includes(keyword)
}

/** The ways to violate a keyword; undefined if there is none that can be expressed. */
function violations(part: SchemaPart, keyword: string, parts: OtherParts): unknown[] | undefined {
  const { schema } = part
  const value = schema[keyword]
  const inside = (given: unknown, path: string, isNegated: boolean) => new PlacedSchema({ ...parts.child(part, given, path), isNegated })
  switch (keyword) {
    case 'type':
      return [{ type: otherTypes([value].flat() as TypeName[]) }].filter(({ type }) => type.length > 0)
    case 'const':
      return otherValues([value])
    case 'enum':
      return Array.isArray(value) ? otherValues(value) : undefined
    case '$ref':
      return [new PlacedSchema({ ...parts.resolve(part), isNegated: true })]
    case 'not':
      return [inside(value, 'not', false)]
    case 'allOf':
      return parts.list(part, keyword).map((one) => new PlacedSchema({ ...one, isNegated: true }))
    case 'anyOf':
    case 'oneOf':
      return [{ allOf: parts.list(part, keyword).map((one) => new PlacedSchema({ ...one, isNegated: true })) }]
    case 'if':
      return [
        ...('then' in schema ? [{ allOf: [inside(value, 'if', false), inside(schema.then, 'then', true)] }] : []),
        ...('else' in schema ? [{ allOf: [inside(value, 'if', true), inside(schema.else, 'else', true)] }] : []),
      ]
    case 'required':
      return Array.isArray(value) ? value.map((name) => ({ type: 'object', properties: { [String(name)]: false } })) : undefined
    case 'properties':
      return Object.entries(parts.byName(part, keyword)).map(([name, one]) => ({
        type: 'object',
        required: [name],
        properties: { [name]: inside(one, `properties/${escaped(name)}`, true) },
      }))
    case 'items':
    case 'prefixItems':
      return itemViolations(part, inside)
    case 'contains':
      return schema.minContains === 0 ? [] : [{ type: 'array', items: inside(value, 'contains', true) }]
    case 'pattern':
      return typeof value === 'string' ? [{ type: 'string', [excludedPatterns]: [value] }] : undefined
    case 'dependentRequired':
      return isRecord(value)
        ? Object.entries(value).flatMap(([name, others]) =>
            (Array.isArray(others) ? others : []).map((other) => ({
              type: 'object',
              required: [name],
              properties: { [String(other)]: false },
            })),
          )
        : undefined
    case 'dependentSchemas':
      return Object.entries(parts.byName(part, keyword)).map(([name, one]) => ({
        type: 'object',
        required: [name],
        allOf: [inside(one, `dependentSchemas/${escaped(name)}`, true)],
      }))
    default:
      return beyondLimit(keyword, value)
  }
}

/** Values outside a limit. */
function beyondLimit(keyword: string, value: unknown): SchemaObject[] | undefined {
  if (typeof value !== 'number') return undefined
  const limit = Object.hasOwn(opposites, keyword) ? opposites[keyword]! : undefined
  if (!limit) return undefined
  const [type, opposite, by] = limit
  return by < 0 && value + by < 0 ? [] : [{ type, [opposite]: value + by }]
}

const opposites: Readonly<Record<string, readonly [type: TypeName, keyword: string, by: number]>> = {
  minimum: ['number', 'exclusiveMaximum', 0],
  maximum: ['number', 'exclusiveMinimum', 0],
  exclusiveMinimum: ['number', 'maximum', 0],
  exclusiveMaximum: ['number', 'minimum', 0],
  minLength: ['string', 'maxLength', -1],
  maxLength: ['string', 'minLength', 1],
  minItems: ['array', 'maxItems', -1],
  maxItems: ['array', 'minItems', 1],
  minProperties: ['object', 'maxProperties', -1],
  maxProperties: ['object', 'minProperties', 1],
}

/** The first item of a kind violates its schema. */
function itemViolations(
  { schema: { items, prefixItems } }: SchemaPart,
  inside: (given: unknown, path: string, isNegated: boolean) => PlacedSchema,
): unknown[] {
  const first: unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const keyword = Array.isArray(prefixItems) ? 'prefixItems' : 'items'
  const violating = (one: PlacedSchema, index: number) => ({
    type: 'array',
    minItems: index + 1,
    prefixItems: [...Array.from({ length: index }, () => true), one],
  })
  const rest = items === undefined || Array.isArray(items) ? [] : [violating(inside(items, 'items', true), first.length)]
  return [...first.map((one, index) => violating(inside(one, `${keyword}/${index}`, true), index)), ...rest]
}

/** Types whose values are never of the given types: an integer may be any number. */
function otherTypes(types: readonly TypeName[]): TypeName[] {
  const isGiven = (type: TypeName) =>
    types.includes(type) || (type === 'number' && types.includes('integer')) || (type === 'integer' && types.includes('number'))
  return typeNames.filter((type) => !isGiven(type) && type !== 'integer')
}

/** All values but some. */
function otherValues(values: readonly unknown[]): SchemaObject[] {
  const types = new Set(values.map(typeOf))
  const ways: SchemaObject[] = [{ type: typeNames.filter((type) => type !== 'integer' && !types.has(type)) }]
  const strings = values.filter((value) => typeof value === 'string')
  if (strings.length > 0) ways.push({ type: 'string', [excludedStrings]: strings } as SchemaObject)
  if (types.has('boolean')) ways.push(...[true, false].filter((one) => !values.includes(one)).map((one) => ({ const: one })))
  const numbers = [...new Set(values.filter((value) => typeof value === 'number'))].sort((one, other) => one - other)
  if (numbers.length > 0) {
    const limits: (number | undefined)[] = [undefined, ...numbers, undefined]
    for (const [index, low] of limits.slice(0, -1).entries()) {
      const high = limits[index + 1]
      ways.push({
        type: 'number',
        ...(low === undefined ? {} : { exclusiveMinimum: low }),
        ...(high === undefined ? {} : { exclusiveMaximum: high }),
      })
    }
  }
  return ways.filter(({ type }) => !Array.isArray(type) || type.length > 0)
}

function typeOf(value: unknown): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as 'boolean' | 'string' | 'number' | 'object'
}
