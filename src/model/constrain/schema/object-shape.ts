import type { ObjectShape, Property } from '../shape.ts'
import { otherStrings, textsAutomaton } from '../text/combine.ts'
import { atLeast, atMost } from './limits-of.ts'
import type { SchemaCompiler } from './schema-compiler.ts'
import { escaped, type GivenPart, type SchemaPart } from './schema-part.ts'

/** An object whose properties satisfy all schemas. */
export function objectShape(found: readonly SchemaPart[], { parts, slot }: SchemaCompiler): ObjectShape {
  for (const { schema, pointer } of found) {
    if (schema.patternProperties === undefined || isEmpty(schema.patternProperties)) continue
    throw parts.refuse(
      `${pointer}/patternProperties`,
      'patternProperties cannot be enforced',
      'name the properties, or use additionalProperties',
    )
  }
  const required = new Set(found.flatMap(requiredOf))
  const allowed = found.map(namesAllowed)
  const names = new Set([
    ...found.flatMap((part) => Object.keys(propertiesOf(part))),
    ...allowed.flatMap((some) => some ?? []),
    ...required,
  ])
  const isAllowed = (name: string) => allowed.every((some) => some === undefined || some.includes(name))
  const properties = [...names].filter(isAllowed).map((name): Property => {
    const given = found.flatMap((part) => schemaFor(part, name))
    return { name, key: textsAutomaton([JSON.stringify(name)]), slot: slot(given), isRequired: required.has(name) }
  })
  const hasUnwritable = [...required].some((name) => !isAllowed(name))
  const isClosed = found.some(({ schema }) => schema.additionalProperties === false) || allowed.some((some) => some !== undefined)
  const others = isClosed ? undefined : { key: otherStrings([...names]), slot: slot(found.flatMap(othersOf)) }
  const least = atLeast(found, 'minProperties', parts)
  checkLeast(least, required.size, others !== undefined)
  return {
    kind: 'object',
    properties,
    others,
    least: hasUnwritable ? Number.POSITIVE_INFINITY : least,
    most: atMost(found, 'maxProperties', parts),
  }

  function propertiesOf({ schema: { properties: given }, pointer }: SchemaPart): Record<string, unknown> {
    if (given === undefined) return {}
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
    throw parts.refuse(`${pointer}/properties`, 'properties must be an object', 'write a schema for each name')
  }

  function requiredOf({ schema: { required: given }, pointer }: SchemaPart): string[] {
    if (given === undefined) return []
    if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return given
    throw parts.refuse(`${pointer}/required`, 'required must be a list of names', 'write the names of properties')
  }

  /** The schema of a property: under its name, or that for all others. */
  function schemaFor(part: SchemaPart, name: string): GivenPart[] {
    const own = propertiesOf(part)
    if (Object.hasOwn(own, name)) return [{ schema: own[name], pointer: `${part.pointer}/properties/${escaped(name)}` }]
    return othersOf(part)
  }

  function othersOf({ schema: { additionalProperties: given }, pointer }: SchemaPart): GivenPart[] {
    return given === undefined ? [] : [{ schema: given, pointer: `${pointer}/additionalProperties` }]
  }

  /** The names that `propertyNames` lists; undefined if it allows all. */
  function namesAllowed({ schema: { propertyNames: given }, pointer }: SchemaPart): string[] | undefined {
    if (given === undefined || given === true) return undefined
    const resolved = parts.conjunction([{ schema: given, pointer: `${pointer}/propertyNames` }]) ?? []
    const lists = resolved.flatMap(({ schema }) =>
      'const' in schema ? [[schema.const]] : Array.isArray(schema.enum) ? [schema.enum as unknown[]] : [],
    )
    if (lists.length > 0) return lists[0]!.filter((name): name is string => typeof name === 'string')
    const restricting = resolved
      .flatMap(({ schema }) => Object.keys(schema))
      .filter((keyword) => !['type', '$ref', 'description', 'title'].includes(keyword))
    if (restricting.length === 0) return undefined
    throw parts.refuse(
      `${pointer}/propertyNames`,
      `propertyNames cannot be enforced with ${restricting[0]}`,
      'list the names with enum, or leave it out',
    )
  }

  /** A name that the schema does not list may come twice, and then counts once. */
  function checkLeast(count: number, needed: number, hasOthers: boolean): void {
    if (count <= Math.max(1, needed) || !hasOthers) return
    const { pointer } = found.find(({ schema }) => 'minProperties' in schema)!
    throw parts.refuse(
      `${pointer}/minProperties`,
      'minProperties cannot be enforced where properties may have any name',
      'set additionalProperties to false, or name what is required',
    )
  }
}

function isEmpty(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length === 0
}
