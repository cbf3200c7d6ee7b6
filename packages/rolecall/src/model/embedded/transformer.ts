import { loadProducts, type Products } from './products.ts'
import { readSafetensors, type Tensors } from './safetensors.ts'

export type TransformerShape = {
  layers: number
  heads: number
  headSize: number
  /** The hidden size of a layer's feed-forward network. */
  inner: number
  vocabulary: number
  /** Maximum tokens of a text. */
  context: number
  /** Keeps the normalisation from dividing by 0. */
  epsilon: number
  /** The base of the rotary position embedding. */
  theta: number
}

/** Keys and values of a text's tokens, for each layer: the KV cache. */
export type Memory = { readonly length: number; readonly keys: Float32Array; readonly values: Float32Array }

/** A user of a shared network, notified when another user takes over. */
export type Holder = { leave(): void }

/** Maximum tokens per step. */
export const mostAtOnce = 64
/** Rows of attention that are computed together: later ones see more of the text, and all are as wide as the last. */
const attendedAtOnce = 16

/**
 * A Llama with int8 weights and float32 arithmetic: reads token ids after those of the text it holds, and returns the logits after each.
 * Every sum has a fixed order, so that the numbers are bit-identical however a text is split.
 */
export class Transformer {
  readonly shape: TransformerShape
  readonly #products: Products
  readonly #floats: Float32Array
  readonly #at: Layout
  readonly #cosines: Float64Array
  readonly #sines: Float64Array
  #holder: Holder | undefined
  #length = 0

  private constructor(products: Products, floats: Float32Array, at: Layout, shape: TransformerShape) {
    this.#products = products
    this.#floats = floats
    this.#at = at
    this.shape = shape
    const { context, headSize, theta } = shape
    const half = headSize / 2
    const angles = Float64Array.from({ length: context * half }, (_, index) => {
      const frequency = Math.fround(theta ** -((2 * (index % half)) / headSize))
      return Math.fround(Math.floor(index / half) * frequency)
    })
    this.#cosines = angles.map(Math.cos)
    this.#sines = angles.map(Math.sin)
  }

  /** From the bytes of a file of weights, `model.int8.safetensors`. */
  static async load(file: Uint8Array, shape: TransformerShape): Promise<Transformer> {
    const tensors = readSafetensors(file)
    const { at, size } = layoutOf(shape)
    const { floats, products } = await loadProducts(size)
    placeWeights(floats, at, shape, tensors)
    return new Transformer(products, floats, at, shape)
  }

