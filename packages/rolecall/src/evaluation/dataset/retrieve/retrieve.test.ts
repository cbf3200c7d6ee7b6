import { expect, test } from 'vitest'
import { fetchClient } from '../../../model/openai/http/fetch-client.ts'
import { splitSentences } from '../../../python/word-split/split-sentences.ts'
import { tokenizeCharacters, tokenizeLine, tokenizeWords } from '../../../python/word-split/word-tokenize.ts'
import { Bm25Index, highest } from './bm25.ts'
import { chooseExamples, choosesByRow } from './choose-examples.ts'
import { endpointEmbedder } from './embedder.ts'

const rows = [
  'What is the capital of France?',
  'Who wrote Hamlet?',
  'What is the capital of Peru?',
  'How many legs has a spider?',
  'Name a prime number.',
  'Translate bread.',
].map((question, number) => ({ question, answer: String(number) }))
const dataset = (retriever: object, more: object = {}) => ({
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { retriever },
  ...more,
})
const answersFor = async (retriever: object, row: (typeof rows)[number], number = 0, more: object = {}) => {
  const { examplesFor } = await chooseExamples(dataset(retriever, more), rows)
  return (await examplesFor(row, number)).map((one) => (one as (typeof rows)[number]).answer)
}

test("words are nltk's: contractions, quotes and final periods are separate", () => {
  expect(tokenizeLine(`He said "can't".`)).toEqual(['He', 'said', '``', 'ca', "n't", "''", '.'])
  expect(tokenizeWords('One. Two?')).toEqual(['One', '.', 'Two', '?'])
})

test('a period after an abbreviation or an initial does not end a sentence', () => {
  expect(splitSentences('Dr. Smith met J. Doe. They talked.')).toEqual(['Dr. Smith met J. Doe.', 'They talked.'])
  expect(splitSentences('(He left.) She stayed.')).toEqual(['(He left.)', 'She stayed.'])
})

test('a trained model decides if one is given', () => {
  const model = { abbreviations: new Set(['foo']), starters: new Set<string>(), collocations: new Set(['bar baz']), orthography: new Map() }
  expect(splitSentences('See foo. Next bar. Baz is one.', model)).toEqual(['See foo. Next bar. Baz is one.'])
})

test('Chinese is compared by characters, other scripts by words', () => {
  expect(tokenizeCharacters('中国GDP多少？')).toEqual(['中', '国', 'gdp', '多', '少'])
  expect(tokenizeCharacters('abc123 2024年')).toEqual(['abc123', '2024', '年'])
  expect(tokenizeCharacters('データ12, naïve nai\u0308ve')).toEqual(['デ', 'ー', 'タ', '12', 'naïve', 'nai\u0308ve'])
})

test('words named like object properties are words', () => {
  const index = new Bm25Index([['constructor', '__proto__'], ['a'], ['b']])
  expect(index.nearest(['__proto__'], 1)).toEqual([0])
  expect(() => new Bm25Index([[]])).toThrow(/no words/)
})

test('a row is not its own example even if the example pool has more columns, or another column order', async () => {
  const numbered = rows.map(({ question, answer }, id) => ({ id, answer, question, split: 'train' }))
  const { examplesFor, isExample } = await chooseExamples(dataset({ type: 'BM25Retriever', ice_num: 1 }), numbered)
  expect(await examplesFor(rows[0]!, 0)).toEqual([numbered[2]])
  expect([isExample(rows[0]!), isExample({ ...rows[0]!, answer: 'other' })]).toEqual([true, false])
})

test('the highest come first, and ties go to the later one', () => {
  expect(highest([1, 3, 3, 2], 3)).toEqual([2, 1, 3])
  expect(highest([1, 3, 3, 2], 0)).toEqual([])
  expect(highest(new Array(100).fill(0), 70).slice(0, 2)).toEqual([99, 98])
})

test('BM25 shows the row that shares the most distinctive words, and never the row itself', async () => {
  expect(await answersFor({ type: 'BM25Retriever', ice_num: 1 }, rows[0]!)).toEqual(['2'])
  expect(await answersFor({ type: 'BM25Retriever', ice_num: 1 }, rows[0]!, 0, { compat: 'opencompass' })).toEqual(['0'])
})

test('random examples are those of the reference, with a replacement if it drew the row itself', async () => {
  const reference = await answersFor({ type: 'RandomRetriever', ice_num: 2 }, { question: 'new', answer: '' })
  const own = rows[Number(reference[0])]!
  const shown = await answersFor({ type: 'RandomRetriever', ice_num: 2 }, own)
  expect(shown).toHaveLength(2)
  expect(shown).not.toContain(own.answer)
  expect(shown[0]).toBe(reference[1])
})

test('the sliding window shows the preceding rows', async () => {
  expect(await answersFor({ type: 'SlidingWindowRetriever', k: 2 }, rows[3]!, 3)).toEqual(['1', '2'])
})

test('the sliding window stays within the example pool', async () => {
  const window = { type: 'SlidingWindowRetriever', k: 2 }
  expect(await answersFor(window, { question: 'x', answer: '' }, 6)).toEqual(['4', '5'])
  await expect(answersFor(window, { question: 'x', answer: '' }, 7)).rejects.toThrow(
    'infer_cfg.retriever: row 7 is shown the 2 before it, and there are 6 rows for examples.',
  )
  await expect(answersFor({ ...window, k: 9 }, rows[0]!)).rejects.toThrow('infer_cfg.retriever.k: 9 examples are wanted from 6 rows')
})

