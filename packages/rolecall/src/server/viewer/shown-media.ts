import { PromptError } from '@rolecall/core/internal/errors'
import { mediaType } from '@rolecall/core/internal/text'
import { hashOfMedia, readLocalFile } from '../../node/rows/media-store.ts'
import { RecentMap } from './recent-map.ts'

const endOfReference = /#sha256=([0-9a-f]{64})/g
/** No path is longer, in characters of a URL. */
const longestUrl = 16_384

/** More than a page shows. */
const mostShown = 20_000

/**
 * The media files of the rows that the viewer has sent, by the hash of their content. The page asks for a hash, never for a path: only files
 * that a shown row refers to, that begin as media do, and that still have this content are sent.
 */
export class ShownMedia {
  readonly #urls = new RecentMap<string, string>(mostShown)

  /** The value as a JSON response; its files of media can then be asked for. */
  respond(value: unknown): Response {
    const text = JSON.stringify(value)
    for (const { index, 0: end, 1: hash } of text.matchAll(endOfReference)) {
      // A reference is a whole string; records are JSON within strings, where quotes are escaped.
      const before = text.slice(Math.max(0, index - longestUrl), index)
      const url = before.slice(before.lastIndexOf('"') + 1)
      if (url.startsWith('file:')) this.#urls.set(hash!, url + end)
    }
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }

  /** The file, or the range of bytes that a player asks for when it seeks. */
  async file(hash: string, range?: string): Promise<Response> {
    const url = this.#urls.get(hash)
    const bytes = url === undefined ? undefined : await readLocalFile(url.split('#')[0]!).catch(() => undefined)
    const type = bytes && mediaType(bytes)
    if (bytes === undefined || type === undefined || hashOfMedia(bytes) !== hash)
      throw new PromptError('no-row', {
        where: url?.split('#')[0] ?? 'the viewer',
        problem: 'the file is gone, has changed, or belongs to no row that was shown',
        fix: 'reload the page, or run again with the files as they are now',
      })
    const headers = { 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable', 'accept-ranges': 'bytes' }
    const asked = rangeOf(range, bytes.length)
    if (asked === undefined) return new Response(bytes, { headers })
    const [start, end] = asked
    if (start >= end) return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes.length}` } })
    const contentRange = `bytes ${start}-${end - 1}/${bytes.length}`
    return new Response(bytes.subarray(start, end), { status: 206, headers: { ...headers, 'content-range': contentRange } })
  }
}

/** One range, `bytes=0-99`, `bytes=100-` or `bytes=-100`; anything else is ignored, as the standard allows. */
function rangeOf(range: string | undefined, size: number): [start: number, end: number] | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (from === undefined || (from === '' && to === '')) return undefined
  if (from === '') return [Math.max(0, size - Number(to)), size]
  return [Number(from), to === '' ? size : Math.min(size, Number(to) + 1)]
}
