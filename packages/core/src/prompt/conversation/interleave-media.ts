import type { PyDict } from '../../base/python/index.ts'
import type { Media, MediaPiece, Source, TextPiece } from '../../base/text/index.ts'

/** A place for media in a text: `<image>`, `<image 2>`, `<audio>`. */
export type MediaPlace = { kind: Media['kind']; number: number | undefined; text: string; source: Source }

const place = /<(image|audio|video)(?: (\d{1,3}))?>/gu

/** The places for media in a text, in their order. */
export function mediaPlaces(pieces: readonly TextPiece[]): MediaPlace[] {
  return pieces.flatMap((piece) => [...piece.text.matchAll(place)].map((found) => placeOf(found, piece)))
}

function placeOf([text, kind, number]: RegExpMatchArray, { source }: TextPiece): MediaPlace {
  return { kind: kind as Media['kind'], number: number === undefined ? undefined : Number(number), text, source }
}

/** The text with media in their places; a place for which `take` gives nothing stays text. */
export function interleaveMedia(
  pieces: readonly TextPiece[],
  take: (place: MediaPlace) => MediaPiece | undefined,
): (TextPiece | MediaPiece)[] {
  return pieces.flatMap((piece) => {
    const found: (TextPiece | MediaPiece)[] = []
    let from = 0
    for (const match of piece.text.matchAll(place)) {
      const media = take(placeOf(match, piece))
      if (media === undefined) continue
      if (match.index > from) found.push({ ...piece, text: piece.text.slice(from, match.index) })
      found.push(media)
      from = match.index + match[0].length
    }
    if (from === 0 && found.length === 0) return [piece]
    return from < piece.text.length ? [...found, { ...piece, text: piece.text.slice(from) }] : found
  })
}

/** Texts and media as a content of parts: neighbouring texts are one part. */
export type MediaContent = { content: (TextPiece | MediaPiece)[]; parts: PyDict[] }

export function mediaContent(pieces: readonly (TextPiece | MediaPiece)[]): MediaContent {
  const content: MediaContent['content'] = []
  const parts: PyDict[] = []
  let text = ''
  for (const piece of pieces) {
    if ('media' in piece) {
      const { kind, url } = piece.media
      parts.push({ type: `${kind}_url`, [`${kind}_url`]: { url } })
      text = ''
    } else if (piece.text === '') continue
    else {
      if (text !== '') parts.pop()
      text += piece.text
      parts.push({ type: 'text', text })
    }
    content.push({ ...piece, part: parts.length - 1 })
  }
  return { content, parts }
}
