import type { Value } from '@rolecall/core/internal/python'
import { asciiOnly, notUnderstood, PythonError, stringRepr } from '@rolecall/core/internal/python'
import { native } from './modules/define-module.ts'
import type { Session } from './session.ts'
import { NativeObject } from './values.ts'

/** `bytes`, as far as functions count and decode them. */
export class BytesValue extends NativeObject {
  readonly typeName = 'bytes'

  constructor(readonly bytes: Uint8Array) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    if (name === 'decode') return native("decode(encoding='utf-8')", (own, [encoding]) => decoded(own, this.bytes, encoding))
    if (name === 'hex') return native('hex()', (own) => own.made(hexOf(this.bytes)))
    throw notUnderstood(session.at, `bytes.${name}`, 'work on the text instead')
  }

  override show(): string {
    return `b${asciiOnly(stringRepr(Array.from(this.bytes, (byte) => String.fromCharCode(byte)).join('')))}`
  }

  override items(session: Session): readonly Value[] {
    session.step(this.bytes.length)
    return [...this.bytes]
  }
}

/** `text.encode(…)`. */
export function encoded(session: Session, text: string, encoding: Value | undefined): Value {
  session.step(text.length)
  const name = encodingOf(session, encoding)
  if (name !== 'utf-8') return new BytesValue(oneByteEach(text, name))
  if (/[\uD800-\uDFFF]/u.test(text))
    throw new PythonError('UnicodeEncodeError', "'utf-8' codec can't encode characters: surrogates not allowed")
  return new BytesValue(new TextEncoder().encode(text))
}

/** How many characters the encodings of one byte each have. */
const sizes = { ascii: 128, 'latin-1': 256 }

function oneByteEach(text: string, name: keyof typeof sizes): Uint8Array {
  const codes = Array.from(text, (character) => character.codePointAt(0)!)
  if (codes.every((code) => code < sizes[name])) return Uint8Array.from(codes)
  throw new PythonError('UnicodeEncodeError', `'${name}' codec can't encode characters: ordinal not in range(${sizes[name]})`)
}

function decoded(session: Session, bytes: Uint8Array, encoding: Value | undefined): Value {
  const name = encodingOf(session, encoding)
  if (name === 'ascii' && bytes.some((byte) => byte >= sizes.ascii))
    throw new PythonError('UnicodeDecodeError', "'ascii' codec can't decode bytes: ordinal not in range(128)")
  if (name === 'latin-1') return session.made(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  try {
    return session.made(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new PythonError('UnicodeDecodeError', "'utf-8' codec can't decode bytes: invalid start byte")
  }
}

function encodingOf(session: Session, encoding: Value | undefined): 'utf-8' | keyof typeof sizes {
  const name = typeof encoding === 'string' ? encoding.toLowerCase().replaceAll('_', '-') : 'utf-8'
  if (name === 'utf-8' || name === 'utf8') return 'utf-8'
  if (name === 'ascii') return 'ascii'
  if (/^(?:latin-?1|iso-?8859-1|l1)$/.test(name)) return 'latin-1'
  throw notUnderstood(session.at, `the encoding "${name}"`, 'use utf-8')
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
