import { PromptError } from '@rolecall/core/internal/errors'
import type { PieceType, SentencePieceModel, Tokenizer } from '@rolecall/core/internal/tokenizer'
import { readHuggingFaceTokenizer, sentencePieceTokenizer } from '@rolecall/core/internal/tokenizer'
import { flagOf, type GgufMetadata, numberOf, numbersOf, stringsOf, textOf } from './gguf-metadata.ts'
import { type PreTokenizer, preTokenizers } from './pre-tokenizers.ts'

/**
 * The tokenizer of a GGUF file: byte-level BPE (`gpt2`), sentencepiece's BPE (`llama`), Gemma 4's. `name` is the file's name, for error
 * messages.
 */
export function readGgufTokenizer(metadata: GgufMetadata, name: string): Tokenizer {
  const tokens = stringsOf(metadata, 'tokenizer.ggml.tokens')
  const kind = textOf(metadata, 'tokenizer.ggml.model')
  if (!tokens || kind === undefined) throw unknownVocabulary(name, 'it carries no vocabulary')
  const types = numbersOf(metadata, 'tokenizer.ggml.token_type') ?? tokens.map(() => 1)
  const vocabulary: GgufVocabulary = { metadata, name, tokens, types }
  if (kind === 'llama') return fromPieces(vocabulary)
  if (kind === 'gemma4') return fromMerges(vocabulary, spacesAsMarks)
  if (kind !== 'gpt2') throw unknownVocabulary(name, `its vocabulary is of the kind "${kind}"`)
  const pre = textOf(metadata, 'tokenizer.ggml.pre') ?? 'default'
  const cut = Object.hasOwn(preTokenizers, pre) ? preTokenizers[pre] : undefined
  if (!cut) throw unknownVocabulary(name, `how its tokenizer cuts words ("${pre}") is not known here`)
  return fromMerges(vocabulary, byteLevel(cut), cut)
}

type GgufVocabulary = { metadata: GgufMetadata; name: string; tokens: readonly string[]; types: readonly number[] }

/** `tokenizer.ggml.token_type` has sentencepiece's numbers. */
const pieceTypes: Readonly<Record<number, PieceType>> = {
  1: 'normal',
  2: 'unknown',
  3: 'control',
  4: 'user-defined',
  5: 'unused',
  6: 'byte',
}

const names = { bos: 'tokenizer.ggml.bos_token_id', eos: 'tokenizer.ggml.eos_token_id', unknown: 'tokenizer.ggml.unknown_token_id' }

function fromPieces({ metadata, name, tokens, types }: GgufVocabulary): Tokenizer {
  const scores = numbersOf(metadata, 'tokenizer.ggml.scores') ?? []
  const pieceOf = (key: string, otherwise: number) => {
    const id = numberOf(metadata, key) ?? otherwise
    return { id, piece: tokens[id] ?? '' }
  }
  const unknown = pieceOf(names.unknown, 0)
  const bos = pieceOf(names.bos, 1)
  const eos = pieceOf(names.eos, 2)
  const typeOf = (id: number): PieceType => {
    const type = pieceTypes[types[id] ?? 1] ?? 'normal'
    // Some converters write BOS and EOS as ordinary tokens, and more than one token as unknown.
    if (id === bos.id || id === eos.id) return 'control'
    return type === 'unknown' && id !== unknown.id ? 'control' : id === unknown.id ? 'unknown' : type
  }
  const model: SentencePieceModel = {
    pieces: distinct(tokens).map((text, id) => ({ text, score: scores[id] ?? 0, type: typeOf(id) })),
    trainer: {
      modelType: 'bpe',
      byteFallback: types.includes(6),
      treatWhitespaceAsSuffix: false,
      unknown,
      bos,
      eos,
      pad: { id: -1, piece: '<pad>' },
    },
    normalizer: {
      name: 'identity',
      precompiledCharsmap: new Uint8Array(),
      addDummyPrefix: flagOf(metadata, 'tokenizer.ggml.add_space_prefix') ?? true,
      removeExtraWhitespaces: flagOf(metadata, 'tokenizer.ggml.remove_extra_whitespaces') ?? false,
      escapeWhitespaces: true,
    },
  }
  return sentencePieceTokenizer(model, name, { addBos: flagOf(metadata, 'tokenizer.ggml.add_bos_token') ?? true })
}

