import type { Slot } from '../shape.ts'
import type { GivenPart, SchemaParts } from './schema-part.ts'

/** Compiles the parts of a schema; each kind of value has its own file. */
export type SchemaCompiler = {
  parts: SchemaParts
  /** The slot of a value that satisfies several schemas. */
  slot(given: readonly GivenPart[]): Slot
}
