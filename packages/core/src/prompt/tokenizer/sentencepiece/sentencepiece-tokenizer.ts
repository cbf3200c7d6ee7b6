import { tokenBytes } from '../token-bytes.ts'
import type { EncodedRun, Tokenizer } from '../tokenizer.ts'
import { type FindReplacement, readCharsmap } from './charsmap.ts'
import { bpeEncoder } from './encode-bpe.ts'
import { unigramEncoder } from './encode-unigram.ts'
import { type NormalizationRules, normalize, type SymbolLength } from './normalize.ts'
import { none } from './pair-map.ts'
import { placeSegments } from './place-segments.ts'
import { readModel, type SentencePieceModel, unreadable } from './read-model.ts'
import { Trie } from './trie.ts'
import { buildVocabulary } from './vocabulary.ts'

export type SentencePieceOptions = {
  /** Which runs get the model's dummy space: all, as with LlamaTokenizer's `legacy`, or only the beginning of the text. */
  prefixSpace?: 'every-run' | 'first-run'
  /** Puts BOS before a text, if the model has one. */
  addBos?: boolean
}

/**
 * Reads a sentencepiece `tokenizer.model` (unigram or BPE) as a tokenizer. `name` is the file's name, for error messages.
 *
 * Control pieces never come out of text; user-defined symbols that are not protected are found in it first. A protected
 * piece that text spells is cut into smaller ones, a single character into its bytes (or the unknown piece).
 *
 * @example
 * const bytes = new TextEncoder().encode('\n\t\n\x05<unk>\x18\x02\n\x05\n\x03▁\n\x04\n\x02hi') // three pieces in protobuf
 * const { ids, starts, ends } = readSentencePiece(bytes, 'tokenizer.model').encodeRun('hi', true, () => false)
 * ids // => [1, 2]
 * starts // => [0, 0]
 * ends // => [0, 2]
 */
export function readSentencePiece(bytes: Uint8Array, name: string, options: SentencePieceOptions = {}): Tokenizer {
  return sentencePieceTokenizer(readModel(bytes, name), name, options)
}

/** The tokenizer of a model that is already read. */
export function sentencePieceTokenizer(model: SentencePieceModel, name: string, options: SentencePieceOptions = {}): Tokenizer {
  const { prefixSpace = 'every-run', addBos = true } = options
  const { pieces, trainer, normalizer } = model
  const vocabulary = buildVocabulary(model, name)
  const { ids, reservedIds } = vocabulary
  const encode = trainer.modelType === 'bpe' ? bpeEncoder(vocabulary) : unigramEncoder(vocabulary)
  const replace = charsmapOf(normalizer.precompiledCharsmap, name)
  const symbols = new Trie(pieces.flatMap(({ text, type }, id) => (type === 'user-defined' ? [[text, id] as const] : [])))
  const bos = controlId(trainer.bos.piece)
  const eos = controlId(trainer.eos.piece)

  return {
    name,
    size: pieces.length,
    addedTokens: pieces.flatMap(({ text, type }, id) =>
      type === 'control' || type === 'user-defined'
        ? [{ id, content: text, special: type === 'control', lstrip: false, rstrip: false }]
        : [],
    ),
    encodeRun,
    idOf: (token) => reservedIds.get(token) ?? ids.get(token),
    tokenOf: (id) => pieces[id]?.text,
    bytesOf: tokenBytes((id) => pieces[id]?.text, {
      isVerbatim: (id) => pieces[id]?.type === 'control' || pieces[id]?.type === 'user-defined',
      isByteLevel: false,
      hasByteTokens: trainer.byteFallback,
    }),
    before: addBos && bos !== undefined ? [bos] : [],
    after: [],
    ...(bos !== undefined && { bos }),
    ...(eos !== undefined && { eos }),
  }

  function encodeRun(text: string, isFirst: boolean, isProtected: (id: number) => boolean): EncodedRun {
    const isBeginning = prefixSpace === 'every-run' || isFirst
    const symbolLength = symbols.isEmpty ? undefined : longestSymbol(isProtected)
    const rules: NormalizationRules = {
      replace,
      symbolLength,
      dummySpace: !normalizer.addDummyPrefix || !isBeginning ? 'none' : trainer.treatWhitespaceAsSuffix ? 'after' : 'before',
      removeExtraWhitespaces: normalizer.removeExtraWhitespaces,
      escapeWhitespaces: normalizer.escapeWhitespaces,
      isBeginning,
    }
    // A lone surrogate has no UTF-8; encoders write U+FFFD, which has the same length.
    const normalized = normalize(text.replace(/\p{Surrogate}/gu, '\ufffd'), rules)
    let segments = encode(normalized.text, symbolLength, undefined)
    // Plain text seldom spells a protected piece, so pieces are checked only at the end.
    if (segments.ids.some(isProtected)) segments = encode(normalized.text, symbolLength, isProtected)
    return placeSegments(segments, normalized, vocabulary, isProtected)
  }

  function longestSymbol(isProtected: (id: number) => boolean): SymbolLength {
    return (text, start) => {
      let length = 0
      for (let at = start, node = 0; at < text.length; ) {
        node = symbols.child(node, text.charCodeAt(at++))
        if (node === none) break
        const id = symbols.idAt(node)
        if (id !== none && !isProtected(id)) length = at - start
      }
      return length
    }
  }

  function controlId(piece: string): number | undefined {
    const id = reservedIds.get(piece)
    return id !== undefined && pieces[id]!.type === 'control' ? id : undefined
  }
}

function charsmapOf(blob: Uint8Array, name: string): FindReplacement | undefined {
  if (blob.length === 0) return undefined
  return readCharsmap(blob, (problem) => {
    throw unreadable(name, problem)
  })
}
