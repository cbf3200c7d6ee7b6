/** Where each token of a text starts and ends, and which hold only part of a character. */
export type Offsets = { starts: number[]; ends: number[]; partial: Set<number> }

/** Byte-level tokens: each of their characters encodes one byte of the text. */
export function byteLevelOffsets(tokens: readonly string[], text: string): Offsets | undefined {
  if (isAscii.test(text)) return lengthOffsets(tokens, text.length)
  const { starts: byteStarts, ends: byteEnds } = bytesOfCharacters(text)
  let at = 0
  const offsets: Offsets = { starts: [], ends: [], partial: new Set() }
  for (const [index, token] of tokens.entries()) {
    const end = at + token.length
    if (end > byteStarts.length) return undefined
    offsets.starts.push(byteStarts[at]!)
    offsets.ends.push(byteEnds[end - 1]!)
    const cutsBefore = at > 0 && byteStarts[at] === byteStarts[at - 1]
    const cutsAfter = end < byteStarts.length && byteStarts[end] === byteStarts[end - 1]
    if (cutsBefore || cutsAfter) offsets.partial.add(index)
    at = end
  }
  return at === byteStarts.length ? offsets : undefined
}

const isAscii = /^[\u0000-\u007f]*$/

/** Where bytes are characters, tokens are as long as the text they cover. */
function lengthOffsets(tokens: readonly string[], length: number): Offsets | undefined {
  const offsets: Offsets = { starts: [], ends: [], partial: new Set() }
  let at = 0
  for (const token of tokens) {
    offsets.starts.push(at)
    at += token.length
    offsets.ends.push(at)
  }
  return at === length ? offsets : undefined
}

/** SentencePiece-like tokens: their own characters, or `<0x0A>` for a byte of a character that the vocabulary lacks. */
export function characterOffsets(tokens: readonly string[], text: string, bytesOfToken: (token: string) => boolean): Offsets | undefined {
  const offsets: Offsets = { starts: [], ends: [], partial: new Set() }
  let at = 0
  let bytesLeft = 0
  let characterEnd = 0
  for (const [index, token] of tokens.entries()) {
    if (bytesOfToken(token) && !text.startsWith(token, at)) {
      if (bytesLeft === 0) {
        const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
        bytesLeft = utf8Length(character)
        characterEnd = at + character.length
      }
      offsets.starts.push(at)
      offsets.ends.push(characterEnd)
      if (utf8Length(text.slice(at, characterEnd)) > 1) offsets.partial.add(index)
      if (--bytesLeft === 0) at = characterEnd
      continue
    }
    if (bytesLeft > 0 || !text.startsWith(token, at)) return undefined
    offsets.starts.push(at)
    at += token.length
    offsets.ends.push(at)
  }
  return at === text.length && bytesLeft === 0 ? offsets : undefined
}

function bytesOfCharacters(text: string): { starts: number[]; ends: number[] } {
  const starts: number[] = []
  const ends: number[] = []
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    const units = code > 0xffff ? 2 : 1
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    for (let byte = 0; byte < bytes; byte++) {
      starts.push(at)
      ends.push(at + units)
    }
    at += units
  }
  return { starts, ends }
}

function utf8Length(text: string): number {
  let length = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return length
}
