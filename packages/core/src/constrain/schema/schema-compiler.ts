import type { Slot } from '../shape.ts'
import type { Automaton } from '../text/automaton.ts'
import type { GivenPart } from './json-schema.ts'
import type { SchemaParts } from './schema-part.ts'

/** Compiles the parts of a schema; each kind of value has its own file. */
export type SchemaCompiler = {
  parts: SchemaParts
  /** The slot of a value that satisfies several schemas. */
  slot(given: readonly GivenPart[]): Slot
  /** The automata of property names, and of all names but some: objects repeat them. */
  keys: Map<string, Automaton>
  otherKeys: Map<string, Automaton>
}
