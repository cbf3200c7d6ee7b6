import type { FileHandle } from 'node:fs/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import { arrowBatches } from '../../evaluation/dataset/arrow/arrow-batches.ts'
import { openRegularFile } from '../regular-file.ts'
import type { RowChunks } from './bad-row.ts'
import { storeMedia } from './media-store.ts'
import { asReadError } from './read-bytes.ts'

/** Reads an Arrow file one record batch at a time. */
export async function* readArrow(path: string): RowChunks {
  let file: FileHandle | undefined
  try {
    const opened = await openRegularFile(path)
    file = opened
    const { size } = await opened.stat()
    yield* arrowBatches({ size, bytes: (position, length) => bytesAt(opened, position, length), keepMedia: storeMedia })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw asReadError(error, path)
    throw new PromptError('unreadable-file', {
      where: path,
      problem: `the file is not readable as Arrow (${(error as Error).message})`,
      fix: 'check that the file is complete, or convert it to Parquet',
    })
  } finally {
    await file?.close()
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead < length) throw new Error('it is cut off')
  return bytes
}
