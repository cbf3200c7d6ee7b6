import { UnpackBudget } from '@rolecall/core/internal/errors'
import { BadData } from '../bad-data.ts'
import { unpacked } from './unpacked.ts'

/** The content of a .gz file. */
export async function gunzip(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const broken = () => new BadData('the file cannot be unpacked', path)
  for await (const part of unpacked(bytes, 'gzip', { budget: new UnpackBudget(path, bytes.length), broken })) parts.push(part)
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
}
