import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import type { RowAnswer } from '../../evaluation/run/record/run-record.ts'
import { AnswerCaches } from './answer-cache.ts'
import { shrinkCache } from './shrink-cache.ts'

const hour = 60 * 60 * 1000
const now = Date.UTC(2026, 10, 15)

function used(folder: string, name: string, hoursAgo: number): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), 'x'.repeat(100))
  const time = (now - hoursAgo * hour) / 1000
  utimesSync(join(folder, name), time, time)
}

test("the least recently used files go first; files used today and the user's own stay", () => {
  const folder = folderWith({})
  const [a, b, c, d, e] = ['a', 'b', 'd', 'e', 'f'].map((digit) => `answers/${digit.repeat(32)}.jsonl`) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const vectors = `embeddings/${'c'.repeat(32)}.f64`
  const own = ['thesis.jsonl', 'answers/thesis.jsonl', `${'a'.repeat(32)}.jsonl`]
  const ages: [string, number][] = [
    [a, 40],
    [b, 90],
    [vectors, 70],
    [c, 30],
    [d, 50],
    [e, 2],
  ]
  for (const [name, hours] of [...ages, ...own.map((name): [string, number] => [name, 9000])]) used(folder, name, hours)
  const left = () => ages.map(([name]) => name).filter((name) => existsSync(join(folder, name)))
  shrinkCache(folder, 600, now)
  expect(left()).toHaveLength(6)
  shrinkCache(folder, 450, now)
  expect(left()).toEqual([a, c, d, e])
  shrinkCache(folder, 0, now)
  expect(left()).toEqual([e])
  expect(own.filter((name) => existsSync(join(folder, name)))).toEqual(own)
  shrinkCache(join(folder, 'nowhere'), 0, now)
})

test('results of other harnesses are evicted as a whole, by their last use', () => {
  const folder = folderWith({})
  const [old, recent, incomplete] = ['a-0123456789abcdef', 'b-0123456789abcdef', `c-0123456789abcdef.${'0'.repeat(36)}.incomplete`]
  for (const name of [old, recent, incomplete, 'thesis']) {
    used(folder, `results/${name}/predictions/m/d.jsonl`, 90)
    if (name !== incomplete) used(folder, `results/${name}/configs/setup.json`, name === old ? 90 : 30)
    utimesSync(join(folder, 'results', name), (now - 90 * hour) / 1000, (now - 90 * hour) / 1000)
  }
  const left = () => [old, recent, incomplete, 'thesis'].filter((name) => existsSync(join(folder, 'results', name, 'predictions')))
  shrinkCache(folder, 500, now)
  expect(left()).toHaveLength(4)
  shrinkCache(folder, 250, now)
  expect(left()).toEqual([recent, 'thesis'])
  shrinkCache(folder, 0, now)
  expect(left()).toEqual(['thesis'])
})

const answer: RowAnswer = {
  prompt_hash: 'a'.repeat(64),
  prediction: 'x',
  tokens: { prompt: 1, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 1,
}

test('a poisoned cache line is skipped and reported', () => {
  const settings = 'f'.repeat(32)
  const file = `answers/${settings}.jsonl`
  const poisons: [line: string, reported: string][] = [
    [JSON.stringify({ ...answer, tokens: { prompt: 1, reused: 0, reply: 1e3 } }).replace('1000', '9'.repeat(30)), 'tokens.reply'],
    ['{ "prediction": 10000000000000000000000 }', 'prompt_hash'],
    ['not JSON', 'expected a value'],
    [JSON.stringify(answer), 'it answers another row'],
  ]
  for (const [json, reported] of poisons) {
    const folder = folderWith({ [file]: `${'0'.repeat(32)} ${crc32(json).toString(16).padStart(8, '0')} ${json}\n` })
    const caches = new AnswerCaches(folder)
    const cache = caches.for(settings)
    expect(cache.find('0'.repeat(32), () => 'it answers another row')).toBeUndefined()
    expect([...caches.problems]).toEqual([expect.stringMatching(new RegExp(`^invalid cache entries were skipped.*${reported}`))])
    cache.add('0'.repeat(32), answer)
    expect(new AnswerCaches(folder).for(settings).find('0'.repeat(32), () => undefined)).toEqual(answer)
  }
})

test('lines longer than a block are found, and so are those behind them and behind a torn line', () => {
  const folder = folderWith({ [`answers/${'e'.repeat(32)}.jsonl`]: 'torn' })
  const cache = new AnswerCaches(folder).for('e'.repeat(32))
  const long = { ...answer, prediction: 'long'.repeat(1_000_000) }
  const questions = ['1', '2', '3'].map((digit) => digit.repeat(32))
  for (const [index, question] of questions.entries()) cache.add(question, index === 1 ? long : answer)
  const again = new AnswerCaches(folder).for('e'.repeat(32))
  expect(questions.map((question) => again.find(question, () => undefined))).toEqual([answer, long, answer])
})

test('using answers refreshes their date', () => {
  const folder = folderWith({})
  const settings = 'f'.repeat(32)
  new AnswerCaches(folder).for(settings).add('0'.repeat(32), answer)
  utimesSync(join(folder, `answers/${settings}.jsonl`), 1, 1)
  expect(new AnswerCaches(folder).for(settings).find('0'.repeat(32), () => undefined)?.prediction).toBe('x')
  shrinkCache(folder, 0)
  expect(existsSync(join(folder, `answers/${settings}.jsonl`))).toBe(true)
})
