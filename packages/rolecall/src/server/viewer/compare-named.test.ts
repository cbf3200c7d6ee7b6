import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { openViewed } from '../../cli/view/open-viewed.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { compareNamed } from './compare-named.ts'
import { CompareThread } from './compare-thread.ts'
import { explainNamed } from './explain-named.ts'
import { OpenRun } from './open-run.ts'
import { closeViewed } from './serve-viewer.ts'
import { viewerApp } from './viewer-app.ts'
import type { ComparedSides, WhyView } from './viewer-data.ts'

const config = {
  models: ['old', 'new'].map((path) => ({ abbr: path, type: 'openai', path, format: 'plain' })),
  datasets: [
    {
      abbr: 'sums',
      rows: Array.from({ length: 8 }, (_, row) => ({ question: `${row}`, answer: 'yes' })),
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
}

/** A run of a model that is always wrong and one that is always right. */
async function made() {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  const reply = (text: string) => ({ text, finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] })
  const openModel = async ({ path = '' }) => ({ name: path, generate: async () => reply(path === 'old' ? 'no' : 'yes') })
  const loaded = await loadConfig(join(folder, 'rolecall.config.json'))
  const environment = { ...nodeEnvironment(folder), openModel }
  const { folder: run } = await runEvaluation(loaded, { name: 'r', workDir: join(folder, 'outputs'), cache: false, environment })
  return { folder, run }
}

test('two models of a run are compared by the names of its folder, as the server compares them', async () => {
  const { run } = await made()
  const named = compareNamed([
    { folder: run, model: 0 },
    { folder: run, model: 1 },
  ])
  const compared = JSON.parse(named.kind === 'answered' ? named.json : '{}') as ComparedSides
  expect(compared.pairs).toMatchObject([
    { comparison: { dataset: 'sums', rows: 8, comparison: { difference: 100 } }, rows: { changes: 'bbbbbbbb' } },
  ])
  const opened = new OpenRun(run)
  // So few rows need no thread.
  expect(await new CompareThread().compare({ run: opened, model: 0 }, { run: opened, model: 1 })).toBe(JSON.stringify(compared))
  opened.close()
  const explained = await explainNamed([
    { folder: run, name: 'r', pair: 0 },
    { folder: run, name: 'r', pair: 1 },
  ])
  const { report, ids, metrics } = JSON.parse(explained.kind === 'answered' ? explained.json : '{}') as WhyView
  expect(report).toMatchObject({
    difference: 1,
    causes: [{ step: 'replies', cause: 'model', effect: 1, gained: [0, 1, 2, 3, 4, 5, 6, 7] }],
  })
  expect([ids[0], ids[1], metrics[0]]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7], ['accuracy']])
  expect(
    await new CompareThread()
      .explain(
        [
          { folder: run, name: 'r', pair: 0, metric: 'none' },
          { folder: run, name: 'r', pair: 1 },
        ],
        16,
      )
      .catch((error: Error) => error.message),
  ).toContain('it has no metric "none"')
})

test('all datasets of two models are explained together, by their numbers', async () => {
  const { folder, run } = await made()
  const viewed = { version: 'test', ...(await openViewed([run])) }
  const app = viewerApp(viewed, new CompareThread(), { folder })
  const get = async (sides: string, query = '') =>
    (await app.request(`http://127.0.0.1/data/why/groups/${sides}.json${query}`, { headers: { host: '127.0.0.1' } })).json()
  expect(await get('0.0-0.1')).toMatchObject({
    first: { model: 'old', group: 'all datasets', score: 0, rows: 8 },
    second: { model: 'new', score: 1 },
    difference: 1,
    causes: [{ step: 'replies', cause: 'model', effect: 1, datasets: [{ dataset: 'sums', effect: 1 }] }],
    datasets: [{ first: 'sums', second: 'sums', scores: [0, 1], effect: 1 }],
  })
  expect(await get('0.1-0.0')).toMatchObject({ first: { model: 'new' }, difference: -1 })
  expect(JSON.stringify(await get('0.0-0.2'))).toContain('unknown model')
  expect(JSON.stringify(await get('0.0-0.1', '?group=none'))).toContain('neither run reports a group')
  await closeViewed(viewed)
})

test('a run that is gone is an error with its folder', async () => {
  const gone = { folder: '/no/such/run', model: undefined }
  expect(compareNamed([gone, gone])).toMatchObject({ kind: 'prompt-error', where: expect.stringContaining('/no/such/run') })
  const side = { folder: '/no/such/run', name: 'gone', pair: 0 }
  expect(await explainNamed([side, side])).toMatchObject({ kind: 'prompt-error', where: expect.stringContaining('/no/such/run') })
})
