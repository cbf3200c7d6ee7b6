import type { PyValue } from '../../base/python/index.ts'
import { checkArguments, tooManySteps } from '../check-arguments.ts'
import type { Shape, Slot } from '../shape.ts'
import { TooLarge } from '../text/automaton.ts'
import { textsAutomaton } from '../text/combine.ts'
import { canonical } from './canonical.ts'
import type { SchemaPart } from './json-schema.ts'
import { annotations } from './keywords.ts'
import { excludedPatterns, excludedStrings } from './negate.ts'
import { PlacedSchema } from './placed-schema.ts'
import type { SchemaCompiler } from './schema-compiler.ts'

/** The values that a part of a schema lists. */
type Literals = { part: SchemaPart; values: readonly unknown[] }

export type LiteralOptions = {
  compiler: SchemaCompiler
  /** The schema that references point into. */
  root: unknown
  newSlot: (key: string, pointer: string) => Slot
}

/** The listed values that all lists and the rest of the schema allow; undefined if nothing is listed. */
export function literalShapes(found: readonly SchemaPart[], { compiler, root, newSlot }: LiteralOptions): Shape[] | undefined {
  const { parts } = compiler
  const { budget } = parts
  const [first, ...others] = found.flatMap(literalsOf)
  if (!first) return undefined
  const restricting = found.map(restOf).filter((one) => Object.keys(one).length > 0)
  const allowed = others.map(({ values }) => new Set(values.map(canonical)))
  const excluded = new Set(found.flatMap(({ schema }) => (schema as { [excludedStrings]?: string[] })[excludedStrings] ?? []))
  const values = first.values.filter((value) => {
    budget.charge(1 + restricting.length * 10)
    if (typeof value === 'string' && excluded.has(value)) return false
    return allowed.every((some) => some.has(canonical(value))) && (restricting.length === 0 || isValid(value, { allOf: restricting }))
  })
  return shapesOfValues(values, first.part.pointer)

  function literalsOf(part: SchemaPart): Literals[] {
    const { schema, pointer } = part
    const constant = 'const' in schema ? [{ part, values: [schema.const] }] : []
    if (schema.enum === undefined) return constant
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return [...constant, { part, values: schema.enum as unknown[] }]
    throw parts.refuse(`${pointer}/enum`, 'enum must be a list of values', 'write at least one into it')
  }

  /** What a part says beyond its list, as a schema. What is a separate part is left out. */
  function restOf({ schema, pointer }: SchemaPart): object {
    const rest: [string, unknown][] = []
    for (const [keyword, value] of Object.entries(schema)) {
      if (annotations.has(keyword) || keyword.startsWith('x-') || partsOfTheirOwn.has(keyword)) continue
      if (!checked.has(keyword) && first!.values.some((one) => typeof one === 'object' && one !== null)) {
        throw parts.refuse(
          `${pointer}/${keyword}`,
          `${keyword} cannot be enforced beside a list of values`,
          `leave ${keyword} out, or list only what it allows`,
        )
      }
      if (checked.has(keyword)) rest.push([keyword, plainSchema(value)])
    }
    const patterns = (schema as { [excludedPatterns]?: string[] })[excludedPatterns] ?? []
    return Object.fromEntries([...rest, ...(patterns.length > 0 ? [['not', { anyOf: patterns.map((pattern) => ({ pattern })) }]] : [])])
  }

  function isValid(value: unknown, schema: object): boolean {
    const problems = checkArguments(value as PyValue, schema, root)
    if (problems.some(({ problem }) => problem === tooManySteps)) throw new TooLarge('its values take too long to check')
    return problems.length === 0
  }

  function slotOfValue(value: unknown, pointer: string): Slot {
    const made = newSlot(`value ${JSON.stringify(value)}`, pointer)
    if (made.shapes.length === 0) made.shapes = shapesOfValues([value], pointer)
    return made
  }

  function shapesOfValues(values: readonly unknown[], pointer: string): Shape[] {
    const isSimple = (value: unknown) => typeof value !== 'object' || value === null
    const simple = values.filter(isSimple).map((value) => JSON.stringify(value))
    const shapes: Shape[] = simple.length > 0 ? [{ kind: 'text', automaton: textsAutomaton(simple, budget) }] : []
    for (const value of values) if (!isSimple(value)) shapes.push(shapeOfValue(value as object, pointer))
    return shapes
  }

  /** A list or an object, with any white space. */
  function shapeOfValue(value: object, pointer: string): Shape {
    if (Array.isArray(value)) {
      const items = value.map((one) => slotOfValue(one, pointer))
      return { kind: 'array', first: items, rest: undefined, least: value.length, most: value.length }
    }
    const entries = Object.entries(value)
    const properties = entries.map(([name, one]) => ({
      name,
      key: textsAutomaton([JSON.stringify(name)], budget),
      slot: slotOfValue(one, pointer),
      isRequired: true,
    }))
    return { kind: 'object', properties, others: [], least: entries.length, most: entries.length }
  }
}

/** Keywords whose schemas are separate parts where values are listed. */
const partsOfTheirOwn = new Set([
  ...['anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'enum', 'const', 'not', 'if', 'then', 'else'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies'],
])

/** Keywords that `checkArguments` checks. */
const checked = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
])

/** A derived schema without the places of its parts. */
function plainSchema(value: unknown): unknown {
  if (value instanceof PlacedSchema) return value.part.isNegated ? { not: value.part.schema } : value.part.schema
  if (Array.isArray(value)) return value.map(plainSchema)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainSchema(one)]))
}
