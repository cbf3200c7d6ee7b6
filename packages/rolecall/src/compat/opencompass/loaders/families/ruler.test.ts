import { expect, test } from 'vitest'
import { dictGet, isList } from '../../../../../../core/src/base/python/index.ts'
import { filesOf, load } from '../index.ts'
import { adjectiveNouns } from './ruler-words.ts'

const bytes = { encode: (text: string) => [...new TextEncoder().encode(text)], decode: () => '' }
const words = {
  'wonderwords/nounlist.txt': 'cat\ndog\n',
  'wonderwords/adjectivelist.txt': 'red\nbig\n',
  'wonderwords/verblist.txt': 'run\n',
}
const given = (files: Record<string, string>) => ({ ...filesOf(files), tokenizer: async () => bytes })
const niah = { base_path: '.', file_path: 'none', type_haystack: 'repeat', num_samples: 2, tokens_to_generate: 10 }

test('prompts of RULER fit into their length and hide the answer', async () => {
  const loaded = await load('RulerNiahDataset', { ...niah, max_seq_length: 1500 }, given(words))
  const rows = Array.isArray(loaded.rows) ? loaded.rows : []
  expect(rows).toHaveLength(2)
  for (const [prompt, answer] of rows.map((row) => [String(dictGet(row, 'prompt')), dictGet(row, 'answer')] as const)) {
    const [value] = isList(answer ?? null) ? (answer as string[]) : []
    expect(prompt).toMatch(/is: \d{7}\.\n/)
    expect(prompt).toContain(`is: ${value}.`)
    expect(bytes.encode(prompt).length).toBeLessThanOrEqual(1490)
  }
})

test('a length that no prompt fits into, an unknown haystack, a number of questions and missing word lists are errors', async () => {
  const refused = (type: string, settings: object, files: Record<string, string> = words) =>
    expect(load(type, settings as Record<string, string>, given(files))).rejects
  await refused('RulerNiahDataset', { ...niah, max_seq_length: 100 }).toThrow('no prompt fits into max_seq_length 100')
  await refused('RulerNiahDataset', { ...niah, type_haystack: 'hay' }).toThrow('the haystack "hay" is not known')
  await refused('RulerNiahDataset', niah, {}).toThrow('copy the word lists of the Python package wonderwords')
  await refused('RulerFweDataset', { alpha: 1 }).toThrow('"alpha" is not a number above 1')
  const one = JSON.stringify([{ question: 'q', answer: 'a', context: [['t', ['p']]] }])
  await refused('RulerQaDataset', { path: 'q.json', dataset: 'hotpotqa' }, { 'q.json': one }).toThrow('it has 1 questions')
})

test('pairs of adjectives and nouns are sorted as texts, each once, without being held in memory', () => {
  const [adjectives, nouns] = [
    ['long', 'longer', 'long-term', 'big'],
    ['term-cat', 'cat', 'zoo'],
  ]
  const sorted = [...new Set(adjectives.flatMap((one) => nouns.map((noun) => `${one}-${noun}`)))].sort()
  const pairs = adjectiveNouns(adjectives, nouns)
  expect(Array.from({ length: pairs.length }, (_, index) => pairs.at(index))).toEqual(sorted)
  expect(sorted).toHaveLength(11)
})
