import { productsCode } from './products-code.ts'

/**
 * Products of each row of `x` with each row of `w`: `out[i][j]` is the sum of `x[i][k] * w[j][k]`. Places, distances between rows
 * ("apart") and the length of a row are counted in bytes; columns are a multiple of 4, and the length of a row is one of 16. A sum has the
 * same order whatever the number of rows.
 */
export type Products = (
  x: number,
  xApart: number,
  rows: number,
  w: number,
  wApart: number,
  columns: number,
  length: number,
  out: number,
  outApart: number,
) => void

/** The products over a memory, four at a time: JavaScript has no such instruction, WebAssembly has. */
export async function loadProducts(memory: WebAssembly.Memory): Promise<Products> {
  const code = Uint8Array.from(atob(productsCode), (character) => character.charCodeAt(0))
  const { instance } = await WebAssembly.instantiate(code, { rolecall: { memory } })
  return instance.exports.products as Products
}
