import { PythonError } from '../python-error.ts'
import { notUnderstood } from '../syntax/import-error.ts'
import { asciiOnly, stringRepr } from '../values/strings.ts'
import type { Value } from '../values/value.ts'
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
  const bytes = new TextEncoder().encode(text)
  if (name === 'ascii' && bytes.some((byte) => byte > 127))
    throw new PythonError('UnicodeEncodeError', "'ascii' codec can't encode characters: ordinal not in range(128)")
  if (/[\uD800-\uDFFF]/u.test(text))
    throw new PythonError('UnicodeEncodeError', "'utf-8' codec can't encode characters: surrogates not allowed")
  return new BytesValue(bytes)
}

function decoded(session: Session, bytes: Uint8Array, encoding: Value | undefined): Value {
  encodingOf(session, encoding)
  try {
    return session.made(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new PythonError('UnicodeDecodeError', "'utf-8' codec can't decode bytes: invalid start byte")
  }
}

function encodingOf(session: Session, encoding: Value | undefined): 'utf-8' | 'ascii' {
  const name = typeof encoding === 'string' ? encoding.toLowerCase().replace('_', '-') : 'utf-8'
  if (name === 'utf-8' || name === 'utf8') return 'utf-8'
  if (name === 'ascii') return 'ascii'
  throw notUnderstood(session.at, `the encoding "${name}"`, 'use utf-8')
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
