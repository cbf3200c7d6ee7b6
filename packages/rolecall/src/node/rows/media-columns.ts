import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, dictGet, dictHas, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { mediaType } from '@rolecall/core/internal/text'
import type { Unfit } from '../../evaluation/dataset/row-formats/row-format.ts'
import { fileReference, storeMedia } from './media-store.ts'

/**
 * A row whose columns of media are references: a path becomes a `file:` URL with the hash of the file, base64 is kept in the cache, and
 * URLs and data URIs stay as they are. Lists are read entry by entry. Paths are relative to the folder.
 */
export function withMediaColumns(row: Row, columns: readonly string[], folder: string): Row | Unfit {
  const missing = columns.find((column) => !dictHas(row, column))
  if (missing !== undefined && columns.every((column) => !dictHas(row, column)))
    return { problem: `the row has no column "${missing}" of media`, fix: 'correct media_columns, or the row' }
  try {
    return dictFromEntries(
      dictEntries(row).map(([name, value]) => [name, columns.includes(name) ? referenceOf(value, name, folder) : value] as const),
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

function referenceOf(value: PyValue, column: string, folder: string): PyValue {
  if (value === null || value === '') return []
  if (isList(value)) return value.map((one, index) => referenceOf(one, `${column}[${index}]`, folder))
  if (isDict(value)) return referenceOf(dictGet(value, 'url') ?? dictGet(value, 'path') ?? null, column, folder)
  if (typeof value !== 'string') throw noMedia(column, `it holds ${String(value).slice(0, 40)}`)
  if (/^(?:data:|https?:\/\/)/i.test(value) || /#sha256=[0-9a-f]{64}$/.test(value)) return value
  const path = value.startsWith('file://') ? pathOf(value, column) : resolve(folder, value)
  if (value.length < 4096 && existsSync(path) && statSync(path).isFile()) {
    const reference = fileReference(path)
    if (reference === undefined) throw noMedia(column, `the file "${value.slice(-60)}" is neither an image nor audio, a video or a PDF`)
    return reference
  }
  const bytes = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(value) ? Buffer.from(value, 'base64') : undefined
  if (bytes !== undefined && mediaType(bytes) !== undefined) return storeMedia(bytes)
  throw noMedia(column, `"${value.slice(0, 60)}" is no file, URL, data URI or base64 of media`)
}

function pathOf(url: string, column: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    throw noMedia(column, `"${url.slice(0, 60)}" names no file of this machine`)
  }
}

function noMedia(column: string, why: string): NoMedia {
  return new NoMedia({
    problem: `the column "${column}" has no media: ${why}`,
    fix: 'give a path relative to the config, a URL, a data URI or base64, or correct media_columns',
  })
}
