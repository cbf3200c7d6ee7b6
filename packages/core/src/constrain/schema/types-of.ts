import type { SchemaPart } from './json-schema.ts'
import { impliedTypes, type TypeName, typeNames } from './keywords.ts'
import type { SchemaParts } from './schema-part.ts'

/** The types that several schemas allow together. If none names a type, the other keywords imply it; otherwise any type is allowed. */
export function typesOf(found: readonly SchemaPart[], parts: SchemaParts): ReadonlySet<TypeName> {
  const types = declaredTypes(found, parts)
  if (types) return types
  const implied = impliedTypes.filter(({ keywords }) => found.some(({ schema }) => keywords.some((keyword) => keyword in schema)))
  return new Set(implied.length > 0 ? implied.map(({ type }) => type) : typeNames)
}

/** The types that several schemas name; undefined if none names one. */
export function declaredTypes(found: readonly SchemaPart[], parts: SchemaParts): ReadonlySet<TypeName> | undefined {
  let types: ReadonlySet<TypeName> | undefined
  for (const part of found) {
    if (part.schema.type === undefined) continue
    const own = readTypes(part, parts)
    types = types === undefined ? own : shared(types, own)
  }
  return types
}

function readTypes({ schema, pointer }: SchemaPart, parts: SchemaParts): Set<TypeName> {
  const given = [schema.type].flat()
  const unknown = given.find((one) => !typeNames.includes(one as TypeName))
  if (unknown === undefined && given.length > 0) return new Set(given as TypeName[])
  throw parts.refuse(`${pointer}/type`, `type ${JSON.stringify(schema.type)} is not known`, `write one or more of ${typeNames.join(', ')}`)
}

/** An integer is also a number. */
function shared(a: ReadonlySet<TypeName>, b: ReadonlySet<TypeName>): ReadonlySet<TypeName> {
  const both = typeNames.filter((type) => a.has(type) && b.has(type))
  const hasInteger = (a.has('integer') && b.has('number')) || (a.has('number') && b.has('integer'))
  return new Set(hasInteger && !both.includes('number') ? [...both, 'integer' as const] : both)
}
