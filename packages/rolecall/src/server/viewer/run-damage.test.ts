import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { OpenRun } from './open-run.ts'
import { hasEnded } from './run-ended.ts'

const config = JSON.stringify({
  models: [{ abbr: 'm', type: 'openai', path: 'm', format: 'plain' }],
  datasets: [
    {
      abbr: 'sums',
      rows: Array.from({ length: 10 }, (_, row) => ({ question: `${row}`, answer: row < 4 ? 'yes' : 'no', half: row % 2 })),
      by: ['half'],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
})

/** A run with ten rows, the first four of which are right. */
async function made() {
  const folder = folderWith({ 'rolecall.config.json': config })
  const reply = { text: 'yes', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
  const environment = { ...nodeEnvironment(folder), openModel: async () => ({ name: 'm', generate: async () => reply }) }
  const loaded = await loadConfig(join(folder, 'rolecall.config.json'))
  const { folder: run } = await runEvaluation(loaded, { name: 'r', workDir: join(folder, 'outputs'), cache: false, environment })
  const opened = new OpenRun(run)
  return { run, opened, predictions: join(run, opened.info.pairs[0]!.predictions), results: join(run, opened.info.pairs[0]!.results) }
}

test('a complete run has no damage', async () => {
  const { opened } = await made()
  expect(await opened.state()).toMatchObject({
    pairs: [{ rows: 10, result: { value: 40, rows: 10 } }],
    summary: { results: [{ value: 40 }] },
  })
  expect(await opened.state()).not.toHaveProperty('damage')
})

test('missing rows and broken lines are counted, and the metrics are those of the rows that are left', async () => {
  const { opened, predictions } = await made()
  const lines = readFileSync(predictions, 'utf8').trimEnd().split('\n')
  // Rows 0 and 1 are missing, row 5 is broken.
  writeFileSync(
    predictions,
    `${lines
      .map((line, row) => (row === 5 ? line.slice(0, 20) : line))
      .slice(2)
      .join('\n')}\n`,
  )
  const { damage, pairs, summary } = await opened.state()
  expect(damage).toEqual([{ kind: 'rows', pair: 0, missing: 3, unreadable: 1, of: 10 }])
  expect(pairs).toMatchObject([{ rows: 7, result: { rows: 7, value: expect.closeTo(28.5714, 3), answers: { answered: 7 } } }])
  expect(pairs[0]!.result!.interval).toMatchObject({ method: 'wilson' })
  expect(pairs[0]!.result!.by).toMatchObject([
    {
      column: 'half',
      figures: [
        { of: '0', rows: 4, value: 25 },
        { of: '1', rows: 3 },
      ],
    },
  ])
  expect(summary!.results).toEqual([pairs[0]!.result])
})

test('a line that is changed without changing the size of its file is noticed', async () => {
  const { opened, predictions } = await made()
  const text = readFileSync(predictions, 'utf8')
  const at = text.indexOf('"key"')
  writeFileSync(predictions, `${text.slice(0, at)}xxxxx${text.slice(at + 5)}`)
  const later = Date.now() / 1000 + 60
  utimesSync(predictions, later, later)
  expect((await opened.state()).damage).toEqual([{ kind: 'rows', pair: 0, missing: 1, unreadable: 1, of: 10 }])
})

test('without its file of rows, a pair has no metrics', async () => {
  const { opened, predictions } = await made()
  rmSync(predictions)
  const { damage, pairs } = await opened.state()
  expect(damage).toEqual([{ kind: 'rows', pair: 0, missing: 10, unreadable: 0, of: 10 }])
  expect(pairs[0]!.result).not.toHaveProperty('value')
  expect(() => opened.scores(0)).toThrow(/predictions.*does not exist/)
})

test('a broken file of results is reported, and the summary has the result', async () => {
  const { opened, run, results } = await made()
  writeFileSync(results, '{')
  expect(await opened.state()).toMatchObject({
    damage: [{ kind: 'file', file: opened.info.pairs[0]!.results }],
    pairs: [{ result: { value: 40 } }],
  })
  writeFileSync(join(run, 'summary/summary.json'), '')
  const { damage, pairs } = await opened.state()
  expect(damage).toHaveLength(2)
  expect(pairs).toMatchObject([{ rows: 10, mean: 40 }])
})

test('a run with a broken summary has ended if all its pairs have results', async () => {
  const { opened, run, results } = await made()
  writeFileSync(join(run, 'summary/summary.json'), '{')
  expect(hasEnded(await opened.state())).toBe(true)
  rmSync(results)
  expect(hasEnded(await opened.state())).toBe(false)
})
