import { PromptError } from '../../../base/errors/prompt-error.ts'
import { readFields, type WireField } from './read-fields.ts'

export type PieceType = 'normal' | 'unknown' | 'control' | 'user-defined' | 'unused' | 'byte'

/** An entry of the vocabulary; its index is its id. */
export type SentencePiece = { text: string; score: number; type: PieceType }

/** The parts of a `tokenizer.model` that encoding needs. */
export type SentencePieceModel = {
  pieces: SentencePiece[]
  trainer: {
    modelType: 'unigram' | 'bpe'
    byteFallback: boolean
    treatWhitespaceAsSuffix: boolean
    unknown: { id: number; piece: string }
    bos: { id: number; piece: string }
    eos: { id: number; piece: string }
    pad: { id: number; piece: string }
  }
  normalizer: {
    name: string
    precompiledCharsmap: Uint8Array
    addDummyPrefix: boolean
    removeExtraWhitespaces: boolean
    escapeWhitespaces: boolean
  }
}

const pieceTypes: Record<number, PieceType> = { 1: 'normal', 2: 'unknown', 3: 'control', 4: 'user-defined', 5: 'unused', 6: 'byte' }
const modelTypes: Record<number, string> = { 1: 'unigram', 2: 'bpe', 3: 'word', 4: 'char' }

/** The error for an unusable file. */
export function unreadable(name: string, problem: string, fix?: string): PromptError {
  return new PromptError('bad-tokenizer', {
    where: name,
    problem,
    fix: fix ?? 'get the file again: it is the binary tokenizer.model that lies beside the weights',
  })
}

/**
 * Reads a `tokenizer.model`. The numbers of the fields are those of
 * https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto
 */
export function readModel(bytes: Uint8Array, name: string): SentencePieceModel {
  const fail = (problem: string): never => {
    throw unreadable(name, problem)
  }
  refuseText(bytes, name)

  const model: SentencePieceModel = {
    pieces: [],
    trainer: {
      modelType: 'unigram',
      byteFallback: false,
      treatWhitespaceAsSuffix: false,
      unknown: { id: 0, piece: '<unk>' },
      bos: { id: 1, piece: '<s>' },
      eos: { id: 2, piece: '</s>' },
      pad: { id: -1, piece: '<pad>' },
    },
    normalizer: {
      name: '',
      precompiledCharsmap: new Uint8Array(),
      addDummyPrefix: true,
      removeExtraWhitespaces: true,
      escapeWhitespaces: true,
    },
  }
  const { trainer, normalizer } = model
  let modelType = 1
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  for (const field of readFields(bytes, fail)) {
    if (field.number === 1) model.pieces.push(readPiece(bytesOf(field, 'pieces')))
    else if (field.number === 2) readTrainer(bytesOf(field, 'trainer_spec'))
    else if (field.number === 3) readNormalizer(bytesOf(field, 'normalizer_spec'))
  }
  if (model.pieces.length === 0) fail('it has no pieces')
  if (modelType !== 1 && modelType !== 2) {
    const type = modelTypes[modelType] ?? `number ${modelType}`
    throw unreadable(name, `it is a model of type ${type}`, 'use a unigram or bpe model')
  }
  trainer.modelType = modelType === 1 ? 'unigram' : 'bpe'
  return model

  function readPiece(message: Uint8Array): SentencePiece {
    const piece: SentencePiece = { text: '', score: 0, type: 'normal' }
    for (const field of readFields(message, fail)) {
      if (field.number === 1) piece.text = textOf(field, 'piece')
      else if (field.number === 2) piece.score = field.kind === 'float' ? field.value : wrongType(field, 'score')
      else if (field.number === 3) {
        const type = numberOf(field, 'type')
        piece.type = pieceTypes[type] ?? fail(`piece ${model.pieces.length} is of the unknown type ${type}`)
      }
    }
    return piece
  }

  function readTrainer(message: Uint8Array): void {
    for (const field of readFields(message, fail)) {
      if (field.number === 3) modelType = numberOf(field, 'model_type')
      else if (field.number === 24) trainer.treatWhitespaceAsSuffix = numberOf(field, 'treat_whitespace_as_suffix') !== 0
      else if (field.number === 35) trainer.byteFallback = numberOf(field, 'byte_fallback') !== 0
      else if (field.number === 40) trainer.unknown.id = numberOf(field, 'unk_id')
      else if (field.number === 41) trainer.bos.id = numberOf(field, 'bos_id')
      else if (field.number === 42) trainer.eos.id = numberOf(field, 'eos_id')
      else if (field.number === 43) trainer.pad.id = numberOf(field, 'pad_id')
      else if (field.number === 45) trainer.unknown.piece = textOf(field, 'unk_piece')
      else if (field.number === 46) trainer.bos.piece = textOf(field, 'bos_piece')
      else if (field.number === 47) trainer.eos.piece = textOf(field, 'eos_piece')
      else if (field.number === 48) trainer.pad.piece = textOf(field, 'pad_piece')
    }
  }

  function readNormalizer(message: Uint8Array): void {
    for (const field of readFields(message, fail)) {
      if (field.number === 1) normalizer.name = textOf(field, 'name')
      else if (field.number === 2) normalizer.precompiledCharsmap = bytesOf(field, 'precompiled_charsmap')
      else if (field.number === 3) normalizer.addDummyPrefix = numberOf(field, 'add_dummy_prefix') !== 0
      else if (field.number === 4) normalizer.removeExtraWhitespaces = numberOf(field, 'remove_extra_whitespaces') !== 0
      else if (field.number === 5) normalizer.escapeWhitespaces = numberOf(field, 'escape_whitespaces') !== 0
    }
  }

  function bytesOf(field: WireField, label: string): Uint8Array {
    return field.kind === 'bytes' ? field.value : wrongType(field, label)
  }

  function numberOf(field: WireField, label: string): number {
    return field.kind === 'varint' ? field.value : wrongType(field, label)
  }

  function textOf(field: WireField, label: string): string {
    const encoded = bytesOf(field, label)
    try {
      return decoder.decode(encoded)
    } catch {
      return fail(`"${label}" is not UTF-8`)
    }
  }

  function wrongType(field: WireField, label: string): never {
    return fail(`it is not a sentencepiece model ("${label}" has the wire type ${field.kind})`)
  }
}

// The files that are most often taken for a tokenizer.model are text. None of these first characters can start a protobuf message.
function refuseText(bytes: Uint8Array, name: string): void {
  if (bytes.length === 0) throw unreadable(name, 'it is empty')
  const start = new TextDecoder().decode(bytes.subarray(0, 40))
  if (start.startsWith('version https://git-lfs')) {
    throw unreadable(name, 'it is a Git LFS pointer, not the file itself', 'run git lfs pull, or download the file')
  }
  if (start.startsWith('{')) throw unreadable(name, 'it is JSON', 'read it as a tokenizer.json, or name the tokenizer.model beside it')
  if (start.startsWith('<')) throw unreadable(name, 'it is a web page', 'download the file itself ("raw" or "resolve" in its address)')
}
