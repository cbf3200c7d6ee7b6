import { limits } from '../../../base/errors/limits.ts'
import type { PromptError } from '../../../base/errors/prompt-error.ts'
import type { PyValue } from '../../../base/python/index.ts'
import { checkArguments, tooManySteps } from '../check-arguments.ts'
import { type ArrayShape, markPossible, type Shape, type Slot } from '../shape.ts'
import { TooLarge } from '../text/automaton.ts'
import { textsAutomaton } from '../text/combine.ts'
import { findOverlap } from './exclusive.ts'
import { annotations, typeNames } from './keywords.ts'
import { atLeast, atMost } from './limits-of.ts'
import { objectShape } from './object-shape.ts'
import { numberShape, stringShape } from './scalar-shapes.ts'
import type { SchemaCompiler } from './schema-compiler.ts'
import { type GivenPart, keyOf, type SchemaPart, SchemaParts } from './schema-part.ts'
import { typesOf } from './types-of.ts'

/** The values that a part of a schema lists. */
type Literals = { part: SchemaPart; values: readonly unknown[] }

const mostSlots = limits.constraintParts
const mostDepth = limits.constraintDepth

/**
 * The values that a JSON Schema allows, as text. Properties follow the schema's order, and properties that the schema does not name come
 * last. A keyword that cannot be enforced is an error with its path.
 */
