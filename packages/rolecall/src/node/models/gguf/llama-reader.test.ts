import { describe, expect, test } from 'vitest'
import { greedy, likeliestTokens, seededRandom } from '../../../model/language-model/sampling.ts'
import type { LlamaSequence, Wanted } from './llama-reader.ts'
import { llamaReader } from './llama-reader.ts'

const vocabulary = 16

/** Logits that depend on the whole prefix, so that a token evaluated at the wrong position is detected. */
function logitsAfter(ids: readonly number[]): Float32Array {
  const random = seededRandom(ids.reduce((hash, id) => Math.imul(hash, 31) + id + 1, 7))
  return Float32Array.from({ length: vocabulary }, () => random() * 8 - 4)
}

function logOf(ids: readonly number[], index: number): number {
  const logits = logitsAfter(ids.slice(0, index))
  return logits[ids[index]!]! - Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0))
}

/** A fake node-llama-cpp sequence that counts evaluated tokens and requested logits. */
function sequenceOf({ forgetsAll = false } = {}) {
  const held: number[] = []
  const counts = { read: 0, asked: 0, whole: 0 }
  let isBroken = false
  const sequence: LlamaSequence = {
    get nextTokenIndex() {
      return held.length
    },
    async clearHistory() {
      held.length = 0
    },
    async eraseContextTokenRanges([range]) {
      if (range!.end !== held.length) throw new Error('only the end is erased')
      held.length = forgetsAll ? 0 : range!.start
    },
    async controlledEvaluate(input) {
      return input.map((item) => {
        const [id, options] = typeof item === 'number' ? [item] : item
        held.push(id)
        counts.read++
        if (isBroken) throw new Error('out of memory')
        if (!options) return undefined
        counts.asked++
        return { next: answer(options.generateNext) }
      })
    },
  }
  function answer({ logits: wanted }: Wanted) {
    const logits = logitsAfter(held)
    const order = [...logits.keys()].sort((a, b) => logits[b]! - logits[a]!)
    const highest = logits[order[0]!]!
    if (wanted === true) counts.whole++
    const { tokens = [], includeTop = 0 } = wanted === true ? {} : wanted.filter
    const some = wanted === true ? order : [...order.slice(0, includeTop), ...tokens]
    return {
      logits: new Map(some.map((id) => [id, logits[id]!])),
      totalLogitWeight: logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0),
    }
  }
  const breakIt = (value: boolean) => {
    isBroken = value
  }
  return { sequence, counts, breakIt }
}

const always = { needed: () => true, topTokens: 0 }
const choice = { sampling: greedy, counts: new Map<number, number>(), random: () => 0.5, banned: new Set<number>(), topTokens: 0 }

describe('scores', () => {
  test('are correct regardless of earlier texts', async () => {
    for (const forgetsAll of [false, true]) {
      const { sequence } = sequenceOf({ forgetsAll })
      const reader = llamaReader({ sequence, vocabulary, context: 99 })
      const random = seededRandom(5)
      const texts = Array.from({ length: 60 }, () => Array.from({ length: 1 + Math.floor(random() * 6) }, () => Math.floor(random() * 2)))
      for (const ids of texts) {
        const isNeeded = (index: number) => (index * 7 + ids.length) % 3 > 0
        const [some] = await reader.score([ids], { needed: isNeeded, topTokens: 0 })
        for (const [index, value] of some!.logProbabilities.entries()) {
          if (index === 0) expect(value).toBeNull()
          else if (isNeeded(index) || value !== null) expect(value).toBeCloseTo(logOf(ids, index), 4)
          const best = value === null ? null : likeliestTokens(logitsAfter(ids.slice(0, index)), 1)[0]!.id === ids[index]
          expect(some!.isLikeliest[index]).toBe(best)
        }
        if (random() < 0.5) {
          const writing = await reader.write(ids.slice(0, 3))
          const { id, logProbability } = await writing.choose(choice)
          expect(logProbability).toBeCloseTo(logOf([...ids.slice(0, 3), id], Math.min(3, ids.length)), 4)
        }
      }
    }
  })

  test('request only the needed logits and evaluate the shared prefix once', async () => {
    const { sequence, counts } = sequenceOf()
    const reader = llamaReader({ sequence, vocabulary, context: 99 })
    const shared = [1, 2, 3, 4, 5, 6, 7, 8]
    const texts = [9, 10, 11].map((last) => [...shared, last])
    const scored = await reader.score(texts, { needed: (index) => index === 8, topTokens: 0 })
    // The last common token is evaluated for each text: its logits are needed.
    expect(counts).toEqual({ read: 8 + 3 * 2, asked: 3, whole: 0 })
    expect(scored.map(({ reused }) => reused)).toEqual([0, 7, 7])
    for (const [text, ids] of texts.entries()) expect(scored[text]!.logProbabilities[8]).toBeCloseTo(logOf(ids, 8), 4)
    await reader.score([texts[2]!], { needed: (index) => index === 8, topTokens: 0 })
    expect(counts.read).toBe(14)
  })

  test('are correct again after the sequence failed', async () => {
    const { sequence, breakIt } = sequenceOf()
    const reader = llamaReader({ sequence, vocabulary, context: 99 })
    await reader.score([[1, 2, 3]], always)
    breakIt(true)
    await expect(reader.score([[1, 2, 4, 5]], always)).rejects.toThrow('out of memory')
    breakIt(false)
    const [scored] = await reader.score([[1, 2, 4, 6]], always)
    expect(scored!.logProbabilities[3]).toBeCloseTo(logOf([1, 2, 4, 6], 3), 4)
  })
})

