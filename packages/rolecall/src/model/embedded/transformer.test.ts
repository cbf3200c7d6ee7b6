import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { triesAll } from '../../../../../proof/testing/sampling.ts'
import { assembledProducts, assembleProducts } from '../../../../../scripts/assemble-products.ts'
import { embeddedWeights } from '../../node/models/load-embedded.ts'
import { tinyChat } from './open-embedded.ts'
import { PrefixReader } from './prefix-reader.ts'
import { loadProducts } from './products.ts'
import { readSafetensors } from './safetensors.ts'
import { mostAtOnce, Transformer } from './transformer.ts'

const weights = readFileSync(embeddedWeights)
const { vocabulary, context } = tinyChat.shape
const textOf = (length: number, start = 0) => Array.from({ length }, (_, index) => 10 + (((start + index) * 31) % 1500))

test('the assembled products match their source', async () => {
  expect(assembledProducts()).toBe(await assembleProducts())
})

test('products of any number of rows add in a fixed order', async () => {
  const { floats, products } = await loadProducts(10_000)
  const [size, columns, w, out] = [24, 8, 1000, 4000]
  for (let index = 0; index < w + columns * size; index++) floats[index] = Math.sin(index)
  for (let rows = 1; rows <= 7; rows++) {
    floats.fill(0, out)
    products(0, size * 4, rows, w * 4, size * 4, columns, size * 4, out * 4, columns * 4)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        // Four sums side by side, then the first and third, the second and fourth, and both.
        const lanes = [0, 0, 0, 0]
        for (let index = 0; index < size; index++) {
          const product = Math.fround(floats[row * size + index]! * floats[w + column * size + index]!)
          lanes[index % 4] = Math.fround(lanes[index % 4]! + product)
        }
        const [left, right] = [Math.fround(lanes[0]! + lanes[2]!), Math.fround(lanes[1]! + lanes[3]!)]
        expect(floats[out + row * columns + column]).toBe(Math.fround(left + right))
      }
    expect(floats[out + rows * columns]).toBe(0)
  }
})

describe('the network', () => {
  test('gives the logits of onnxruntime with the same weights', async () => {
    const network = await Transformer.load(weights, tinyChat.shape)
    const logits = network.read([1, 8, 1130, 266])
    // onnxruntime-web 1.30.0, one thread: the likeliest token after each, and its logit. Over 300 tokens no logit differed by more than 4e-5.
    const rows = [0, 1, 2, 3].map((row) => logits.subarray(row * vocabulary, (row + 1) * vocabulary))
    expect(rows.map((row) => row.indexOf(Math.max(...row)))).toEqual([8, 313, 92, 207])
    for (const [index, row] of rows.entries()) expect(Math.max(...row)).toBeCloseTo([16.31466, 14.40882, 11.17319, 6.57373][index]!, 3)
  })

  test('gives bit-identical numbers however a text is split, cached and resumed', async () => {
    const network = await Transformer.load(weights, tinyChat.shape)
    const ids = textOf(100)
    const whole = [...network.read(ids.slice(0, mostAtOnce)), ...network.read(ids.slice(mostAtOnce))]
    network.shorten(0)
    expect(ids.flatMap((id) => [...network.read([id])])).toEqual(whole)
    const memory = network.remember()
    network.shorten(0)
    network.read(textOf(70, 5))
    network.restore(memory, 33)
    expect(network.length).toBe(33)
    expect([...network.read(ids.slice(33, 90))]).toEqual(whole.slice(33 * vocabulary, 90 * vocabulary))
  })

  test('reads up to the end of its context', async () => {
    const network = await Transformer.load(weights, tinyChat.shape)
    let logits = new Float32Array(0)
    for (let at = 0; at < context; at += mostAtOnce) logits = network.read(textOf(mostAtOnce, at)).slice()
    expect(network.length).toBe(context)
    expect(logits.every(Number.isFinite)).toBe(true)
  })
})

describe('concurrent texts', () => {
  test.skipIf(!triesAll)('give the numbers they give alone, whatever is kept of them (CI only)', async () => {
    const network = await Transformer.load(weights, tinyChat.shape)
    const texts = [textOf(80), textOf(80, 3), [...textOf(40), ...textOf(60, 9)]]
    const alone = []
    for (const ids of texts) {
      const reader = new PrefixReader(await Transformer.load(weights, tinyChat.shape))
      const position = await reader.read(ids)
      for (const id of [20, 30]) reader.extend(position, id)
      alone.push({ likely: position.text.likely, logits: position.logits })
    }
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
    for (const limits of [
      { texts: 64, bytes: 2 ** 26 },
      { texts: 1, bytes: 2 ** 26 },
      { texts: 0, bytes: 0 },
    ]) {
      const shared = new PrefixReader(network, limits)
      for (const readers of [texts.map(() => shared), texts.map(() => new PrefixReader(network, limits))]) {
        const positions = await Promise.all(texts.map((ids, index) => readers[index]!.read(ids, { pause })))
        for (const id of [20, 30]) for (const [index, position] of positions.entries()) readers[index]!.extend(position, id)
        expect(positions.map(({ text, logits }) => ({ likely: text.likely, logits }))).toEqual(alone)
      }
    }
  })
})

describe('a damaged file of weights', () => {
  test.each([
    ['that is empty', new Uint8Array(0), 'its header is cut off'],
    ['that is cut', weights.subarray(0, 1000), 'its header is cut off'],
    ['that is something else', new TextEncoder().encode('\x02\0\0\0\0\0\0\0no'), 'its header is not JSON'],
    ['without the rest', weights.subarray(0, 100_000), 'is cut off'],
  ])('%s is told', async (_, file, problem) => {
    await expect(Transformer.load(file, tinyChat.shape)).rejects.toThrow(problem)
  })

  test('with another shape is reported', () => {
    expect(() => readSafetensors(weights).read('model.norm.weight', 'F32', [191])).toThrow('model.norm.weight is no F32 of 191')
    expect(() => readSafetensors(weights).read('toString', 'F32', [191])).toThrow('toString is no F32 of 191')
  })
})