test('fewer examples than requested are reported once', async () => {
  const many = await chooseExamples(dataset({ type: 'BM25Retriever', ice_num: 9 }), rows)
  await many.examplesFor({ question: 'x', answer: '' }, 0)
  const told = '9 examples are requested, and there are 6 rows to choose from'
  expect(many.notes()).toEqual([{ code: 'fewer-examples', where: 'infer_cfg.retriever', text: told, rows: 1 }])
  const alone = await chooseExamples(dataset({ type: 'BM25Retriever', ice_num: 1 }), rows.slice(0, 1))
  expect([await alone.examplesFor(rows[1]!, 1), alone.notes()]).toEqual([[rows[0]], []])
  expect(await alone.examplesFor(rows[0]!, 0)).toEqual([])
  const left = 'fewer examples are shown than requested (1): a row is not its own example, and no other is left'
  expect(alone.notes()).toMatchObject([{ text: left, rows: 1 }])
})

test('DPP shows each of several equal rows once', async () => {
  const texts = ['abc', 'abc', 'abc', 'gag', 'gag', 'fed'].map((question, number) => ({ question, answer: String(number) }))
  const embed = async (given: readonly string[]) =>
    given.map((text) => ['a', 'b', 'c', 'g', 'f'].map((letter) => text.split(letter).length - 1))
  const { examplesFor } = await chooseExamples(dataset({ type: 'DPPRetriever', ice_num: 6 }), texts, embed)
  const shown = await examplesFor({ question: 'bag', answer: '' }, 0)
  expect(new Set(shown).size).toBe(6)
})

test('nearest rows come from embeddings, computed by a function or an endpoint', async () => {
  const embed = async (texts: readonly string[]) => texts.map((text) => [text.includes('capital') ? 1 : 0, text.length / 100])
  const { examplesFor, isExample } = await chooseExamples(dataset({ type: 'TopkRetriever', ice_num: 1 }), rows, embed)
  expect(await examplesFor(rows[2]!, 2)).toEqual([rows[0]])
  expect([isExample(rows[2]!), isExample({ question: 'new', answer: '' })]).toEqual([true, false])
  await expect(chooseExamples(dataset({ type: 'DPPRetriever' }), rows)).rejects.toThrow(/embeddings/)
})

test('vote-k shows every question the row that is near most others', async () => {
  // In degrees: 0, 6 and 3, and far from them 90 and 84. Of each row's two nearest, all but itself vote for the second.
  const places = [0, 6, 3, 90, 84].map((degrees) => (degrees * Math.PI) / 180)
  const texts = places.map((_, index) => ({ question: `q${index}`, answer: `${index}` }))
  const embed = async (given: readonly string[]) =>
    given.map((text) => {
      const angle = places[Number(text.slice(1))] ?? 1
      return [Math.cos(angle), Math.sin(angle)]
    })
  const { examplesFor } = await chooseExamples(dataset({ type: 'VotekRetriever', ice_num: 1, votek_k: 2 }), texts, embed)
  expect(await examplesFor({ question: 'q9', answer: '' }, 0)).toEqual([texts[1]])
})

test('an endpoint is queried in batches, and a bad answer is reported', async () => {
  const asked: string[][] = []
  const fetch = async (_: unknown, init?: { body?: unknown }) => {
    const { input } = JSON.parse(String(init?.body)) as { input: string[] }
    asked.push(input)
    return Response.json({ data: input.map((text, index) => ({ index, embedding: [text.length] })).reverse() })
  }
  const embed = endpointEmbedder(
    { base_url: 'http://x/v1/', model: 'm', batch_size: 2 },
    { client: fetchClient(fetch as typeof globalThis.fetch), key: 'k' },
  )
  expect(await embed(['a', 'bb', 'ccc'])).toEqual([[1], [2], [3]])
  expect(asked).toEqual([['a', 'bb'], ['ccc']])
  const broken = endpointEmbedder(
    { base_url: 'http://x', model: 'm' },
    {
      client: fetchClient((async () => Response.json({}, { status: 500 })) as typeof globalThis.fetch),
      clock: { now: () => 0, sleep: async () => undefined },
    },
  )
  await expect(broken(['a'])).rejects.toThrow(/answered 500/)
  const silent = endpointEmbedder(
    { base_url: 'http://x', model: 'm' },
    { client: fetchClient((async () => Response.json({ data: [] })) as typeof globalThis.fetch) },
  )
  await expect(silent(['a'])).rejects.toThrow(/not one embedding for each text/)
})

test("a user's own function chooses", async () => {
  expect(await answersFor({ choose: () => [1, 3] }, { question: 'x', answer: '' })).toEqual(['1', '3'])
  await expect(answersFor({ choose: () => [9] }, { question: 'x', answer: '' })).rejects.toThrow(/no row 9\. Choose numbers from 0 to 5/)
  await expect(answersFor({ choose: () => [-1] }, { question: 'x', answer: '' })).rejects.toThrow(/no row -1\. Choose numbers from 0 to 5/)
  expect(choosesByRow(dataset({ fix_id_list: [0] }))).toBe(false)
})

test('an unknown retriever is refused with a fix', async () => {
  await expect(answersFor({ type: 'BM52Retriever' }, rows[0]!)).rejects.toThrow(/Did you mean "BM25Retriever"/)
})
