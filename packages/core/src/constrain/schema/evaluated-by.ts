import type { GivenPart, SchemaPart } from './json-schema.ts'
import { isRecord } from './json-schema.ts'
import type { SchemaParts } from './schema-part.ts'
import { baseOf, documentBase, escaped } from './schema-references.ts'

/**
 * The parts whose properties and items count as evaluated for `unevaluatedProperties` and `unevaluatedItems` of a part: itself, and the
 * schemas that it applies to the same value, as far as the value is known to satisfy them.
 */
export function evaluatedBy(part: SchemaPart, found: readonly SchemaPart[], parts: SchemaParts): SchemaPart[] {
  const applied = new Set([part.pointer])
  const open: GivenPart[] = [part]
  for (let one = open.pop(); one; one = open.pop()) {
    for (const next of appliedBy(one, found, parts)) {
      parts.budget.charge(2)
      if (applied.has(next.pointer)) continue
      applied.add(next.pointer)
      open.push(next)
    }
  }
  return found.filter(({ pointer }) => applied.has(pointer))
}

/** The schemas that a schema applies to the same value, whether or not the value satisfies them; conditional ones, if their condition holds. */
function appliedBy({ schema, pointer, base = documentBase }: GivenPart, found: readonly SchemaPart[], parts: SchemaParts): GivenPart[] {
  if (!isRecord(schema)) return []
  const isTrue = found.some((one) => one.pointer === `${pointer}/if`)
  const isRequired = (name: string) => found.some(({ schema: { required } }) => Array.isArray(required) && required.includes(name))
  const part: SchemaPart = { schema, pointer, base: baseOf(schema, base), done: [] }
  return [
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) => (schema[keyword] === undefined ? [] : parts.list(part, keyword))),
    ...(isTrue ? (['if', 'then'] as const) : (['else'] as const)).flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [parts.child(part, schema[keyword], keyword)],
    ),
    ...(['$ref', '$dynamicRef'] as const).flatMap((keyword) => (schema[keyword] === undefined ? [] : [parts.resolve(part, keyword)])),
    ...(['dependentSchemas', 'dependencies'] as const).flatMap((keyword) =>
      Object.entries(parts.byName(part, keyword))
        .filter(([name]) => isRequired(name))
        .map(([name, one]) => parts.child(part, one, `${keyword}/${escaped(name)}`)),
    ),
  ]
}
