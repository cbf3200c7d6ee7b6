import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictEntries,
  dictFromEntries,
  getString,
  isDictValue,
  isListValue,
  type PyValue,
  plainText,
  str,
  type Value,
} from '@rolecall/core/internal/python'
import type { Media, MediaPiece } from '@rolecall/core/internal/text'
import { readLiteral } from '../../../python/syntax/literal.ts'
import { compileField, type Doc, type Field, fieldValue } from './field.ts'
import type { TaskConfig } from './task-config.ts'
import type { FindFunction } from './task-function.ts'

/** The images and audio of a task's documents: `doc_to_image` and `doc_to_audio`. */
export function taskMedia(
  { docToImage, docToAudio, where }: TaskConfig,
  columns: ReadonlySet<string>,
  find: FindFunction,
): (doc: Doc) => readonly MediaPiece[] {
  const fieldsOf = (given: Value, key: string): Field[] =>
    given === null ? [] : (isListValue(given) ? given : [given]).map((one) => compileField(one, `${where} › ${key}`, columns, find))
  const images = fieldsOf(docToImage, 'doc_to_image')
  const audio = fieldsOf(docToAudio, 'doc_to_audio')
  if (images.length + audio.length === 0) return () => []
  return (doc) => [
    ...images.flatMap((field) => piecesOf(field, doc, 'image')),
    ...audio.flatMap((field) => piecesOf(field, withDecodedAudio(doc), 'audio')),
  ]
}

function piecesOf(field: Field, doc: Doc, kind: Media['kind']): MediaPiece[] {
  const value = fieldValue(field, doc)
  const found = field.kind === 'template' ? ((readLiteral(value as string) as Value | undefined) ?? value) : value
  const path = field.kind === 'column' ? field.column : field.path
  return urlsIn(found, field.path).map((url) => ({ media: { kind, url }, source: { by: 'field', path } }))
}

function urlsIn(value: Value, where: string): string[] {
  if (value === null) return []
  if (typeof value === 'string' && /^(?:data:|https?:\/\/|file:\/\/)/i.test(value)) return [value]
  if (isListValue(value)) return value.flatMap((one) => urlsIn(one, where))
  const array = isDictValue(value) ? getString(value, 'array') : undefined
  if (array !== undefined) return urlsIn(array, where)
  throw new PromptError('no-media', {
    where,
    problem: `it gives no media: ${plainText(str(value)).slice(0, 80)}`,
    fix: 'give a column of images or audio from a Parquet or Arrow file, or URLs (https:, file:, data:), or a list of them',
  })
}

/**
 * Audio as the `datasets` library decodes it, `{array, sampling_rate}`, which functions of tasks take apart. The reference of the file is in
 * the place of the samples: servers are sent the file.
 */
function withDecodedAudio(doc: Doc): Doc {
  const decoded = (value: PyValue): PyValue =>
    typeof value === 'string' && /^(?:data:audio\/|file:.*#sha256=)/i.test(value)
      ? { path: value, array: value, sampling_rate: null }
      : value
  return dictFromEntries(dictEntries(doc).map(([name, value]) => [name, decoded(value)]))
}
