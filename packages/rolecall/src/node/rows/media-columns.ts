import type { Row } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, dictGet, dictHas, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { mediaType } from '@rolecall/core/internal/text'
import type { Unfit } from '../../evaluation/dataset/row-formats/row-format.ts'
import { madeByReader } from '../../model/openai/inline-media.ts'
import { fileReference, storeMedia } from './media-store.ts'
import { fileNamed, type RowFiles } from './named-files.ts'

/**
 * A row whose columns of media are references: a path becomes a `file:` URL with the hash of the file, base64 is kept in the cache, and
 * URLs and data URIs stay as they are. Lists are read entry by entry, and messages part by part.
 */
export function withMediaColumns(row: Row, columns: readonly string[], files: RowFiles): Row | Unfit {
  const missing = columns.find((column) => !dictHas(row, column))
  if (missing !== undefined && columns.every((column) => !dictHas(row, column)))
    return { problem: `the row has no column "${missing}" of media`, fix: 'correct media_columns, or the row' }
  try {
    return dictFromEntries(
      dictEntries(row).map(([name, value]) => [name, columns.includes(name) ? referenceOf(value, name, files) : value] as const),
    )
  } catch (error) {
    if (error instanceof NoMedia) return error.unfit
    throw error
  }
}

class NoMedia extends Error {
  constructor(readonly unfit: Unfit) {
    super()
  }
}

function referenceOf(value: PyValue, column: string, files: RowFiles): PyValue {
  if (value === null || value === '') return []
  if (isList(value)) return value.map((one, index) => referenceOf(one, `${column}[${index}]`, files))
  if (isDict(value)) {
    if (dictHas(value, 'role') || dictHas(value, 'type')) return withMediaParts(value, column, files)
    return referenceOf(dictGet(value, 'url') ?? dictGet(value, 'path') ?? null, column, files)
  }
  if (typeof value !== 'string') throw noMedia(column, `it holds ${String(value).slice(0, 40)}`)
  if (/^(?:data:|https?:\/\/)/i.test(value)) return value
  const reference = fileIn(value, column, files)
  if (reference !== undefined) return reference
  const bytes = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(value) ? Buffer.from(value, 'base64') : undefined
  if (bytes !== undefined && mediaType(bytes) !== undefined) return storeMedia(bytes)
  throw noMedia(column, `"${value.slice(0, 60)}" is no file, URL, data URI or base64 of media`)
}

/** The reference to a file that a row names; undefined if there is none. One that a reader made stays: it is compared when it is sent. */
function fileIn(text: string, column: string, files: RowFiles): string | undefined {
  const found = fileNamed(text, files)
  if (found === undefined) return undefined
  if (!('path' in found)) throw new NoMedia({ ...found, problem: `the column "${column}" has no media: ${found.problem}` })
  const reference = madeByReader.test(text) ? text : fileReference(found.path)
  if (reference === undefined) throw noMedia(column, `the file "${text.slice(-60)}" is neither an image nor audio, a video or a PDF`)
  return reference
}

/** The keys of a part that hold words, not places of media. */
const wordKeys: ReadonlySet<string> = new Set(['text', 'role', 'name', 'type'])

/** Messages, or parts of one, whose `file:` URLs are references, and so are paths of files that there are. */
function withMediaParts(value: PyValue, column: string, files: RowFiles): PyValue {
  if (isList(value)) return value.map((one, index) => withMediaParts(one, `${column}[${index}]`, files))
  if (!isDict(value)) return value
  const isMessage = dictHas(value, 'role')
  return dictFromEntries(
    dictEntries(value).map(([key, one]): [string, PyValue] => {
      // A content that is a string is text, as are the names and arguments of calls.
      if (typeof one !== 'string') return [key, isMessage && key !== 'content' ? one : withMediaParts(one, `${column}.${key}`, files)]
      if (isMessage || wordKeys.has(key)) return [key, one]
      const reference = fileIn(one, `${column}.${key}`, files)
      if (reference === undefined && /^file:/i.test(one))
        throw noMedia(`${column}.${key}`, `"${one.slice(0, 60)}" names no file of this machine`)
      return [key, reference ?? one]
    }),
  )
}

function noMedia(column: string, why: string): NoMedia {
  return new NoMedia({
    problem: `the column "${column}" has no media: ${why}`,
    fix: 'give a path relative to the config, a URL, a data URI or base64, or correct media_columns',
  })
}
