import type { Value } from '@rolecall/core/internal/python'
import type { Doc } from './field.ts'

/** The fields of a document that its prompts are made of. */
export type FieldName = 'text' | 'choices' | 'target'

/** What some fields of a document gave when they were read. */
export type KeptFields = { text?: Value; choices?: readonly Value[] | undefined; target?: Value }

/** Reads the fields of documents. */
type FieldReader = { text(doc: Doc): Value; choices(doc: Doc): readonly Value[] | undefined; target(doc: Doc): Value }

const kept = new WeakMap<Doc, KeptFields>()

/** From now on, these fields of this document give these values, without a call of their functions. */
export function keepFields(doc: Doc, fields: KeptFields): Doc {
  kept.set(doc, fields)
  return doc
}

/** The same reader, which does not read again what is kept. */
export function withKept<Reader extends FieldReader>(reader: Reader): Reader {
  return {
    ...reader,
    text: (doc: Doc) => keptField(doc, 'text', reader.text),
    choices: (doc: Doc) => keptField(doc, 'choices', reader.choices),
    target: (doc: Doc) => keptField(doc, 'target', reader.target),
  }
}

function keptField<Name extends FieldName>(doc: Doc, name: Name, read: FieldReader[Name]): ReturnType<FieldReader[Name]> {
  const own = kept.get(doc)
  return (own && name in own ? own[name] : read(doc)) as ReturnType<FieldReader[Name]>
}
