import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
import { earlierAnswers } from './earlier-answers.ts'
import { layOut, runFiles, runVersion } from './run-layout.ts'

const name = { model: 'm', dataset: 'd' }

/** A run that was interrupted: of each pair of rows, one took 1 token and one 3. */
function interruptedRun(rows: number): string {
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
  return parent
}

test('the answers of a small run are all counted', () => {
  const [found] = earlierAnswers([interruptedRun(10)], [name])
  expect(found).toMatchObject({ rows: 10, failed: 0, cached: 0, tokens: { prompt: 50, reply: 20 } })
  expect(found!.busy).toBeCloseTo(0.02)
})

test('of a huge run, as many records are read as a mean needs, from its whole length', () => {
  const [found] = earlierAnswers([interruptedRun(12_501)], [name])
  expect(found!.rows).toBe(5000)
  expect(found!.tokens.reply / found!.rows).toBeCloseTo(2, 1)
  expect(found!.busy! / found!.rows).toBeCloseTo(0.002)
})
