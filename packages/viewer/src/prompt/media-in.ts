import { isList, type PyValue } from '@rolecall/core/internal/python'
import type { Media } from '@rolecall/core/internal/text'

const kinds: readonly (readonly [kind: Media['kind'], names: RegExp])[] = [
  ['image', /^(?:png|jpe?g|gif|webp|bmp|tiff?|avif|heic|svg)$/i],
  ['audio', /^(?:wav|mp3|mpeg|flac|ogg|m4a|aac)$/i],
  ['video', /^(?:mp4|webm|mov|mkv|avi)$/i],
]

/** The media of a row's column: files that the run referred to by their hash, data URIs, and in columns of media any URL or path; undefined for other values. */
export function mediaIn(value: PyValue, isMediaColumn: boolean): Media[] | undefined {
  const all = isList(value) ? value : [value]
  const found = all.flatMap((one) => (typeof one === 'string' ? (mediaOf(one, isMediaColumn) ?? []) : []))
  return found.length > 0 && found.length === all.length ? found : undefined
}

function mediaOf(url: string, isMediaColumn: boolean): Media | undefined {
  const data = /^data:(image|audio|video)\//.exec(url)?.[1] as Media['kind'] | undefined
  if (data) return { kind: data, url }
  const isFile = /^file:.*#sha256=[0-9a-f]{64}$/.test(url)
  if (!isFile && !isMediaColumn) return undefined
  const ending = /\.([a-z0-9]{1,5})(?:[?#].*)?$/i.exec(url)?.[1] ?? ''
  return { kind: kinds.find(([, names]) => names.test(ending))?.[0] ?? 'file', url }
}
