import { expect, test } from 'vitest'
import { readEmbeddings, readEntropyModel, withEmbeddings, withEntropyModel } from './default-embeddings.ts'

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

test('ROLECALL_CE_MODEL is the model whose certainty MDLRetriever measures, where its config names none', () => {
  const model = readEntropyModel('gpt2-xl@http://127.0.0.1:8000/v1')
  expect(model).toEqual({ type: 'openai', path: 'gpt2-xl', base_url: 'http://127.0.0.1:8000/v1' })
  const dataset = (retriever: object) => ({ infer_cfg: { retriever } })
  expect(withEntropyModel(dataset({ type: 'MDLRetriever' }), model)).toEqual(dataset({ type: 'MDLRetriever', ce_model: model }))
  for (const given of [dataset({ type: 'MDLRetriever', ce_model: {} }), dataset({ type: 'TopkRetriever' }), {}])
    expect(withEntropyModel(given, model)).toBe(given)
  expect(readEntropyModel(undefined)).toBeUndefined()
  expect(() => readEntropyModel('gpt2-xl')).toThrow(expect.objectContaining({ code: 'bad-url', where: 'ROLECALL_CE_MODEL' }))
})
