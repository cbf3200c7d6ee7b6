import { expect, test } from 'vitest'
import { seededRandom } from '../../../model/language-model/sampling.ts'
import { nearestRows } from './nearest-rows.ts'
import { innerProduct, VectorTable } from './vector-table.ts'

/** Row by row, as the reference does it. */
function oneByOne(rows: readonly (readonly number[])[], count: number): number[][] {
  const lengths = rows.map((row) => Math.sqrt(innerProduct(row, row)) || 1)
  return rows.map((row, id) => {
    const scores = rows.map((other, place) => innerProduct(other, row) / lengths[place]! / lengths[id]!)
    return scores
      .map((_, place) => place)
      .sort((a, b) => scores[a]! - scores[b]! || a - b)
      .slice(-count)
  })
}

test('rows compared in blocks have the same neighbours as row by row, also if rows are equal or empty', () => {
  const random = seededRandom(3)
  for (const total of [1, 2, 3, 5, 63, 64, 65, 130, 197]) {
    // Few distinct numbers produce many equal rows, and some all-zero rows.
    for (const draw of [() => random() - 0.5, () => Math.floor(random() * 2)]) {
      const rows = Array.from({ length: total }, () => Array.from({ length: 5 }, draw))
      const steps = [...stepsOf(nearestRows(new VectorTable(rows), 6))]
      expect(steps.at(-1)).toEqual(oneByOne(rows, 6))
      expect(steps.at(-2) ?? total).toBe(total)
    }
  }
})

function* stepsOf(steps: Generator<number, Int32Array[]>): Generator<number | number[][]> {
  for (;;) {
    const { value, done } = steps.next()
    if (!done) yield value
    else {
      yield value.map((one) => [...one])
      return
    }
  }
}

test('vectors of different sizes are refused', () => {
  expect(() => new VectorTable([[1, 2], [1]], 'd › embeddings')).toThrow('d › embeddings: one embedding has 1 numbers, but another has 2')
})
