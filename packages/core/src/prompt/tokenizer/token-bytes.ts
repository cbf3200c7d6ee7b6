type TokenBytesOptions = {
  /** Tokens whose text is literal: added tokens. */
  isVerbatim: (id: number) => boolean
  /** Each character of a token encodes a byte, as in GPT-2's vocabulary. */
  isByteLevel: boolean
  /** `<0x0A>` encodes a byte of a character that the vocabulary lacks. */
  hasByteTokens: boolean
}

/** The UTF-8 of each token of a vocabulary, computed on first use. */
export function tokenBytes(textOf: (id: number) => string | undefined, options: TokenBytesOptions): (id: number) => Uint8Array {
  const known = new Map<number, Uint8Array>()
  return (id) => {
    let bytes = known.get(id)
    if (!bytes) {
      const text = textOf(id)
      bytes = text === undefined ? new Uint8Array() : readBytes(text, id, options)
      known.set(id, bytes)
    }
    return bytes
  }
}

function readBytes(text: string, id: number, { isVerbatim, isByteLevel, hasByteTokens }: TokenBytesOptions): Uint8Array {
  if (isVerbatim(id)) return utf8.encode(text)
  if (isByteLevel) {
    const bytes = Array.from(text, (character) => byteOfCharacter.get(character))
    return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : utf8.encode(text)
  }
  const byte = hasByteTokens ? /^<0x([0-9A-F]{2})>$/.exec(text) : null
  return byte ? Uint8Array.of(Number.parseInt(byte[1]!, 16)) : utf8.encode(text.replaceAll('▁', ' '))
}

const utf8 = new TextEncoder()

/** GPT-2 writes bytes as characters: printable ones as they are, the others from U+0100 on. */
const byteOfCharacter: ReadonlyMap<string, number> = new Map(
  (() => {
    const isPrintable = (byte: number) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae
    let next = 0x100
    return Array.from({ length: 256 }, (_, byte): [string, number] => [String.fromCharCode(isPrintable(byte) ? byte : next++), byte])
  })(),
)
