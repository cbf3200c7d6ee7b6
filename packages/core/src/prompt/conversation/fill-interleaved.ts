import { PromptError } from '../../base/errors/prompt-error.ts'
import { isList, type PyValue } from '../../base/python/index.ts'
import type { MediaPiece, TextPiece } from '../../base/text/index.ts'
import { interleaveMedia, type MediaContent, type MediaPlace, mediaContent, mediaPlaces } from './interleave-media.ts'
import { type Fields, fieldValue, hasField } from './row.ts'

/**
 * A text with the media of its row: `<image 2>` is the column `image_2`, or the second entry of `image`; each `<image>` is the next entry of
 * `image`. If the text has no place for it, the column `image` comes first. Audio and videos likewise.
 */
export function fillInterleaved(text: readonly TextPiece[], fields: Fields): MediaContent {
  const taken = { image: 0, audio: 0, video: 0, file: 0 }
  const filled = interleaveMedia(text, (place) => {
    const numbered = place.number === undefined ? undefined : referenceIn(fields, `${place.kind}_${place.number}`, 0)
    if (numbered) return numbered
    const index = place.number === undefined ? taken[place.kind]++ : place.number - 1
    return referenceIn(fields, place.kind, index) ?? missing(place)
  })
  const kinds = new Set(mediaPlaces(text).map(({ kind }) => kind))
  const first = (['image', 'audio', 'video'] as const).flatMap((kind) => (kinds.has(kind) ? [] : allIn(fields, kind)))
  return mediaContent([...first, ...filled])
}

function allIn(fields: Fields, column: 'image' | 'audio' | 'video'): MediaPiece[] {
  const found: MediaPiece[] = []
  for (let next = referenceIn(fields, column, 0); next; next = referenceIn(fields, column, found.length)) found.push(next)
  return found
}

function referenceIn(fields: Fields, column: string, index: number): MediaPiece | undefined {
  const value: PyValue = hasField(fields, column) ? fieldValue(fields, column)! : null
  const one = isList(value) ? value[index] : index === 0 ? value : undefined
  if (typeof one !== 'string' || one === '') return undefined
  const kind = column.split('_')[0] as 'image' | 'audio' | 'video'
  const example = fields.example === undefined ? {} : { example: fields.example }
  return { media: { kind, url: one }, source: { by: 'field', path: isList(value) ? `${column}[${index}]` : column, ...example } }
}

function missing({ kind, number, text, source }: MediaPlace): never {
  throw new PromptError('no-media', {
    where: source.path,
    problem: `the text has a place ${text}, but the row has no ${kind} for it`,
    fix: `give the row a column "${kind}${number === undefined ? '' : `_${number}`}" and name it in media_columns, or use a part of type text, in which ${text} is text`,
  })
}