test('top tokens are returned on request', async () => {
  const { sequence } = sequenceOf()
  const reader = llamaReader({ sequence, vocabulary, context: 99 })
  await reader.score([[1, 2, 3]], always)
  const [scored] = await reader.score([[1, 2, 3]], { ...always, topTokens: 3 })
  expect(scored!.topTokens!.map((top) => top?.length ?? null)).toEqual([null, 3, 3])
  const expected = likeliestTokens(logitsAfter([1, 2]), 3)
  for (const [place, { id, logProbability }] of expected.entries()) {
    expect(scored!.topTokens![2]![place]).toEqual({ id, logProbability: expect.closeTo(logProbability, 4) })
  }
  const chosen = await (await reader.write([1, 2])).choose({ ...choice, topTokens: 2 })
  expect(chosen.top!.map(({ id }) => id)).toEqual(expected.slice(0, 2).map(({ id }) => id))
})

describe('writing', () => {
  test('picks the likeliest token from a few logits, not the whole vocabulary', async () => {
    const { sequence, counts } = sequenceOf()
    const reader = llamaReader({ sequence, vocabulary, context: 99 })
    const ids = [3, 1]
    const writing = await reader.write(ids)
    for (let step = 0; step < 5; step++) {
      const logits = logitsAfter(ids)
      const { id } = await writing.choose(choice)
      expect(id).toBe(logits.indexOf(Math.max(...logits)))
      await writing.append(id)
      ids.push(id)
    }
    expect(counts).toMatchObject({ read: 6, whole: 0 })
  })

  test('bans and penalties choose the same token as with all logits', async () => {
    for (let first = 0; first < vocabulary; first++) {
      const { sequence } = sequenceOf()
      const reader = llamaReader({ sequence, vocabulary, context: 99 })
      const logits = logitsAfter([first])
      const order = [...logits.keys()].sort((a, b) => logits[b]! - logits[a]!)
      const banned = new Set([order[0]!])
      const counts = new Map([[order[1]!, 2]])
      const sampling = { ...greedy, presencePenalty: 20 }
      const { id, logProbability } = await (await reader.write([first])).choose({ ...choice, sampling, counts, banned })
      expect(id).toBe(order[2])
      expect(logProbability).toBeCloseTo(logOf([first, id], 1), 4)
    }
  })

  test('samples over the whole vocabulary', async () => {
    const { sequence, counts } = sequenceOf()
    const reader = llamaReader({ sequence, vocabulary, context: 99 })
    const sampling = { ...greedy, temperature: 1 }
    const { id, logProbability } = await (await reader.write([1])).choose({ ...choice, sampling, random: () => 0.9 })
    expect(counts.whole).toBe(1)
    expect(logProbability).toBeCloseTo(logOf([1, id], 1), 4)
  })
})
