import { PromptError } from '@rolecall/core/internal/errors'

/** Rows or questions as vectors. */
export type Vectors = readonly (readonly number[])[]

/**
 * Vectors of one size, contiguous in memory. Inner products are computed four rows at a time; each is summed
 * in order, so that it equals a separately computed one to the last bit.
 */
export class VectorTable {
  readonly count: number
  readonly size: number
  readonly values: Float64Array

  constructor(vectors: Vectors, where = 'embeddings') {
    this.count = vectors.length
    this.size = vectors[0]?.length ?? 0
    // Three empty rows at the end, since rows are multiplied four at a time.
    this.values = new Float64Array((this.count + 3) * this.size)
    for (const [id, vector] of vectors.entries()) {
      if (vector.length !== this.size) throw otherSize(where, vector.length, this.size)
      this.values.set(vector, id * this.size)
    }
  }

  row(id: number): Float64Array {
    return this.values.subarray(id * this.size, (id + 1) * this.size)
  }

  /** The inner product of every row with a question. */
  products(query: readonly number[], where = 'embeddings'): Float64Array {
    const { values, size, count } = this
    if (count > 0 && query.length !== size) throw otherSize(where, query.length, size)
    const question = Float64Array.from(query)
    const products = new Float64Array(count)
    let id = 0
    for (; id + 4 <= count; id += 4) {
      let [a, b, c, d] = [id * size, (id + 1) * size, (id + 2) * size, (id + 3) * size]
      let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
      for (let index = 0; index < size; index++) {
        const value = question[index]!
        sumA += values[a++]! * value
        sumB += values[b++]! * value
        sumC += values[c++]! * value
        sumD += values[d++]! * value
      }
      products[id] = sumA
      products[id + 1] = sumB
      products[id + 2] = sumC
      products[id + 3] = sumD
    }
    for (; id < count; id++) products[id] = innerProduct(this.row(id), question)
    return products
  }
}

export function innerProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}

function otherSize(where: string, size: number, other: number): PromptError {
  return new PromptError('wrong-embeddings', {
    where,
    problem: `one embedding has ${size} numbers, but another has ${other}`,
    fix: 'use one embedding model for all texts',
  })
}
