import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { mediaType } from '../../../base/text/media-type.ts'
import { hashOfMedia } from '../../node/rows/media-store.ts'

const reference = /file:\/\/[^"\\\s]+#sha256=([0-9a-f]{64})/g

/**
 * The media files of the rows that the viewer has sent, by the hash of their content. The page asks for a hash, never for a path: only files
 * that a shown row refers to, that begin as media do, and that still have this content are sent.
 */
export class ShownMedia {
  readonly #urls = new Map<string, string>()

  /** The value as a JSON response; its files of media can then be asked for. */
  respond(value: unknown): Response {
    const text = JSON.stringify(value)
    for (const [url, hash] of text.matchAll(reference)) this.#urls.set(hash!, url)
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }

  async file(hash: string): Promise<Response> {
    const url = this.#urls.get(hash)
    const bytes = url === undefined ? undefined : await readFile(fileURLToPath(url.split('#')[0]!)).catch(() => undefined)
    const type = bytes && mediaType(bytes)
    if (bytes === undefined || type === undefined || hashOfMedia(bytes) !== hash)
      throw new PromptError('no-row', {
        where: url?.split('#')[0] ?? 'the viewer',
        problem: 'the file is gone, has changed, or belongs to no row that was shown',
        fix: 'reload the page, or run again with the files as they are now',
      })
    return new Response(bytes, { headers: { 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' } })
  }
}
