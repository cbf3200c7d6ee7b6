import type { ArrayShape, Slot } from '../shape.ts'
import { atLeast, atMost } from './limits-of.ts'
import type { SchemaCompiler } from './schema-compiler.ts'
import type { GivenPart, SchemaPart } from './schema-part.ts'

/** A list whose items satisfy all schemas. */
export function arrayShape(found: readonly SchemaPart[], { parts, slot }: SchemaCompiler): ArrayShape {
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
