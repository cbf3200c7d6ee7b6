import { appendFileSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { OpenRun } from './open-run.ts'

const config = JSON.stringify({
  models: [{ abbr: 'm', type: 'openai', path: 'm', format: 'plain' }],
  datasets: [
    {
      abbr: 'sums',
      rows: [0, 1, 2].map((row) => ({ question: `${row}`, answer: 'yes' })),
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
})

test('a row that a resumed run replaced has its new columns, lengths and score, though the number of rows is the same', async () => {
  const folder = folderWith({ 'rolecall.config.json': config })
  const reply = { text: 'yes', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
  const environment = { ...nodeEnvironment(folder), openModel: async () => ({ name: 'm', generate: async () => reply }) }
  const loaded = await loadConfig(join(folder, 'rolecall.config.json'))
  const { folder: path } = await runEvaluation(loaded, { name: 'r', workDir: join(folder, 'outputs'), cache: false, environment })
  const run = new OpenRun(path)
  const predictions = join(path, run.info.pairs[0]!.predictions)
  expect((await run.columns(0, undefined)).replyTokens).toEqual([1, 1, 1])
  expect((await run.lengths(0)).replyTokens.pairs[0]!.most).toBe(1)
  const before = run.scores(0)
  expect(before).toMatchObject({ scores: [1, 1, 1] })
  expect((await run.state()).pairs[0]!.stamp).toBe(before.stamp)

  const line = readFileSync(predictions, 'utf8').split('\n')[1]!
  const replaced = { ...JSON.parse(line), prediction: 'no', score: 0, tokens: { prompt: 1, reused: 0, reply: 9 } }
  appendFileSync(predictions, `${JSON.stringify(replaced)}\n`)
  utimesSync(predictions, 1, 1)
  expect((await run.columns(0, undefined)).replyTokens).toEqual([1, 9, 1])
  expect((await run.lengths(0)).replyTokens.pairs[0]!.most).toBe(9)
  const after = run.scores(0)
  expect(after).toMatchObject({ scores: [1, 0, 1] })
  expect((await run.state()).pairs[0]!.stamp).toBe(after.stamp)
  expect(after.stamp).not.toBe(before.stamp)
  run.close()
})
