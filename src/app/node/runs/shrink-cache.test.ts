import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
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

test('using answers refreshes their date', () => {
  const folder = folderWith({})
  const settings = 'f'.repeat(32)
  new AnswerCaches(folder).for(settings).add('0'.repeat(32), { prediction: 'x' } as never)
  utimesSync(join(folder, `answers/${settings}.jsonl`), 1, 1)
  expect(new AnswerCaches(folder).for(settings).find('0'.repeat(32))?.prediction).toBe('x')
  shrinkCache(folder, 0)
  expect(existsSync(join(folder, `answers/${settings}.jsonl`))).toBe(true)
})
