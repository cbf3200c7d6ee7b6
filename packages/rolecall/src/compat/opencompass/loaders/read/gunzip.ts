import { BadData } from '../bad-data.ts'

/** The content of a .gz file. */
export async function gunzip(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  try {
    const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  } catch {
    throw new BadData('the file cannot be unpacked', path)
  }
}
