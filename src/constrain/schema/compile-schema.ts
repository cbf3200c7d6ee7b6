import { limits } from '../../limits.ts'
import { checkArguments } from '../../parse/check-arguments.ts'
import type { PyValue } from '../../python/index.ts'
import { markPossible, type Shape, type Slot } from '../shape.ts'
import { TooLarge } from '../text/automaton.ts'
import { textsAutomaton } from '../text/combine.ts'
import { arrayShape } from './array-shape.ts'
import { findOverlap } from './exclusive.ts'
import { typeNames } from './keywords.ts'
import { objectShape } from './object-shape.ts'
import { numberShape, stringShape } from './scalar-shapes.ts'
import { type GivenPart, keyOf, type SchemaPart, SchemaParts } from './schema-part.ts'
import { typesOf } from './types-of.ts'

/** What reads the parts of a schema: each kind of value has its own file. */
export type SchemaCompiler = {
  parts: SchemaParts
  /** The place of a value that satisfies all of some schemas. */
  slot(given: readonly GivenPart[]): Slot
}

const mostSlots = limits.constraintParts.value

/**
 * The values that a JSON Schema allows, as they are written. Properties stand in the schema's order, and what the schema does not
 * name comes last. A keyword that cannot be enforced is an error that names it and its place.
 */
export function compileSchema(schema: unknown, where: string): Slot {
  const parts = new SchemaParts(schema, where)
  const slots = new Map<string, Slot>()
  const compiler: SchemaCompiler = { parts, slot }
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
    if (slots.size >= mostSlots) {
      throw parts.refuse(
        given[0]!.pointer,
        `the schema has more than ${mostSlots} parts, after anyOf and allOf are combined`,
        'ask for less at once',
      )
    }
    const made: Slot = { id: slots.size, shapes: [], isPossible: false }
    slots.set(key, made)
    if (found) made.shapes = withinLimits(found, () => shapesOf(found))
    return made
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
    if (literals.length > 0) return [{ kind: 'same', slot: literalSlot(found, literals) }]
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

  /** Whatever else is asked for is asked of every alternative. */
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

  function literalsOf(part: SchemaPart): { part: SchemaPart; values: readonly unknown[] }[] {
    const { schema, pointer } = part
    if ('const' in schema) return [{ part, values: [schema.const] }]
    if (schema.enum === undefined) return []
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return [{ part, values: schema.enum as unknown[] }]
    throw parts.refuse(`${pointer}/enum`, 'enum must be a list of values', 'write at least one into it')
  }

  /** Of the values that are listed, those that the rest of the schema allows. */
  function literalSlot(found: readonly SchemaPart[], literals: readonly { values: readonly unknown[] }[]): Slot {
    const rest = { allOf: found.map(({ schema: one }) => without(one, ['anyOf', 'oneOf', 'allOf', '$ref'])) }
    const values = literals[0]!.values.filter((value) => isValid(value, rest, schema))
    return slotOfValues(values)
  }

  function slotOfValues(values: readonly unknown[]): Slot {
    const made: Slot = { id: slots.size, shapes: [], isPossible: false }
    slots.set(`values ${slots.size}`, made)
    const simple = values.filter((value) => typeof value !== 'object' || value === null)
    if (simple.length > 0) made.shapes.push({ kind: 'text', automaton: textsAutomaton(simple.map((value) => JSON.stringify(value))) })
    for (const value of values) if (typeof value === 'object' && value !== null) made.shapes.push(shapeOfValue(value))
    return made
  }

  /** A list or an object, with whatever white space. */
  function shapeOfValue(value: object): Shape {
    if (Array.isArray(value)) {
      return { kind: 'array', first: value.map((one) => slotOfValues([one])), rest: undefined, least: value.length, most: value.length }
    }
    const entries = Object.entries(value)
    const properties = entries.map(([name, one]) => ({
      name,
      key: textsAutomaton([JSON.stringify(name)]),
      slot: slotOfValues([one]),
      isRequired: true,
    }))
    return { kind: 'object', properties, others: undefined, least: entries.length, most: entries.length }
  }
}

function without(schema: SchemaPart['schema'], keywords: readonly string[]): object {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}

/** `root`: what references point into. */
function isValid(value: unknown, schema: object, root: unknown): boolean {
  return checkArguments(value as PyValue, schema, root).length === 0
}
