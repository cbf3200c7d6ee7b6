import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import type { PairResult } from '../../evaluation/run/record/run-record.ts'
import { earlierAnswers } from './earlier-answers.ts'
import { layOut, runFiles, runVersion } from './run-layout.ts'

const name = { model: 'm', dataset: 'd' }

/** A run of which each second row took 1 token and the others 3; interrupted unless it has a result. */
function runOf(rows: number, result?: Partial<PairResult>): string {
  const parent = folderWith({})
  const folder = join(parent, '20260101_000000')
  const pairs = layOut([name])
  const file = join(folder, pairs[0]!.predictions)
  mkdirSync(dirname(file), { recursive: true })
  mkdirSync(join(folder, 'configs'))
  const info = { version: runVersion, name: 'r', started: '2026-01-01T00:00:00.000Z', rolecall: '0', folder, options: {}, pairs }
  writeFileSync(join(folder, runFiles.info), JSON.stringify(info))
  const lines = Array.from({ length: rows }, (_, id) => {
    const tokens = { prompt: 5, reused: 0, reply: id % 2 === 0 ? 1 : 3 }
    const key = `${id}`.padStart(64, '0')
    const known = { id, key, row_hash: key.slice(32), gold: '1', examples: { used: 0, dropped: 0 }, prompt_hash: key }
    return `${JSON.stringify({ ...known, prediction: '1', finish: 'stop', tokens, milliseconds: 2, score: 1 })}\n`
  })
  appendFileSync(file, lines.join(''))
  if (result) {
    const results = join(folder, pairs[0]!.results)
    mkdirSync(dirname(results), { recursive: true })
    writeFileSync(results, JSON.stringify({ version: runVersion, ...name, ...result }))
  }
  return parent
}

test('the answers of a small run are all counted', () => {
  const [found] = earlierAnswers([runOf(10)], [name])
  expect(found).toMatchObject({ rows: 10, failed: 0, cached: 0, tokens: { prompt: 50, reply: 20 } })
  expect(found!.busy).toBeCloseTo(0.02)
})

test('of a huge run, as many records are read as a mean needs, from its whole length', () => {
  // Of 10,000 rows, every second one would be a row of 1 token.
  for (const count of [10_000, 12_501]) {
    const [found] = earlierAnswers([runOf(count)], [name])
    expect(found!.rows).toBe(5000)
    expect(Math.abs(found!.tokens.reply / found!.rows - 2)).toBeLessThan(0.05)
    expect(found!.busy! / found!.rows).toBeCloseTo(0.002, 6)
  }
})

test('the time of a huge run with a result is that of all its rows', () => {
  const tokens = { prompt: 50_000, reused: 0, reply: 20_000 }
  const [found] = earlierAnswers([runOf(10_000, { rows: 10_000, failed: 0, cached: 0, tokens, notes: [] })], [name])
  expect([found!.rows, found!.tokens]).toEqual([10_000, tokens])
  expect(found!.busy).toBeCloseTo(20)
})
