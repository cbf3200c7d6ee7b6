/** A table of a FlatBuffer: fields by number, each with a default where it is left out. @see https://flatbuffers.dev/internals/ */
export class FlatTable {
  readonly #view: DataView
  readonly #at: number

  constructor(view: DataView, at: number) {
    this.#view = view
    this.#at = at
  }

  /** The table at the start of a buffer. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return new FlatTable(view, view.getUint32(0, true))
  }

  /** Where a field is; 0 if it is left out. */
  #field(number: number): number {
    const table = this.#at - this.#view.getInt32(this.#at, true)
    const slot = 4 + 2 * number
    if (slot >= this.#view.getUint16(table, true)) return 0
    const offset = this.#view.getUint16(table + slot, true)
    return offset === 0 ? 0 : this.#at + offset
  }

  uint8(number: number, otherwise = 0): number {
    const at = this.#field(number)
    return at === 0 ? otherwise : this.#view.getUint8(at)
  }

  int16(number: number, otherwise = 0): number {
    const at = this.#field(number)
    return at === 0 ? otherwise : this.#view.getInt16(at, true)
  }

  int32(number: number, otherwise = 0): number {
    const at = this.#field(number)
    return at === 0 ? otherwise : this.#view.getInt32(at, true)
  }

  int64(number: number, otherwise = 0): number {
    const at = this.#field(number)
    return at === 0 ? otherwise : Number(this.#view.getBigInt64(at, true))
  }

  text(number: number): string {
    const at = this.#field(number)
    if (at === 0) return ''
    const start = at + this.#view.getUint32(at, true)
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + start + 4, this.#view.getUint32(start, true)))
  }

  table(number: number): FlatTable | undefined {
    const at = this.#field(number)
    return at === 0 ? undefined : new FlatTable(this.#view, at + this.#view.getUint32(at, true))
  }

  tables(number: number): FlatTable[] {
    return this.#vector(number, 4, (at) => new FlatTable(this.#view, at + this.#view.getUint32(at, true)))
  }

  /** A vector of structs of two 64-bit numbers. */
  pairs(number: number): [number, number][] {
    return this.#vector(number, 16, (at) => [Number(this.#view.getBigInt64(at, true)), Number(this.#view.getBigInt64(at + 8, true))])
  }

  #vector<Item>(number: number, size: number, read: (at: number) => Item): Item[] {
    const at = this.#field(number)
    if (at === 0) return []
    const start = at + this.#view.getUint32(at, true)
    return Array.from({ length: this.#view.getUint32(start, true) }, (_, index) => read(start + 4 + size * index))
  }
}