/** Padding of a vocabulary is sometimes empty or a duplicate; text never encodes to it. */
function distinct(tokens: readonly string[]): string[] {
  const seen = new Set<string>()
  return tokens.map((token, id) => {
    const own = token === '' || seen.has(token) ? `\u0000[${id}]` : token
    seen.add(own)
    return own
  })
}

/** The parts of a tokenizer.json that say how text becomes characters of the vocabulary and back. */
type Steps = { normalizer: unknown; pre_tokenizer: unknown; decoder: unknown; byte_fallback: boolean }

function byteLevel({ patterns, composes }: PreTokenizer): Steps {
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false }
  return {
    normalizer: composes ? { type: 'NFC' } : null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        ...patterns.map((pattern) => ({ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false })),
        bytes,
      ],
    },
    decoder: bytes,
    byte_fallback: false,
  }
}

/** Gemma 4: spaces are written as ▁, characters that the vocabulary lacks as bytes. */
const spacesAsMarks: Steps = {
  normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
  pre_tokenizer: { type: 'Split', pattern: { Regex: '[^\\n]+|\\n+' }, behavior: 'Isolated', invert: false },
  decoder: null,
  byte_fallback: true,
}

function fromMerges(
  { metadata, name, tokens, types }: GgufVocabulary,
  steps: Steps,
  { ignoreMerges, addBos }: Partial<PreTokenizer> = {},
): Tokenizer {
  const { byte_fallback: byteFallback, ...outer } = steps
  const merges = stringsOf(metadata, 'tokenizer.ggml.merges')
  if (!merges) throw unknownVocabulary(name, 'its vocabulary has no merges')
  const idOf = (key: string) => numberOf(metadata, key)
  const bos = idOf(names.bos)
  const eos = idOf(names.eos)
  const isSpecial = (id: number) => types[id] === 3 || id === bos || id === eos
  const added = tokens.flatMap((content, id) =>
    (isSpecial(id) || types[id] === 4) && content !== '' ? [{ id, content, special: isSpecial(id), normalized: false }] : [],
  )
  const json = {
    ...outer,
    added_tokens: added,
    post_processor: null,
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(distinct(tokens).map((token, id) => [token, id])),
      merges: merges.map(splitMerge),
      byte_fallback: byteFallback,
      ignore_merges: ignoreMerges === true,
      unk_token: byteFallback ? (tokens[idOf(names.unknown) ?? -1] ?? null) : null,
    },
  }
  const config = {
    ...(bos === undefined ? {} : { bos_token: tokens[bos] }),
    ...(eos === undefined ? {} : { eos_token: tokens[eos] }),
  }
  const tokenizer = readHuggingFaceTokenizer(json, config, name)
  const writesBos = flagOf(metadata, 'tokenizer.ggml.add_bos_token') ?? addBos === true
  return { ...tokenizer, before: writesBos && bos !== undefined ? [bos] : [], size: tokens.length }
}

/** "a b"; Gemma's tokens may contain spaces, so the separator is the last space that has text after it. */
function splitMerge(merge: string): [string, string] {
  const at = merge.indexOf(' ', 1)
  return [merge.slice(0, at), merge.slice(at + 1)]
}

function unknownVocabulary(where: string, problem: string): PromptError {
  return new PromptError('unknown-vocabulary', {
    where,
    problem: `the file's own tokenizer cannot be used: ${problem}`,
    fix: "set tokenizer_path to the model's tokenizer.json or tokenizer.model",
  })
}
