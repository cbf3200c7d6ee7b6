import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { readModel } from './read-model.ts'
import { readSentencePiece } from './sentencepiece-tokenizer.ts'

const llama = readFileSync(new URL('models/bpe-llama.model', import.meta.url))
// Short protobuf messages are text: "\n" is field 1 with bytes, "\x12" field 2, "\x1a" field 3, "\x18" field 3 with a number.
const encode = (text: string) => new TextEncoder().encode(text)
const unknown = '\n\t\n\x05<unk>\x18\x02'
const letter = '\n\x03\n\x01a'

test('a model has pieces, a trainer spec and a normalizer spec', () => {
  const { pieces, trainer, normalizer } = readModel(llama, 'bpe-llama.model')
  expect(pieces.length).toBe(900)
  expect(pieces[0]).toEqual({ text: '<unk>', score: 0, type: 'unknown' })
  expect(pieces[1]).toEqual({ text: '<s>', score: 0, type: 'control' })
  expect(pieces.map(({ type }) => type)).toEqual(expect.arrayContaining(['control', 'user-defined', 'byte', 'normal']))
  expect(trainer).toMatchObject({ modelType: 'bpe', byteFallback: true, treatWhitespaceAsSuffix: false })
  expect(trainer).toMatchObject({ unknown: { id: 0, piece: '<unk>' }, bos: { id: 1, piece: '<s>' }, pad: { id: -1, piece: '<pad>' } })
  expect(normalizer).toMatchObject({ name: 'identity', addDummyPrefix: true, removeExtraWhitespaces: false, escapeWhitespaces: true })
})

test("missing fields have the schema's defaults", () => {
  const { pieces, trainer, normalizer } = readModel(encode(unknown + letter), 'small.model')
  expect(pieces).toEqual([
    { text: '<unk>', score: 0, type: 'unknown' },
    { text: 'a', score: 0, type: 'normal' },
  ])
  expect(trainer).toMatchObject({ modelType: 'unigram', byteFallback: false, bos: { id: 1, piece: '<s>' }, eos: { id: 2, piece: '</s>' } })
  expect(normalizer).toMatchObject({ addDummyPrefix: true, removeExtraWhitespaces: true, escapeWhitespaces: true })
})

test('a byte order mark is a piece like others, and fields from later versions are skipped', () => {
  const skipped = '\x1d\0\0\0\0\x19\0\0\0\0\0\0\0\0' // field 3 with 4 and with 8 bytes, inside a piece's unknown field 15
  expect(readModel(encode(`${unknown}\n\x05\n\x03\ufeff${letter}`), 'x').pieces[1]!.text).toBe('\ufeff')
  expect(readModel(encode(`${unknown}\n\x13\n\x01a\x7a\x0e${skipped}`), 'x').pieces[1]!.text).toBe('a')
})

