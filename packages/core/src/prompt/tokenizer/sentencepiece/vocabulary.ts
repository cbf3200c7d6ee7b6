import { type SentencePiece, type SentencePieceModel, unreadable } from './read-model.ts'

/** The pieces of a model by what they are for. */
export type SentencePieceVocabulary = {
  pieces: readonly SentencePiece[]
  /** The pieces that text may become, unused ones included. */
  ids: ReadonlyMap<string, number>
  /** The pieces that are not text: unknown, control and byte pieces. */
  reservedIds: ReadonlyMap<string, number>
  unknown: number
  /** The id for each byte of a character that has no piece; undefined if the character becomes the unknown piece. */
  byteIds: readonly number[] | undefined
}

/** Sorts the pieces, and rejects those that sentencepiece rejects. */
export function buildVocabulary({ pieces, trainer }: SentencePieceModel, name: string): SentencePieceVocabulary {
  const ids = new Map<string, number>()
  const reservedIds = new Map<string, number>()
  const unknown: number[] = []
  pieces.forEach(({ text, type }, id) => {
    if (text === '') throw unreadable(name, `piece ${id} is empty`)
    if (type === 'byte' && !trainer.byteFallback) throw unreadable(name, `piece ${id} is a byte, but the model has no byte fallback`)
    const group = type === 'unknown' || type === 'control' || type === 'byte' ? reservedIds : ids
    if (group.has(text)) throw unreadable(name, `pieces ${group.get(text)} and ${id} are the same: ${JSON.stringify(text)}`)
    group.set(text, id)
    if (type === 'unknown') unknown.push(id)
  })
  if (ids.size === 0) throw unreadable(name, 'it has no pieces that text could become')
  if (unknown.length !== 1) throw unreadable(name, `it has ${unknown.length} pieces for what is unknown, not one`)

  const byteIds = Array.from({ length: 256 }, (_, byte) => {
    const id = reservedIds.get(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
    return id !== undefined && pieces[id]!.type === 'byte' ? id : -1
  })
  const missing = byteIds.indexOf(-1)
  if (trainer.byteFallback && missing >= 0) throw unreadable(name, `it has byte fallback, but no piece for byte ${missing}`)

  return { pieces, ids, reservedIds, unknown: unknown[0]!, byteIds: trainer.byteFallback ? byteIds : undefined }
}