export function compileSchema(schema: unknown, where: string): Slot {
  const parts = new SchemaParts(schema, where)
  const slots = new Map<string, Slot>()
  const compiler: SchemaCompiler = { parts, slot }
  let depth = 0
  if (isDeeper(schema, mostDepth)) throw tooDeep('#')
  const root = slot([{ schema, pointer: '#' }])
  markPossible([...slots.values()])
  if (!root.isPossible)
    throw parts.refuse(
      '#',
      'no value satisfies this schema',
      'look for limits that exclude each other, and for schemas that contain themselves',
    )
  return root

  function slot(given: readonly GivenPart[]): Slot {
    const found = parts.conjunction(given)
    const key = found === undefined ? 'nothing' : found.map(keyOf).sort().join('\n')
    const known = slots.get(key)
    if (known) return known
    const pointer = given[0]?.pointer ?? '#'
    const made = newSlot(key, pointer)
    if (depth >= mostDepth) throw tooDeep(pointer)
    depth++
    if (found) made.shapes = withinLimits(found, () => shapesOf(found))
    depth--
    return made
  }

  function newSlot(key: string, pointer: string): Slot {
    if (slots.size >= mostSlots) {
      throw parts.refuse(pointer, `the schema has more than ${mostSlots} parts, after anyOf and allOf are combined`, 'ask for less at once')
    }
    const made: Slot = { id: slots.size, shapes: [], isPossible: false }
    slots.set(key, made)
    return made
  }

  function tooDeep(pointer: string): PromptError {
    return parts.refuse(
      pointer,
      `the schema is nested more than ${mostDepth} levels deep, or refers from one schema to the next more often than that`,
      'ask for a flatter value',
    )
  }

  function withinLimits(found: readonly SchemaPart[], work: () => Shape[]): Shape[] {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
      throw parts.refuse(found[0]?.pointer ?? '#', `this cannot be enforced: ${error.message}`, 'ask for less, or for shorter texts')
    }
  }

  function shapesOf(found: readonly SchemaPart[]): Shape[] {
    for (const part of found) {
      for (const keyword of ['anyOf', 'oneOf'] as const) {
        if (part.schema[keyword] === undefined || part.done.includes(keyword)) continue
        return alternatives(found, part, keyword)
      }
    }
    const literals = found.flatMap(literalsOf)
    if (literals.length > 0) return literalShapes(found, literals)
    const types = typesOf(found, parts)
    return typeNames.flatMap((type): Shape[] => {
      if (!types.has(type)) return []
      switch (type) {
        case 'null':
          return [{ kind: 'text', automaton: textsAutomaton(['null']) }]
        case 'boolean':
          return [{ kind: 'text', automaton: textsAutomaton(['true', 'false']) }]
        case 'integer':
          // Every integer is a number.
          return types.has('number') ? [] : [numberShape(found, compiler, true)]
        case 'number':
          return [numberShape(found, compiler, false)]
        case 'string':
          return [stringShape(found, compiler)]
        case 'array':
          return [arrayShape(found, compiler)]
        case 'object':
          return [objectShape(found, compiler)]
        default:
          return type satisfies never
      }
    })
  }

  /** Sibling keywords apply to every alternative. */
  function alternatives(found: readonly SchemaPart[], part: SchemaPart, keyword: 'anyOf' | 'oneOf'): Shape[] {
    const branches = parts.list(part.schema, keyword, part.pointer)
    const overlap = keyword === 'oneOf' ? findOverlap(branches, parts) : undefined
    if (overlap) {
      throw parts.refuse(
        `${part.pointer}/oneOf`,
        `oneOf cannot be enforced: a value may fit both ${overlap[0]} and ${overlap[1]}`,
        'write anyOf, or give the schemas different types or a required property with different constants',
      )
    }
    const others = found.map((one) => ({ ...one, done: [...new Set([...one.done, '$ref', 'allOf', ...(one === part ? [keyword] : [])])] }))
    return branches.map((branch) => ({ kind: 'same', slot: slot([...others, branch]) }))
  }

  function literalsOf(part: SchemaPart): Literals[] {
    const { schema, pointer } = part
    if ('const' in schema) return [{ part, values: [schema.const] }]
    if (schema.enum === undefined) return []
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return [{ part, values: schema.enum as unknown[] }]
    throw parts.refuse(`${pointer}/enum`, 'enum must be a list of values', 'write at least one into it')
  }

  /** The listed values that all other lists and the rest of the schema allow. */
  function literalShapes(found: readonly SchemaPart[], [first, ...others]: readonly Literals[]): Shape[] {
    const rest = found.map(({ schema: one }) => without(one, [...annotations, 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const']))
    const restricting = rest.filter((one) => Object.keys(one).length > 0)
    const allowed = others.map(({ values }) => new Set(values.map(canonical)))
    const { pointer } = first!.part
    const values = first!.values.filter(
      (value) =>
        allowed.every((some) => some.has(canonical(value))) && (restricting.length === 0 || isValid(value, { allOf: restricting }, schema)),
    )
    return shapesOfValues(values, pointer)
  }

  function slotOfValue(value: unknown, pointer: string): Slot {
    const made = newSlot(`value ${slots.size}`, pointer)
    made.shapes = shapesOfValues([value], pointer)
    return made
  }

  function shapesOfValues(values: readonly unknown[], pointer: string): Shape[] {
    const isSimple = (value: unknown) => typeof value !== 'object' || value === null
    const simple = values.filter(isSimple).map((value) => JSON.stringify(value))
    const shapes: Shape[] = simple.length > 0 ? [{ kind: 'text', automaton: textsAutomaton(simple) }] : []
    for (const value of values) if (!isSimple(value)) shapes.push(shapeOfValue(value as object, pointer))
    return shapes
  }

  /** A list or an object, with any white space. */
  function shapeOfValue(value: object, pointer: string): Shape {
    if (Array.isArray(value)) {
      const first = value.map((one) => slotOfValue(one, pointer))
      return { kind: 'array', first, rest: undefined, least: value.length, most: value.length }
    }
    const entries = Object.entries(value)
    const properties = entries.map(([name, one]) => ({
      name,
      key: textsAutomaton([JSON.stringify(name)]),
      slot: slotOfValue(one, pointer),
      isRequired: true,
    }))
    return { kind: 'object', properties, others: undefined, least: entries.length, most: entries.length }
  }
}

function without(schema: SchemaPart['schema'], keywords: readonly string[]): object {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}

/** `root`: the schema that references point into. */
function isValid(value: unknown, schema: object, root: unknown): boolean {
  const problems = checkArguments(value as PyValue, schema, root)
  if (problems.some(({ problem }) => problem === tooManySteps)) throw new TooLarge('its values take too long to check')
  return problems.length === 0
}

/** A canonical text of a value: equal values have equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/** Whether lists and objects are nested deeper than the limit. Iterative, because recursion could overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let open = [value]
  for (let level = 0; open.length > 0; level++) {
    if (level > levels) return true
    open = open.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** A list whose items satisfy all schemas. */
function arrayShape(found: readonly SchemaPart[], { parts, slot }: SchemaCompiler): ArrayShape {
  const most = atMost(found, 'maxItems', parts)
  for (const { schema, pointer } of found) {
    if (schema.uniqueItems !== true || most <= 1) continue
    throw parts.refuse(`${pointer}/uniqueItems`, 'uniqueItems cannot be enforced', 'leave uniqueItems out, and drop what comes twice')
  }
  const lists = found.map(firstItems)
  const length = Math.max(0, ...lists.map(({ first }) => first.length))
  const first: Slot[] = []
  for (let index = 0; index < length; index++) first.push(slot(lists.flatMap((list) => list.first[index] ?? list.rest ?? [])))
  const rest = lists.flatMap((list) => list.rest ?? [])
  return { kind: 'array', first, rest: slot(rest), least: atLeast(found, 'minItems', parts), most }

  /** `items` was a list in earlier drafts, with `additionalItems` for the rest. */
  function firstItems({ schema, pointer }: SchemaPart): { first: GivenPart[]; rest: GivenPart | undefined } {
    const isOld = Array.isArray(schema.items)
    const keyword = isOld ? 'items' : 'prefixItems'
    const [restKeyword, rest] = isOld ? ['additionalItems', schema.additionalItems] : ['items', schema.items]
    const given = schema[keyword]
    if (given !== undefined && !Array.isArray(given))
      throw parts.refuse(`${pointer}/${keyword}`, `${keyword} must be a list`, 'write a list of schemas')
    return {
      first: (given ?? []).map((one: unknown, index: number) => ({ schema: one, pointer: `${pointer}/${keyword}/${index}` })),
      rest: rest === undefined ? undefined : { schema: rest, pointer: `${pointer}/${restKeyword}` },
    }
  }
}
