import { productsCode } from './products-code.ts'

/**
 * Products of each row of `x` with each row of `w`: `out[i][j]` is the sum of `x[i][k] * w[j][k]`. Offsets, strides ("apart") and the
 * length of a row are in bytes; columns are a multiple of 4, and the length of a row is a multiple of 16. The summation order does not
 * depend on the number of rows.
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

/** The part of WebAssembly that is used here: Node's types do not declare it, and the DOM's declare too much else. */
type WebAssemblyLike = {
  Memory: new (size: { initial: number }) => WebAssemblyMemory
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>
}

type WebAssemblyMemory = { readonly buffer: ArrayBuffer }

const pageBytes = 65_536

/**
 * A memory of the given number of values, and SIMD products over it, four values at a time, which WebAssembly has and JavaScript lacks.
 *
 * @example
 * const { floats, products } = await loadProducts(40)
 * floats.set([1, 2, 3, 4])
 * floats.set([1, 1, 1, 1], 4)
 * products(0, 16, 1, 16, 16, 4, 16, 80, 16)
 * floats[20] // => 10
 */
export async function loadProducts(size: number): Promise<{ floats: Float32Array; products: Products }> {
  // The core is compiled without the DOM's types, which declare WebAssembly.
  const { Memory, instantiate } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly
  const memory = new Memory({ initial: Math.ceil((size * 4) / pageBytes) })
  const code = Uint8Array.from(atob(productsCode), (character) => character.charCodeAt(0))
  const { instance } = await instantiate(code, { rolecall: { memory } })
  return { floats: new Float32Array(memory.buffer), products: instance.exports.products as Products }
}