  /** Gives the network to one of its users. The previous user is notified first, so that it can save its text. */
  lendTo(holder: Holder): void {
    if (this.#holder === holder) return
    this.#holder?.leave()
    this.#holder = holder
    this.#length = 0
  }

  /** The number of tokens of the current text. */
  get length(): number {
    return this.#length
  }

  /** Drops all but the first tokens. */
  shorten(length: number): void {
    this.#length = Math.min(length, this.#length)
  }

  /** A copy of the KV cache of the current text. */
  remember(): Memory {
    const length = this.#length
    const { layers, heads, headSize } = this.shape
    const keys = new Float32Array(layers * heads * length * headSize)
    const values = new Float32Array(layers * heads * headSize * length)
    this.#rowsOfMemory(length, keys, values, (kept, held) => kept.set(held))
    return { length, keys, values }
  }

  /** Restores the first tokens of a saved text. */
  restore({ length: all, keys, values }: Memory, length: number): void {
    this.#rowsOfMemory(all, keys, values, (kept, held) => held.set(kept.subarray(0, Math.min(kept.length, held.length))))
    this.#length = Math.min(length, all)
  }

  /** The saved keys and values of each head, with their place in memory. Values are stored by column: sums go over columns. */
  #rowsOfMemory(length: number, keys: Float32Array, values: Float32Array, copy: (kept: Float32Array, held: Float32Array) => void): void {
    const { layers, heads, headSize, context } = this.shape
    for (let head = 0; head < layers * heads; head++) {
      const start = this.#at.keys + head * context * headSize
      const size = length * headSize
      copy(keys.subarray(head * size, (head + 1) * size), this.#floats.subarray(start, start + size))
    }
    for (let row = 0; row < layers * heads * headSize; row++) {
      const start = this.#at.values + row * context
      copy(values.subarray(row * length, (row + 1) * length), this.#floats.subarray(start, start + length))
    }
  }

  /**
   * Reads at most `mostAtOnce` more tokens. Returns the logits after each, one row of `vocabulary` values per token, valid until the next
   * call.
   */
  read(ids: readonly number[]): Float32Array {
    const { layers, heads, headSize, inner, vocabulary } = this.shape
    const [rows, hidden] = [ids.length, heads * headSize]
    const at = this.#at
    for (const [row, id] of ids.entries()) {
      const from = at.embedding + id * hidden
      this.#floats.copyWithin(at.stream + row * hidden, from, from + hidden)
    }
    for (let layer = 0; layer < layers; layer++) {
      const weights = at.layers + layer * at.layerSize
      this.#normalise(weights + at.beforeAttention, rows)
      this.#linear(at.normal, hidden, rows, weights + at.queriesKeysValues, hidden, 3 * hidden, at.packed, 3 * hidden)
      this.#rotateAndKeep(layer, rows)
      this.#attend(layer, rows)
      this.#linear(at.mixed, hidden, rows, weights + at.attended, hidden, hidden, at.normal, hidden)
      this.#add(rows)
      this.#normalise(weights + at.beforeInner, rows)
      this.#linear(at.normal, hidden, rows, weights + at.gateAndUp, hidden, 2 * inner, at.packed, 2 * inner)
      this.#gate(rows)
      this.#linear(at.packed, 2 * inner, rows, weights + at.down, inner, hidden, at.normal, hidden)
      this.#add(rows)
    }
    this.#normalise(at.lastNorm, rows)
    this.#linear(at.normal, hidden, rows, at.embedding, hidden, vocabulary, at.logits, vocabulary)
    this.#length += rows
    return this.#floats.subarray(at.logits, at.logits + rows * vocabulary)
  }

  /** Multiplies each row of `x` (rows are `apart` values apart) by a matrix whose rows have `size` values. */
  #linear(x: number, apart: number, rows: number, matrix: number, size: number, columns: number, out: number, outApart: number): void {
    this.#products(x * 4, apart * 4, rows, matrix * 4, size * 4, columns, size * 4, out * 4, outApart * 4)
  }

  /** The input of a layer's next part: the residual stream, with each token's values normalised. */
  #normalise(weight: number, rows: number): void {
    const floats = this.#floats
    const { heads, headSize, epsilon } = this.shape
    const hidden = heads * headSize
    const { stream, normal } = this.#at
    for (let row = 0; row < rows * hidden; row += hidden) {
      let squares = 0
      for (let index = 0; index < hidden; index++) squares += floats[stream + row + index]! ** 2
      const scale = 1 / Math.sqrt(squares / hidden + epsilon)
      for (let index = 0; index < hidden; index++)
        floats[normal + row + index] = floats[stream + row + index]! * scale * floats[weight + index]!
    }
  }

  /** Adds the output of a layer's part to the residual stream. */
  #add(rows: number): void {
    const floats = this.#floats
    const { stream, normal } = this.#at
    const size = rows * this.shape.heads * this.shape.headSize
    for (let index = 0; index < size; index++) floats[stream + index] = floats[stream + index]! + floats[normal + index]!
  }

  /** Rotates queries and keys by the position of their token, and stores keys and values. */
  #rotateAndKeep(layer: number, rows: number): void {
    const { heads, headSize, context } = this.shape
    const { packed, keys, values } = this.#at
    const floats = this.#floats
    const hidden = heads * headSize
    for (let row = 0; row < rows; row++) {
      const place = this.#length + row
      for (let head = 0; head < heads; head++) {
        const query = packed + row * 3 * hidden + head * headSize
        this.#rotate(query, place)
        this.#rotate(query + hidden, place)
        const index = layer * heads + head
        floats.copyWithin(keys + (index * context + place) * headSize, query + hidden, query + hidden + headSize)
        const column = values + index * headSize * context + place
        for (let value = 0; value < headSize; value++) floats[column + value * context] = floats[query + 2 * hidden + value]!
      }
    }
  }

  #rotate(start: number, place: number): void {
    const floats = this.#floats
    const half = this.shape.headSize / 2
    for (let index = 0; index < half; index++) {
      const [cosine, sine] = [this.#cosines[place * half + index]!, this.#sines[place * half + index]!]
      const [left, right] = [floats[start + index]!, floats[start + half + index]!]
      floats[start + index] = left * cosine - right * sine
      floats[start + half + index] = right * cosine + left * sine
    }
  }

  /** For each token and head, the mean of the values so far, weighted by how well their keys fit the query. */
  #attend(layer: number, rows: number): void {
    const { heads, headSize, context } = this.shape
    const at = this.#at
    const hidden = heads * headSize
    for (let head = 0; head < heads; head++) {
      const index = layer * heads + head
      for (let first = 0; first < rows; first += attendedAtOnce) {
        const some = Math.min(attendedAtOnce, rows - first)
        // Products take four columns and four values at a time: padding has weight 0.
        const width = Math.ceil((this.#length + first + some) / 4) * 4
        const queries = at.packed + first * 3 * hidden + head * headSize
        this.#linear(queries, 3 * hidden, some, at.keys + index * context * headSize, headSize, width, at.weights, context)
        for (let row = 0; row < some; row++) this.#softmax(at.weights + row * context, this.#length + first + row + 1, width)
        this.#products(
          ...[at.weights * 4, context * 4, some, (at.values + index * headSize * context) * 4, context * 4, headSize, width * 4],
          ...([(at.mixed + first * hidden + head * headSize) * 4, hidden * 4] as const),
        )
      }
    }
  }

  /** Softmax of the first values; the others become 0. */
  #softmax(start: number, length: number, width: number): void {
    const floats = this.#floats
    let highest = Number.NEGATIVE_INFINITY
    for (let index = start; index < start + length; index++) if (floats[index]! > highest) highest = floats[index]!
    const scale = 1 / Math.sqrt(this.shape.headSize)
    let sum = 0
    for (let index = start; index < start + length; index++) {
      const weight = Math.exp((floats[index]! - highest) * scale)
      floats[index] = weight
      sum += weight
    }
    for (let index = start; index < start + length; index++) floats[index] = floats[index]! / sum
    floats.fill(0, start + length, start + width)
  }

  /** SiLU of the first half of the inner values, times the second half. */
  #gate(rows: number): void {
    const floats = this.#floats
    const { inner } = this.shape
    for (let row = 0; row < rows; row++) {
      const start = this.#at.packed + row * 2 * inner
      for (let index = start; index < start + inner; index++) {
        const gate = floats[index]!
        floats[index] = (gate / (1 + Math.exp(-gate))) * floats[index + inner]!
      }
    }
  }
}

