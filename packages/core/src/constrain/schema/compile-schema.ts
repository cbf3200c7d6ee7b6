import { limits } from '../../base/errors/limits.ts'
import type { PromptError } from '../../base/errors/prompt-error.ts'
import { markPossible, type Shape, type Slot } from '../shape.ts'
import { TooLarge } from '../text/automaton.ts'
import { textsAutomaton } from '../text/combine.ts'
import type { WorkBudget } from '../work-budget.ts'
import { arrayShape } from './array-shape.ts'
import type { GivenPart, SchemaPart } from './json-schema.ts'
import { typeNames } from './keywords.ts'
import { literalShapes } from './literal-shapes.ts'
import { objectShape } from './object-shape.ts'
import { numberShape, stringShape } from './scalar-shapes.ts'
import { openChoice, type SchemaChoice } from './schema-choice.ts'
import type { SchemaCompiler } from './schema-compiler.ts'
import { keyOf, SchemaParts } from './schema-part.ts'
import { typesOf } from './types-of.ts'

const mostSlots = limits.constraintParts
const mostDepth = limits.constraintDepth

/**
 * The values that a JSON Schema allows, as text. Properties follow the schema's order, and properties that the schema does not name come
 * last. A keyword that cannot be enforced is an error with its path.
 */
export function compileSchema(schema: unknown, where: string, budget: WorkBudget): Slot {
  const parts = new SchemaParts(schema, where, budget)
  const slots = new Map<string, Slot>()
  const compiler: SchemaCompiler = { parts, slot, keys: new Map(), otherKeys: new Map() }
  let depth = 0
  if (isDeeper(schema, mostDepth, budget)) throw tooDeep('#')
  const root = slot([{ schema, pointer: '#' }])
  markPossible([...slots.values()], budget)
  if (!root.isPossible) throw parts.refuseAll()
  return root

  function slot(given: readonly GivenPart[]): Slot {
    const found = parts.conjunction(given)
    const key = found === undefined ? 'nothing' : found.map(keyOf).sort().join('\n')
    budget.charge((found?.length ?? 0) + (key.length >> 5))
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
    const known = slots.get(key)
    if (known) return known
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
      const choice = openChoice(part, parts)
      if (choice) return alternatives(found, part, choice)
    }
    const literals = literalShapes(found, { compiler, root: schema, newSlot })
    if (literals) return literals
    const types = typesOf(found, parts)
    return typeNames.flatMap((type): Shape[] => {
      if (!types.has(type)) return []
      switch (type) {
        case 'null':
          return [{ kind: 'text', automaton: textsAutomaton(['null'], budget) }]
        case 'boolean':
          return [{ kind: 'text', automaton: textsAutomaton(['true', 'false'], budget) }]
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
  function alternatives(found: readonly SchemaPart[], part: SchemaPart, { keyword, alternatives: ways }: SchemaChoice): Shape[] {
    const others = found.map((one) => ({ ...one, done: [...new Set([...one.done, 'allOf', ...(one === part ? [keyword] : [])])] }))
    return ways.map((branch) => ({ kind: 'same', slot: slot([...others, ...branch]) }))
  }
}

/** Whether lists and objects are nested deeper than the limit. Iterative, because recursion could overflow the stack. */
function isDeeper(value: unknown, levels: number, budget: WorkBudget): boolean {
  let open = [value]
  for (let level = 0; open.length > 0; level++) {
    if (level > levels) return true
    budget.charge(open.length >> 3)
    open = open.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
