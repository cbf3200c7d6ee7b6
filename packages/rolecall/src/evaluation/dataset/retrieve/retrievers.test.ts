import { describe, expect, test } from 'vitest'
import { exampleQuestion, exampleRows } from './example-rows.ts'
import { retrieverSchema } from './retriever-schema.ts'
import { retrieverOf, retrievers } from './retrievers.ts'

describe('the worked example of each retriever, as the docs show it', () => {
  for (const [name, retriever] of Object.entries(retrievers)) {
    const { options, shows } = retriever.example
    test(name, async () => {
      const opened = await retriever.open(exampleRows, options)
      expect(await opened.choose(exampleQuestion)).toEqual(shows)
      expect(opened.count).toBe(shows.length)
    })

    test(`${name} takes options that a config may have`, () => {
      expect(Object.keys(retrieverSchema.shape)).toEqual(expect.arrayContaining([...retriever.options]))
      expect(retriever.options).toEqual(expect.arrayContaining(Object.keys(options)))
    })

    test(`${name} says whether it compares embeddings`, async () => {
      const { embed: _, ...rows } = exampleRows
      const opened = (async () => retriever.open(rows, options))()
      if (retriever.needsEmbeddings) await expect(opened).rejects.toMatchObject({ code: 'missing' })
      else await expect(opened).resolves.toMatchObject({ count: shows.length })
    })
  }
})

test('an unknown retriever is an error that names a known one', () => {
  expect(retrieverOf('TopkRetriever', 'd')).toBe(retrievers.TopkRetriever)
  expect(() => retrieverOf('TopKRetriever', 'd')).toThrow('Did you mean "TopkRetriever"?')
  expect(() => retrieverOf('constructor', 'd')).toThrow('"constructor" is not available')
})
