import { expect, test } from 'vitest'
import { readEmbeddings, withEmbeddings } from './default-embeddings.ts'

test('a retriever that compares embeddings takes them from the environment if its config has no source', () => {
  const source = readEmbeddings('bge-m3@http://127.0.0.1:8000/v1')
  expect(source).toEqual({ model: 'bge-m3', base_url: 'http://127.0.0.1:8000/v1' })
  const dataset = (retriever: object) => ({ abbr: 'mine', infer_cfg: { retriever } })
  expect(withEmbeddings(dataset({ type: 'TopkRetriever', ice_num: 1 }), source)).toEqual(
    dataset({ type: 'TopkRetriever', ice_num: 1, embeddings: source }),
  )
  for (const kept of [{ type: 'TopkRetriever', embeddings: 'energetic-ai' }, { type: 'BM25Retriever' }, { type: 'ZeroRetriever' }]) {
    const given = dataset(kept)
    expect(withEmbeddings(given, source)).toBe(given)
  }
  const given = dataset({ type: 'TopkRetriever' })
  expect(withEmbeddings(given, undefined)).toBe(given)
})

test('ROLECALL_EMBEDDINGS is a model on a server, or the offline encoder', () => {
  expect(readEmbeddings('energetic-ai')).toBe('energetic-ai')
  expect(readEmbeddings(undefined)).toBeUndefined()
  expect(readEmbeddings('')).toBeUndefined()
  expect(() => readEmbeddings('bge-m3')).toThrow(expect.objectContaining({ code: 'bad-url', where: 'ROLECALL_EMBEDDINGS' }))
})
