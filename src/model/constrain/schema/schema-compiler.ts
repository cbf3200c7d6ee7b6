import type { Slot } from '../shape.ts'
import type { GivenPart, SchemaParts } from './schema-part.ts'

/** Compiles the parts of a schema; each kind of value has its own file. */
export type SchemaCompiler = {
  parts: SchemaParts
  /** The place of a value that satisfies all of some schemas. */
  slot(given: readonly GivenPart[]): Slot
}