describe('an unusable file is refused with the problem and a fix', () => {
  const cases: { name: string; bytes: Uint8Array; problem: string; fix?: string }[] = [
    { name: 'empty', bytes: encode(''), problem: 'it is empty' },
    { name: 'cut off', bytes: llama.subarray(0, 5000), problem: 'it ends in the middle of a field' },
    { name: 'cut off in a number', bytes: encode(`${unknown}${letter}\x80`), problem: 'it ends in the middle of a field' },
    { name: 'no pieces', bytes: encode('\x12\x02\x18\x02'), problem: 'it has no pieces' },
    { name: 'JSON', bytes: encode('{"model": {}}'), problem: 'it is JSON', fix: 'read it as a tokenizer.json' },
    { name: 'a web page', bytes: encode('<!doctype html>'), problem: 'it is a web page', fix: 'download the file itself' },
    {
      name: 'a Git LFS pointer',
      bytes: encode('version https://git-lfs.github.com/spec/v1\noid sha256:9e55\nsize 499723\n'),
      problem: 'it is a Git LFS pointer, not the file itself',
      fix: 'run git lfs pull',
    },
    { name: 'other text', bytes: encode('hello, this is not a model'), problem: 'it is not protobuf (a field of wire type 4)' },
    { name: 'a wire type that does not exist', bytes: encode('\x0f'), problem: 'it is not protobuf (a field of wire type 7)' },
    { name: 'a field without a number', bytes: encode('\0\0'), problem: 'it is not protobuf (a field without a number)' },
    {
      name: 'an endless number',
      bytes: Uint8Array.from([8, ...Array(11).fill(0xff), 1]),
      problem: 'it is not protobuf (a number of more than ten bytes)',
    },
    { name: 'a huge length', bytes: Uint8Array.from([10, 0xff, 0xff, 0xff, 0xff, 0x7f]), problem: 'it ends in the middle of a field' },
    {
      name: 'pieces as numbers',
      bytes: encode('\x08\x01'),
      problem: 'it is not a sentencepiece model ("pieces" has the wire type varint)',
    },
    {
      name: 'a score as text',
      bytes: encode('\n\x03\x12\x01a'),
      problem: 'it is not a sentencepiece model ("score" has the wire type bytes)',
    },
    { name: 'a piece type from nowhere', bytes: encode(`${unknown}\n\x05\n\x01a\x18\t`), problem: 'piece 1 is of the unknown type 9' },
    { name: 'a piece that is not UTF-8', bytes: Uint8Array.from([10, 3, 10, 1, 0xff]), problem: '"piece" is not UTF-8' },
    {
      name: 'a word model',
      bytes: encode(`${unknown}${letter}\x12\x02\x18\x03`),
      problem: 'it is a model of type word',
      fix: 'use a unigram',
    },
    {
      name: 'a character model',
      bytes: encode(`${unknown}${letter}\x12\x02\x18\x04`),
      problem: 'it is a model of type char',
      fix: 'use a unigram',
    },
    { name: 'nothing for unknown characters', bytes: encode(letter), problem: 'it has 0 pieces for what is unknown, not one' },
    { name: 'only the unknown piece', bytes: encode(unknown), problem: 'it has no pieces that text could become' },
    { name: 'a piece twice', bytes: encode(unknown + letter + letter), problem: 'pieces 1 and 2 are the same: "a"' },
    { name: 'an empty piece', bytes: encode(`${unknown}\n\x02\n\0`), problem: 'piece 1 is empty' },
    {
      name: 'a byte without byte fallback',
      bytes: encode(`${unknown}${letter}\n\n\n\x06<0x41>\x18\x06`),
      problem: 'piece 2 is a byte, but the model has no byte fallback',
    },
    {
      name: 'byte fallback without bytes',
      bytes: Uint8Array.from([...encode(unknown + letter), 0x12, 3, 0x98, 2, 1]),
      problem: 'it has byte fallback, but no piece for byte 0',
    },
    {
      name: 'a damaged charsmap',
      bytes: encode(`${unknown}${letter}\x1a\x09\x12\x07\x7f\x7f\0\0abc`),
      problem: 'its precompiled charsmap is damaged',
    },
  ]
  for (const { name, bytes, problem, fix = 'get the file again' } of cases) {
    test(name, () => {
      const error = errorOf(() => readSentencePiece(bytes, 'folder/tokenizer.model'))
      expect(error).toMatchObject({ code: 'bad-tokenizer', where: 'folder/tokenizer.model', problem })
      expect(error.fix).toContain(fix)
    })
  }

  test('a truncated file is refused or read, and never throws anything else', () => {
    for (let length = 0; length < llama.length; length += 37) {
      try {
        readSentencePiece(llama.subarray(0, length), 'x')
      } catch (error) {
        expect(error).toBeInstanceOf(PromptError)
      }
    }
  })
})

function errorOf(run: () => unknown): PromptError {
  try {
    run()
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
