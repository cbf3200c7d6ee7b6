import { expect, test } from 'vitest'
import { mediaType } from './media-type.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const bitmap = 'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'.padEnd(58, '\0')

test.each([
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff\xdb'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['audio/wav', 'RIFF\0\0\0\0WAVEfmt '],
  ['image/bmp', bitmap],
  ['image/tiff', 'II*\0\x08\0\0\0\0\0'],
  ['image/tiff', 'MM\0*\0\0\0\x08\0\0'],
  ['audio/mpeg', 'ID3\x04\0\0\0\0\x02\x01'],
  ['audio/mpeg', '\xff\xfb\x90\x64'],
  ['audio/flac', 'fLaC\0\0\0"'],
  ['audio/ogg', 'OggS\0\x02'],
  ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf'],
  ['audio/mp4', '\0\0\0\x18ftypM4A \0\0\0\0isommp42'],
  ['video/mp4', '\0\0\0\x18ftypisom\0\0\0\0isommp42'],
  ['video/webm', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\x82\x84webm'],
  ['application/pdf', '%PDF-1.7\n'],
])('%s is known by its signature', (type, start) => expect(mediaType(bytes(start))).toBe(type))

test.each([
  'BM is what this text begins with, and it goes on for a while',
  'ID3 tags are described here, at some length',
  'ID3\x04 and on',
  '\x89PNG and text',
  'GIF8 and GIF9',
  'OggS is a format',
  'fLaC is a format too',
  '%PDF is a format, too',
  'abcdftypisom, said the text, which is longer',
  'AAAAxxxxWEBP',
  'II*\0\xff\xff\xff\xff',
  '',
])('a text that begins as media do is none: %j', (start) => expect(mediaType(bytes(start))).toBeUndefined())

test('a bitmap is no longer than its file', () => {
  expect(mediaType(bytes(bitmap.slice(0, 30)), 58)).toBe('image/bmp')
  expect(mediaType(bytes(bitmap.slice(0, 30)), 40)).toBeUndefined()
})
