/** Several conversations in one row of bounded length, with the range of each. */
export type PackedRow = {
  ids: number[]
  mask: (0 | 1)[]
  /** Set if a conversation has weights. */
  weights?: number[]
  documents: [start: number, end: number][]
  rows: number[]
}

/** A conversation to pack. */
export type PackedPart = { ids: readonly number[]; mask: readonly (0 | 1)[]; weights?: readonly number[]; number: number }

/** Packs conversations in order while they fit; none is truncated. */
export class Packer {
  readonly #length: number
  #open: PackedRow | undefined

  constructor(length: number) {
    this.#length = length
  }

  /** Adds a conversation; returns the row it completed, if any. */
  add({ ids, mask, weights, number }: PackedPart): PackedRow | undefined {
    const full = this.#open && this.#open.ids.length + ids.length > this.#length ? this.end() : undefined
    const open: PackedRow = this.#open ?? { ids: [], mask: [], documents: [], rows: [] }
    open.documents.push([open.ids.length, open.ids.length + ids.length])
    open.rows.push(number)
    if (weights) open.weights ??= open.mask.map(Number)
    if (open.weights) for (const one of weights ?? mask) open.weights.push(one)
    for (const id of ids) open.ids.push(id)
    for (const one of mask) open.mask.push(one)
    this.#open = open
    return full
  }

  /** The current partial row. */
  end(): PackedRow | undefined {
    const open = this.#open
    this.#open = undefined
    return open
  }
}
