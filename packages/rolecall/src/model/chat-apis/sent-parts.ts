import { PromptError } from '@rolecall/core/internal/errors'
import type { ApiMessage } from '@rolecall/core/internal/format'
import { dictGet, isDict, type PyValue } from '@rolecall/core/internal/python'
import type { MediaPiece } from '@rolecall/core/internal/text'

/** Media as APIs take them: an address, or base64 with its type. */
export type MediaSource = { url: string } | { type: string; data: string }

/** A part of a message. */
export type MessagePart =
  | { text: string }
  | { kind: MediaPiece['media']['kind']; source: MediaSource; name: string | undefined; path: string }

/** The texts and media of a message in their order; the text of one part is one text. Empty texts are left out: APIs refuse them. */
export function partsOf({ content, parts = [] }: ApiMessage): MessagePart[] {
  const made: MessagePart[] = []
  let last: number | undefined
  for (const piece of content) {
    if ('media' in piece) {
      const own = piece.part === undefined ? undefined : parts[piece.part]
      made.push({ kind: piece.media.kind, source: sourceOf(piece, own), name: textIn(own, 'file', 'filename'), path: piece.source.path })
    } else if ('text' in piece && piece.text !== '') {
      const before = made.at(-1)
      if (before !== undefined && 'text' in before && last === piece.part) before.text += piece.text
      else made.push({ text: piece.text })
    }
    last = piece.part
  }
  return made
}

/** All text of a message, whose media an API has no place for. */
export function onlyText(message: ApiMessage, api: string): string {
  const parts = partsOf(message)
  const texts = parts.map((part) => {
    if ('text' in part) return part.text
    throw refusedMedia(part.path, `a ${message.role} message in ${api} takes no ${part.kind}`)
  })
  return texts.join('\n')
}

/** Media that an API does not take. */
export function refusedMedia(path: string, problem: string): PromptError {
  return new PromptError('no-images', { where: path, problem, fix: 'leave it out, or use a model whose API takes it' })
}

const dataUri = /^data:([^;,]+)(?:;[^;,]+)*;base64,/

/** The place of a file whose content is put into the request when it is sent. */
const mark = /^[\da-f]{8}-[\da-f-]{27}:\d+$/

function sourceOf({ media: { url, kind }, source }: MediaPiece, own: PyValue | undefined): MediaSource {
  const [head, type] = dataUri.exec(url.slice(0, 300)) ?? []
  if (head !== undefined && type !== undefined) return { type, data: url.slice(head.length) }
  if (mark.test(url)) return { type: `${url}:type`, data: `${url}:data` }
  if (/^(?:https?|gs):/.test(url)) return { url }
  const format = textIn(own, 'input_audio', 'format')
  if (kind === 'audio' && format !== undefined) return { type: `audio/${format}`, data: url }
  throw new PromptError('no-media', {
    where: source.path,
    problem: `"${url.slice(0, 100)}" is neither an address nor a data URI in base64`,
    fix: 'give media as data:TYPE;base64,…, as an address, or as a file of the dataset (media_columns)',
  })
}

function textIn(value: PyValue | undefined, ...keys: readonly string[]): string | undefined {
  let found = value
  for (const key of keys) found = isDict(found) ? dictGet(found, key) : undefined
  return typeof found === 'string' ? found : undefined
}
