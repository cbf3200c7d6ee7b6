import type { ObjectShape, OtherProperties, Property } from '../shape.ts'
import type { Automaton } from '../text/automaton.ts'
import { both, textsAutomaton } from '../text/combine.ts'
import { evaluatedBy } from './evaluated-by.ts'
import type { GivenPart, SchemaPart } from './json-schema.ts'
import { isRecord } from './json-schema.ts'
import { atLeast, atMost } from './limits-of.ts'
import { acceptsName, namesAllowed } from './property-names.ts'
import { namesByPattern, PropertyPatterns } from './property-patterns.ts'
import type { SchemaCompiler } from './schema-compiler.ts'
import { escaped } from './schema-references.ts'

/** An object whose properties satisfy all schemas. */
export function objectShape(found: readonly SchemaPart[], compiler: SchemaCompiler): ObjectShape {
  const { parts, slot } = compiler
  const patterns = new PropertyPatterns(found, parts)
  const required = new Set(found.flatMap(requiredOf))
  const allowed = found.flatMap((part) => namesAllowed(part, compiler) ?? [])
  const names = new Set([
    ...found.flatMap((part) => Object.keys(parts.byName(part, 'properties'))),
    ...allowed.flatMap((some) => some.names ?? []),
    ...required,
  ])
  parts.budget.charge(names.size * found.length)
  const evaluating = new Map(found.filter(isOpenFor).map((part) => [part, evaluatedBy(part, found, parts)]))
  const isAllowed = (name: string) => allowed.every((some) => acceptsName(some, name))
  const properties = [...names].filter(isAllowed).map((name): Property => {
    const matched = patterns.matching(name)
    const given = found.flatMap((part) => [...schemaFor(part, name, matched), ...unevaluated(part, name, matched)])
    return { name, key: keyOf(name), slot: slot(given), isRequired: required.has(name) }
  })
  const hasUnwritable = [...required].some((name) => !isAllowed(name))
  const others = otherProperties()
  const least = atLeast(found, 'minProperties', parts)
  checkLeast(least, required.size, others.length > 0)
  return {
    kind: 'object',
    properties,
    others,
    least: hasUnwritable ? Number.POSITIVE_INFINITY : least,
    most: atMost(found, 'maxProperties', parts),
  }

  /** Properties that the schema does not name, by the patterns that their names match. */
  function otherProperties(): OtherProperties[] {
    if (allowed.some((some) => some.names !== undefined)) return []
    if (patterns.sources.length === 0 && found.some(({ schema }) => schema.additionalProperties === false)) return []
    return namesByPattern([...names], patterns, compiler).flatMap(({ key, matched }) => {
      const given = found.flatMap((part) => [...schemaFor(part, undefined, matched), ...unevaluated(part, undefined, matched)])
      if (given.some(({ schema }) => schema === false)) return []
      const made = slot(given)
      const keys = allowed.reduce<Automaton[]>(
        (some, { automata = [] }) => some.flatMap((one) => automata.map((other) => both(one, other, parts.budget))),
        [key],
      )
      return keys.filter((one) => !one.isEmpty).map((one) => ({ key: one, slot: made }))
    })
  }

  function keyOf(name: string): Automaton {
    const known = compiler.keys.get(name) ?? textsAutomaton([JSON.stringify(name)], parts.budget)
    compiler.keys.set(name, known)
    return known
  }

  function requiredOf({ schema: { required: given }, pointer }: SchemaPart): string[] {
    if (given === undefined) return []
    if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return given
    throw parts.refuse(`${pointer}/required`, 'required must be a list of names', 'write the names of properties')
  }

  /** The schemas of a property: under its name, for the patterns it matches, or that for all others. */
  function schemaFor(part: SchemaPart, name: string | undefined, matched: readonly string[]): GivenPart[] {
    const own = parts.byName(part, 'properties')
    const byPattern = parts.byName(part, 'patternProperties')
    const given = [
      ...(name !== undefined && Object.hasOwn(own, name) ? [parts.child(part, own[name], `properties/${escaped(name)}`)] : []),
      ...matched
        .filter((pattern) => Object.hasOwn(byPattern, pattern))
        .map((pattern) => parts.child(part, byPattern[pattern], `patternProperties/${escaped(pattern)}`)),
    ]
    const { additionalProperties: others } = part.schema
    return given.length > 0 || others === undefined ? given : [parts.child(part, others, 'additionalProperties')]
  }

  function unevaluated(part: SchemaPart, name: string | undefined, matched: readonly string[]): GivenPart[] {
    const { unevaluatedProperties: given } = part.schema
    if (given === undefined) return []
    const isEvaluated = evaluating.get(part)!.some((one) => {
      const { properties: own, patternProperties: byPattern, additionalProperties: others, unevaluatedProperties: rest } = one.schema
      if (others !== undefined || (one !== part && rest !== undefined)) return true
      if (name !== undefined && isRecord(own) && Object.hasOwn(own, name)) return true
      return matched.some((pattern) => isRecord(byPattern) && Object.hasOwn(byPattern, pattern))
    })
    return isEvaluated ? [] : [parts.child(part, given, 'unevaluatedProperties')]
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

function isOpenFor({ schema }: SchemaPart): boolean {
  return schema.unevaluatedProperties !== undefined
}
