import type { Prompt } from '@rolecall/core/internal/format'
import type { Piece } from '@rolecall/core/internal/text'

type CompletionPrompt = Prompt & { kind: 'completion' }

/** What of a prompt determines its ids, in a form that another thread gets quickly: thousands of pieces are four values. */
export type PackedPrompt = {
  text: string
  ids: Int32Array
  /** Of each piece: text, control text, or ids. */
  kinds: Uint8Array
  /** Where each piece ends, in `text` or in `ids`. */
  ends: Int32Array
  bos: CompletionPrompt['bos']
  needsPrefix?: true
}

const [plainText, controlText, tokenIds] = [0, 1, 2]

/** Undefined for prompts with media, which have no ids. */
export function packPrompt({ pieces, bos, needsPrefix }: CompletionPrompt): PackedPrompt | undefined {
  const kinds = new Uint8Array(pieces.length)
  const ends = new Int32Array(pieces.length)
  const texts: string[] = []
  const ids: number[] = []
  let length = 0
  for (const [index, piece] of pieces.entries()) {
    if ('text' in piece) {
      texts.push(piece.text)
      length += piece.text.length
      kinds[index] = piece.control ? controlText : plainText
      ends[index] = length
    } else if ('ids' in piece) {
      for (const id of piece.ids) ids.push(id)
      kinds[index] = tokenIds
      ends[index] = ids.length
    } else return undefined
  }
  return { text: texts.join(''), ids: Int32Array.from(ids), kinds, ends, bos, ...(needsPrefix ? { needsPrefix } : {}) }
}

/** A prompt with the same ids; what else belongs to it is lost. */
export function unpackPrompt({ text, ids, kinds, ends, bos, needsPrefix }: PackedPrompt): CompletionPrompt {
  const source = { by: 'message', path: 'prompt' } as const
  let [inText, inIds] = [0, 0]
  const pieces = Array.from(kinds, (kind, index): Piece => {
    const end = ends[index]!
    if (kind === tokenIds) {
      const given = Array.from(ids.subarray(inIds, end))
      inIds = end
      return { ids: given, source }
    }
    const part = text.slice(inText, end)
    inText = end
    return { text: part, control: kind === controlText, source }
  })
  return { kind: 'completion', pieces, bos, stop: [], notes: [], ...(needsPrefix ? { needsPrefix } : {}) }
}
