import { innerProduct, type VectorTable } from './vector-table.ts'

/** Rows per block: two blocks fit in the processor's cache. */
const blockRows = 64

/**
 * For each row the rows with the highest cosine similarity, including itself, in ascending order; ties rank the later row
 * higher. Every two rows are compared once, in blocks. It yields the progress in rows, so that the caller
 * can report it and yield to the event loop.
 */
export function* nearestRows(table: VectorTable, count: number): Generator<number, Int32Array[]> {
  const { count: total } = table
  const lengths = Float64Array.from({ length: total }, (_, id) => Math.sqrt(innerProduct(table.row(id), table.row(id))) || 1)
  const lists = new NearestLists(total, Math.min(count, total))
  const blocks = Math.ceil(total / blockRows)
  const steps = (blocks * (blocks + 1)) / 2
  let done = 0
  for (let first = 0; first < total; first += blockRows) {
    for (let second = first; second < total; second += blockRows) {
      compareBlocks(table, lengths, lists, first, second)
      yield Math.floor((total * ++done) / steps)
    }
  }
  return Array.from({ length: total }, (_, id) => lists.of(id))
}

function compareBlocks(table: VectorTable, lengths: Float64Array, lists: NearestLists, first: number, second: number): void {
  const [firstEnd, secondEnd] = [Math.min(first + blockRows, table.count), Math.min(second + blockRows, table.count)]
  const products = new Float64Array(16)
  for (let a = first; a < firstEnd; a += 4) {
    for (let b = first === second ? a : second; b < secondEnd; b += 4) {
      multiply(table, a, b, products)
      for (let row = a; row < Math.min(a + 4, firstEnd); row++) {
        for (let other = Math.max(b, row); other < Math.min(b + 4, secondEnd); other++) {
          const product = products[(row - a) * 4 + other - b]!
          // Divided in the order of the reference, which affects the last bit.
          lists.offer(row, other, product / lengths[other]! / lengths[row]!)
          if (other !== row) lists.offer(other, row, product / lengths[row]! / lengths[other]!)
        }
      }
    }
  }
}

/** The inner products of four rows with four others. Products of rows beyond the last are ignored. */
function multiply({ values, size }: VectorTable, a: number, b: number, products: Float64Array): void {
  const [a0, a1, a2, a3] = [a * size, (a + 1) * size, (a + 2) * size, (a + 3) * size]
  for (let column = 0; column < 4; column += 2) {
    let [p00, p01, p10, p11, p20, p21, p30, p31] = [0, 0, 0, 0, 0, 0, 0, 0]
    const [b0, b1] = [(b + column) * size, (b + column + 1) * size]
    for (let index = 0; index < size; index++) {
      const x = values[b0 + index]!
      const y = values[b1 + index]!
      const w0 = values[a0 + index]!
      const w1 = values[a1 + index]!
      const w2 = values[a2 + index]!
      const w3 = values[a3 + index]!
      p00 += w0 * x
      p01 += w0 * y
      p10 += w1 * x
      p11 += w1 * y
      p20 += w2 * x
      p21 += w2 * y
      p30 += w3 * x
      p31 += w3 * y
    }
    products[column] = p00
    products[column + 1] = p01
    products[4 + column] = p10
    products[5 + column] = p11
    products[8 + column] = p20
    products[9 + column] = p21
    products[12 + column] = p30
    products[13 + column] = p31
  }
}

/** The nearest rows of every row so far, each list in ascending order. */
class NearestLists {
  readonly #most: number
  readonly #ids: Int32Array
  readonly #scores: Float64Array
  readonly #sizes: Int32Array

  constructor(rows: number, most: number) {
    this.#most = most
    this.#ids = new Int32Array(rows * most)
    this.#scores = new Float64Array(rows * most)
    this.#sizes = new Int32Array(rows)
  }

  offer(row: number, id: number, score: number): void {
    const [ids, scores, start] = [this.#ids, this.#scores, row * this.#most]
    let size = this.#sizes[row]!
    const isNearer = (place: number) => score > scores[place]! || (score === scores[place]! && id > ids[place]!)
    if (size === this.#most) {
      if (size === 0 || !isNearer(start)) return
      // Drops the lowest: entries below the new one move down.
      let place = start
      for (; place + 1 < start + size && isNearer(place + 1); place++) {
        ids[place] = ids[place + 1]!
        scores[place] = scores[place + 1]!
      }
      ids[place] = id
      scores[place] = score
      return
    }
    let place = start + size
    for (; place > start && !isNearer(place - 1); place--) {
      ids[place] = ids[place - 1]!
      scores[place] = scores[place - 1]!
    }
    ids[place] = id
    scores[place] = score
    this.#sizes[row] = ++size
  }

  of(row: number): Int32Array {
    const start = row * this.#most
    return this.#ids.subarray(start, start + this.#sizes[row]!)
  }
}