type Layout = ReturnType<typeof layoutOf>['at']

/** The memory layout, in values. */
function layoutOf({ layers, heads, headSize, inner, vocabulary, context }: TransformerShape) {
  const hidden = heads * headSize
  const layer = places({
    beforeAttention: hidden,
    queriesKeysValues: 3 * hidden * hidden,
    attended: hidden * hidden,
    beforeInner: hidden,
    gateAndUp: 2 * inner * hidden,
    down: hidden * inner,
  })
  const whole = places({
    embedding: vocabulary * hidden,
    lastNorm: hidden,
    layers: layers * layer.size,
    keys: layers * heads * context * headSize,
    values: layers * heads * headSize * context,
    stream: mostAtOnce * hidden,
    normal: mostAtOnce * hidden,
    packed: mostAtOnce * Math.max(3 * hidden, 2 * inner),
    mixed: mostAtOnce * hidden,
    weights: attendedAtOnce * context,
    logits: mostAtOnce * vocabulary,
  })
  return { at: { ...whole.at, ...layer.at, layerSize: layer.size }, size: whole.size }
}

/** The offsets of consecutive parts. */
function places<Name extends string>(sizes: Record<Name, number>): { at: Record<Name, number>; size: number } {
  let size = 0
  const at = {} as Record<Name, number>
  for (const [name, values] of Object.entries(sizes) as [Name, number][]) {
    at[name] = size
    size += values
  }
  return { at, size }
}

function placeWeights(
  floats: Float32Array,
  at: Layout,
  { layers, heads, headSize, inner, vocabulary }: TransformerShape,
  tensors: Tensors,
) {
  const hidden = heads * headSize
  const matrix = (start: number, name: string, rows: number, columns: number) => {
    const numbers = tensors.read(name, 'I8', [rows, columns])
    const scales = tensors.read(`${name}_scale`, 'F32', [rows])
    for (let row = 0; row < rows; row++)
      for (let index = row * columns; index < (row + 1) * columns; index++) floats[start + index] = numbers[index]! * scales[row]!
  }
  matrix(at.embedding, 'model.embed_tokens.weight', vocabulary, hidden)
  floats.set(tensors.read('model.norm.weight', 'F32', [hidden]), at.lastNorm)
  for (let layer = 0; layer < layers; layer++) {
    const start = at.layers + layer * at.layerSize
    const name = (part: string) => `model.layers.${layer}.${part}.weight`
    floats.set(tensors.read(name('input_layernorm'), 'F32', [hidden]), start + at.beforeAttention)
    floats.set(tensors.read(name('post_attention_layernorm'), 'F32', [hidden]), start + at.beforeInner)
    for (const [index, part] of ['q_proj', 'k_proj', 'v_proj'].entries())
      matrix(start + at.queriesKeysValues + index * hidden * hidden, name(`self_attn.${part}`), hidden, hidden)
    matrix(start + at.attended, name('self_attn.o_proj'), hidden, hidden)
    matrix(start + at.gateAndUp, name('mlp.gate_proj'), inner, hidden)
    matrix(start + at.gateAndUp + inner * hidden, name('mlp.up_proj'), inner, hidden)
    matrix(start + at.down, name('mlp.down_proj'), hidden, inner)
  }
}
