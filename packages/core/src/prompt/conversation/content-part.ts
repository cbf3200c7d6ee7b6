import { dictGet, dictHas, isDict, type PyDict, type PyValue } from '../../base/python/index.ts'
import type { Media } from '../../base/text/index.ts'

/** A part of a content, as far as every format understands it. */
export type ContentPart = { text: string } | { media: Media }

/** Types of text, and the key of the text. */
const textKeys: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
  thinking: 'thinking',
}

/** Types of media, what they are, and the keys under which their place is found. */
const mediaKeys: Readonly<Record<string, readonly [Media['kind'], ...string[]]>> = {
  image_url: ['image', 'image_url'],
  input_image: ['image', 'image_url', 'file_id'],
  image: ['image', 'url', 'image', 'path', 'base64'],
  audio_url: ['audio', 'audio_url'],
  input_audio: ['audio', 'input_audio'],
  audio: ['audio', 'url', 'audio', 'path', 'base64'],
  video_url: ['video', 'video_url'],
  input_video: ['video', 'input_video'],
  video: ['video', 'url', 'video', 'path', 'base64'],
  file: ['file', 'file'],
  input_file: ['file', 'file_url', 'file_data', 'file_id'],
}

/** The types of parts that are understood, for errors. */
export const partTypes: readonly string[] = [...Object.keys(textKeys), ...Object.keys(mediaKeys)]

/**
 * Reads a part: OpenAI's types, those of vLLM, SGLang and llama.cpp, and Hugging Face's. Undefined if it is none of them. A part without a
 * type is named by its key, as in vLLM.
 *
 * @example
 * contentPart({ type: 'image_url', image_url: { url: 'cat.png' } }) // => { media: { kind: 'image', url: 'cat.png' } }
 */
export function contentPart(part: PyValue): ContentPart | undefined {
  if (typeof part === 'string') return { text: part }
  if (!isDict(part)) return undefined
  const type = dictGet(part, 'type') ?? ['image_url', 'audio_url', 'video_url', 'input_audio'].find((key) => dictHas(part, key))
  if (typeof type !== 'string') return undefined
  if (Object.hasOwn(textKeys, type)) {
    const text = dictGet(part, textKeys[type]!)
    return typeof text === 'string' ? { text } : undefined
  }
  if (!Object.hasOwn(mediaKeys, type)) return undefined
  const [kind, ...keys] = mediaKeys[type]!
  const place = keys.map((key) => placeOfMedia(part, key, kind)).find((url) => url !== undefined)
  // Hugging Face's templates only test the type; media are passed beside them.
  return place === undefined && type !== kind ? undefined : { media: { kind, url: place ?? '' } }
}

function placeOfMedia(part: PyDict, key: string, kind: Media['kind']): string | undefined {
  const value = dictGet(part, key)
  if (typeof value === 'string') return value
  if (!isDict(value)) return undefined
  const url = dictGet(value, 'url') ?? dictGet(value, 'file_data') ?? dictGet(value, 'file_id')
  if (typeof url === 'string') return url
  const data = dictGet(value, 'data')
  if (typeof data === 'string' && data.startsWith('file:')) return data
  const format = dictGet(value, 'format')
  return typeof data === 'string' ? `data:${kind}/${typeof format === 'string' ? format : '*'};base64,${data}` : undefined
}
