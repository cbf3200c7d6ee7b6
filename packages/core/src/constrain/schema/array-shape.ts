import type { ArrayShape, Slot } from '../shape.ts'
import { TooLarge } from '../text/automaton.ts'
import { evaluatedBy } from './evaluated-by.ts'
import type { GivenPart, SchemaPart } from './json-schema.ts'
import { atLeast, atMost, numbersOf } from './limits-of.ts'
import type { SchemaCompiler } from './schema-compiler.ts'

/** The most items with separate schemas: `minContains` may ask for any number. */
const mostFirst = 1000

/** The items of one schema: the first ones, and all after them. */
type Items = { part: SchemaPart; first: GivenPart[]; rest: GivenPart | undefined }

/** Items that must satisfy `contains`: those from a position up to another; all others must not, if there is a maximum. */
type Contained = { from: number; to: number; given: GivenPart; hasMost: boolean; isPossible: boolean }

/** A list whose items satisfy all schemas. */
export function arrayShape(found: readonly SchemaPart[], { parts, slot }: SchemaCompiler): ArrayShape {
  const most = atMost(found, 'maxItems', parts)
  for (const { schema, pointer } of found) {
    if (schema.uniqueItems !== true || most <= 1) continue
    throw parts.refuse(`${pointer}/uniqueItems`, 'uniqueItems cannot be enforced', 'leave uniqueItems out, and drop what comes twice')
  }
  const lists = found.map(itemsOf)
  const contained = containedItems()
  const length = Math.max(0, ...lists.map(({ first }) => first.length), ...contained.map(({ to }) => to))
  if (length > mostFirst) throw new TooLarge(`it has more than ${mostFirst} items with their own schemas`)
  const first: Slot[] = []
  for (let index = 0; index < length; index++) first.push(slot(schemasAt(index)))
  const least = Math.max(
    atLeast(found, 'minItems', parts),
    ...contained.map(({ to, isPossible }) => (isPossible ? to : Number.POSITIVE_INFINITY)),
  )
  return { kind: 'array', first, rest: slot(schemasAt(length)), least, most }

  function schemasAt(index: number): GivenPart[] {
    return [
      ...lists.flatMap((list) => list.first[index] ?? list.rest ?? []),
      ...contained.flatMap(({ from, to, given, hasMost }) =>
        index >= from && index < to ? [given] : hasMost ? [{ ...given, isNegated: true }] : [],
      ),
      ...found.flatMap((part) => unevaluated(part, index)),
    ]
  }

  function unevaluated(part: SchemaPart, index: number): GivenPart[] {
    const { unevaluatedItems: given } = part.schema
    if (given === undefined) return []
    const evaluating = evaluatedBy(part, found, parts)
    const isEvaluated = lists.some(
      ({ part: other, first: some, rest }) =>
        evaluating.includes(other) &&
        (index < some.length || rest !== undefined || (other !== part && other.schema.unevaluatedItems !== undefined)),
    )
    const isContained = contained.some(
      ({ from, to, given: { pointer } }) => index >= from && index < to && evaluating.some((one) => pointer === `${one.pointer}/contains`),
    )
    return isEvaluated || isContained ? [] : [parts.child(part, given, 'unevaluatedItems')]
  }

  /** Contained items come first, or right after the items with their own schemas, if more may follow. */
  function containedItems(): Contained[] {
    const prefix = Math.max(0, ...lists.map(({ first: some }) => some.length))
    const isOpen = most > prefix && lists.every(({ rest }) => rest?.schema !== false)
    let at = isOpen ? prefix : 0
    return found.flatMap((part): Contained[] => {
      if (part.schema.contains === undefined) return []
      const [count = 1] = numbersOf([part], 'minContains', parts)
      const [maximum] = numbersOf([part], 'maxContains', parts)
      const from = at
      at += count
      const given = parts.child(part, part.schema.contains, 'contains')
      return [{ from, to: at, given, hasMost: maximum !== undefined, isPossible: maximum === undefined || maximum >= count }]
    })
  }

  /** `items` was a list in earlier drafts, with `additionalItems` for the rest. */
  function itemsOf(part: SchemaPart): Items {
    const { schema, pointer } = part
    const isOld = Array.isArray(schema.items)
    const keyword = isOld ? 'items' : 'prefixItems'
    const [restKeyword, rest] = isOld ? ['additionalItems', schema.additionalItems] : ['items', schema.items]
    const given = schema[keyword]
    if (given !== undefined && !Array.isArray(given))
      throw parts.refuse(`${pointer}/${keyword}`, `${keyword} must be a list`, 'write a list of schemas')
    return {
      part,
      first: (given ?? []).map((one: unknown, index: number) => parts.child(part, one, `${keyword}/${index}`)),
      rest: rest === undefined ? undefined : parts.child(part, rest, restKeyword),
    }
  }
}
