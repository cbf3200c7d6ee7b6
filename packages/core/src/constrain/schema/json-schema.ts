/** A schema as given: an object of keywords, true or false. */
export type JsonSchema = boolean | SchemaObject

export type SchemaObject = { readonly [keyword: string]: unknown }

/** A part of a schema with its pointer: `#/properties/name`. */
export type SchemaPart = {
  schema: SchemaObject
  pointer: string
  /** The base of its references. */
  base: string
  /** Keywords already followed: `$ref`, `allOf`, `not`, and resolved choices. */
  done: readonly string[]
}

/** A schema that has not been read yet. */
export type GivenPart = {
  schema: unknown
  pointer: string
  base?: string
  done?: readonly string[]
  /** The value must not satisfy it. */
  isNegated?: boolean
}

export function isRecord(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
