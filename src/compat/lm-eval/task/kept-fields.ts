import type { Value } from '../../../base/python/values/value.ts'
import type { Doc } from './field.ts'

/** What the fields of a document gave when they were read. */
export type KeptFields = { text: Value; choices?: readonly Value[] | undefined; target: Value }

/** Reads the fields of documents. */
type FieldReader = { [Key in keyof KeptFields]-?: (doc: Doc) => KeptFields[Key] }

const kept = new WeakMap<Doc, KeptFields>()

/** From now on, the fields of this document give these values, without a call of their functions. */
export function keepFields(doc: Doc, fields: KeptFields): Doc {
  kept.set(doc, fields)
  return doc
}

/** The same reader, which does not read again what is kept. */
export function withKept<Reader extends FieldReader>(reader: Reader): Reader {
  const from = (doc: Doc) => kept.get(doc)
  return {
    ...reader,
    text: (doc: Doc) => (from(doc) ?? { text: reader.text(doc) }).text,
    choices: (doc: Doc) => (from(doc) ?? { choices: reader.choices(doc) }).choices,
    target: (doc: Doc) => (from(doc) ?? { target: reader.target(doc) }).target,
  }
}
