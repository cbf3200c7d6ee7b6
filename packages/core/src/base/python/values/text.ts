import { control, type Source, slicePieces, type TextPiece } from '../../text/index.ts'
import { checkItems, checkLength, maxTextLength, touchCharacters } from '../python-limits.ts'
import { codePointWidth, hasPairs } from './strings.ts'

/** Where a string of the input comes from, and how a stretch of it becomes a piece. */
export type TextSource = { pieceOf(text: string, offset: number): TextPiece }

/**
 * A string that knows who wrote which part of it. In a render with origins, strings of the input are `Text`s, and a plain
 * JavaScript string is one that the template wrote itself; in a render without origins there are only plain strings.
 */
export class Text {
  #pieces: readonly TextPiece[] | undefined
  readonly place: TextSource | undefined
  readonly offset: number

  private constructor(
    readonly value: string,
    pieces: readonly TextPiece[] | undefined,
    place: TextSource | undefined,
    offset: number,
  ) {
    this.#pieces = pieces
    this.place = place
    this.offset = offset
  }

  static of(value: string, pieces: readonly TextPiece[]): Text {
    return new Text(value, pieces, undefined, 0)
  }

  /** A stretch of the input. Its piece is created lazily, since most strings are only compared. */
  static at(place: TextSource, value: string, offset = 0): Text {
    return new Text(value, undefined, place, offset)
  }

  get pieces(): readonly TextPiece[] {
    this.#pieces ??= this.value === '' ? [] : [this.place!.pieceOf(this.value, this.offset)]
    return this.#pieces
  }
}

/** A Python `str`. */
export type Str = string | Text

/** The source of text that the template itself wrote. */
export const templateSource: Source = { by: 'format', path: 'chat_template' }

export function plainText(text: Str): string {
  return typeof text === 'string' ? text : text.value
}

export function piecesOf(text: Str): readonly TextPiece[] {
  if (typeof text !== 'string') return text.pieces
  return text === '' ? [] : [control(text, templateSource)]
}

/** A slice by UTF-16 offsets that keeps origins. */
export function sliceText(text: Str, start: number, end: number = plainText(text).length): Str {
  if (typeof text === 'string') return text.slice(start, end)
  if (start === 0 && end === text.value.length) return text
  const value = text.value.slice(start, end)
  if (text.place !== undefined) return Text.at(text.place, value, text.offset + start)
  return Text.of(value, start < end ? slicePieces(text.pieces, start, end) : [])
}

export function joinTexts(texts: readonly Str[]): Str {
  const sink = new Sink()
  for (const text of texts) sink.add(text)
  return sink.result()
}

/** The text with each piece rewritten separately, for context-free changes such as escaping. */
export function mapText(text: Str, change: (part: string) => string): Str {
  if (typeof text === 'string') return change(text)
  if (text.place !== undefined) {
    const changed = change(text.value)
    return changed === text.value ? text : Text.of(changed, changed === '' ? [] : [{ ...text.pieces[0]!, text: changed }])
  }
  const pieces = text.pieces.map((piece) => {
    const changed = change(piece.text)
    return changed === piece.text ? piece : { ...piece, text: changed }
  })
  return Text.of(
    pieces.reduce((whole, piece) => whole + piece.text, ''),
    pieces,
  )
}

/**
 * A text that was made from others in a way that mixes them: it is control text only if all of them are, and comes from
 * the first of them that is not.
 */
export function blendText(result: string, ...from: readonly Str[]): Str {
  const pieces = from.flatMap((text) => (typeof text === 'string' ? [] : text.pieces))
  if (pieces.length === 0) return result
  const { control: isControl, source } = pieces.find((piece) => !piece.control) ?? pieces[0]!
  const { span: _, ...place } = source
  return Text.of(result, result === '' ? [] : [{ text: result, control: isControl, source: place }])
}

/** Collects text. Without origins it is one growing string; a first `Text` makes it collect pieces. */
export class Sink {
  /** The text that the template wrote since the last piece. */
  text = ''
  /** The number of characters in the pieces before it. */
  before = 0
  #pieces: TextPiece[] | undefined

  /** `limit`: how many characters `checkLength` allows; a single value of a template has a bound, plain data has none. */
  constructor(readonly limit = maxTextLength) {}

  checkLength(): void {
    if (this.before + this.text.length > this.limit) checkLength(this.length, this.limit)
  }

  add(text: Str): void {
    if (typeof text === 'string') this.text += text
    else this.addText(text)
  }

  addText({ value, pieces }: Text): void {
    this.#pieces ??= []
    if (this.text !== '') this.#flush()
    this.before += value.length
    for (const piece of pieces) this.#pieces.push(piece)
  }

  get length(): number {
    return this.before + this.text.length
  }

  result(): Str {
    if (this.#pieces === undefined) return this.text
    this.#flush()
    return Text.of(
      this.#pieces.reduce((whole, piece) => whole + piece.text, ''),
      this.#pieces,
    )
  }

  #flush(): void {
    if (this.text === '') return
    this.#pieces!.push(control(this.text, templateSource))
    this.before += this.text.length
    this.text = ''
  }
}

/** Its characters, with their origins. */
export function charactersOf(text: Str): Str[] {
  const { length } = plainText(text)
  touchCharacters(length >> 1)
  checkItems(length)
  if (typeof text === 'string') return hasPairs(text) ? [...text] : text.split('')
  const value = plainText(text)
  const characters: Str[] = []
  for (let at = 0; at < value.length; ) {
    const end = at + codePointWidth(value, at)
    characters.push(sliceText(text, at, end))
    at = end
  }
  return characters
}
