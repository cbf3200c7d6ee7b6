import { withoutOverlap } from './exclusive.ts'
import type { GivenPart, SchemaPart } from './json-schema.ts'
import type { SchemaParts } from './schema-part.ts'
import { escaped } from './schema-references.ts'

/** A choice that a keyword leaves: the value satisfies all schemas of one of the alternatives. */
export type SchemaChoice = { keyword: string; alternatives: readonly (readonly GivenPart[])[] }

/** The first choice of a part that has not been made yet. */
export function openChoice(part: SchemaPart, parts: SchemaParts): SchemaChoice | undefined {
  for (const keyword of keywordsWithChoice) {
    if (part.schema[keyword] === undefined) continue
    for (const choice of choicesOf(part, keyword, parts)) {
      if (part.done.includes(choice.keyword)) continue
      const alternatives = choice.alternatives()
      if (alternatives) return { keyword: choice.keyword, alternatives }
    }
  }
  return undefined
}

const keywordsWithChoice = ['anyOf', 'oneOf', 'if', 'dependentRequired', 'dependentSchemas', 'dependencies'] as const

/** `alternatives` is undefined if the keyword says nothing here. */
type PossibleChoice = { keyword: string; alternatives: () => GivenPart[][] | undefined }

function choicesOf(part: SchemaPart, keyword: (typeof keywordsWithChoice)[number], parts: SchemaParts): PossibleChoice[] {
  switch (keyword) {
    case 'anyOf':
      return [{ keyword, alternatives: () => parts.list(part, keyword).map((branch) => [branch]) }]
    case 'oneOf':
      return [{ keyword, alternatives: () => exactlyOne(part, parts) }]
    case 'if':
      return [{ keyword, alternatives: () => ifThenElse(part, parts) }]
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies':
      return Object.entries(parts.byName(part, keyword)).map(([name, needs]) => ({
        keyword: `${keyword}/${name}`,
        alternatives: () => dependency(part, `${keyword}/${escaped(name)}`, name, needs, parts),
      }))
    default:
      return keyword satisfies never
  }
}

/** Schemas that may overlap exclude each other explicitly. */
function exactlyOne(part: SchemaPart, parts: SchemaParts): GivenPart[][] {
  const branches = parts.list(part, 'oneOf')
  const exclusive = withoutOverlap(branches, parts)
  if (exclusive) return exclusive
  return branches.map((branch) => [branch, ...branches.filter((other) => other !== branch).map((other) => ({ ...other, isNegated: true }))])
}

function ifThenElse(part: SchemaPart, parts: SchemaParts): GivenPart[][] | undefined {
  const { schema } = part
  if (schema.then === undefined && schema.else === undefined) return undefined
  const condition = parts.child(part, schema.if, 'if')
  return [
    [condition, ...(schema.then === undefined ? [] : [parts.child(part, schema.then, 'then')])],
    [{ ...condition, isNegated: true }, ...(schema.else === undefined ? [] : [parts.child(part, schema.else, 'else')])],
  ]
}

/** Either the property is absent, or what depends on it holds. */
function dependency(part: SchemaPart, path: string, name: string, needs: unknown, parts: SchemaParts): GivenPart[][] {
  const isAbsent = parts.child(part, { properties: { [name]: false } }, `${path}/absent`)
  const isPresent = parts.child(part, { required: [name, ...(Array.isArray(needs) ? (needs as unknown[]) : [])] }, `${path}/present`)
  return [[isAbsent], [isPresent, ...(Array.isArray(needs) ? [] : [parts.child(part, needs, path)])]]
}
