import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { openViewed } from '../../cli/view/open-viewed.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { CompareThread } from './compare-thread.ts'
import { closeViewed } from './serve-viewer.ts'
import { viewerApp } from './viewer-app.ts'

const config = JSON.stringify({
  models: [{ abbr: 'm', type: 'openai', path: 'm', format: 'plain' }],
  datasets: [
    {
      abbr: 'sums',
      rows: Array.from({ length: 10 }, (_, row) => ({ question: `${row}`, answer: row < 4 ? 'yes' : 'no' })),
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
})

/** The viewer of a run with ten rows, the first four of which are right. */
async function made() {
  const folder = folderWith({ 'rolecall.config.json': config, 'index.html': '' })
  const reply = { text: 'yes', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
  const environment = { ...nodeEnvironment(folder), openModel: async () => ({ name: 'm', generate: async () => reply }) }
  const loaded = await loadConfig(join(folder, 'rolecall.config.json'))
  const { folder: run } = await runEvaluation(loaded, { name: 'r', workDir: join(folder, 'outputs'), cache: false, environment })
  const viewed = { version: 'test', ...(await openViewed([run])) }
  const app = viewerApp(viewed, new CompareThread(), { folder, token: 'secret' })
  const headers = { host: '127.0.0.1:1', origin: 'http://127.0.0.1:1', 'x-rolecall-token': 'secret', 'content-type': 'application/json' }
  const get = async (path: string) => (await app.request(`http://127.0.0.1:1/data/${path}`, { headers })).text()
  const note = async (row: number | string, body: unknown) => {
    const response = await app.request(`http://127.0.0.1:1/data/runs/0/0/annotations/${row}`, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, body: await response.text() }
  }
  return { run, viewed, get, note, file: join(run, 'annotations.jsonl') }
}

test('notes on rows are appended beside the run, shown, counted and compared with the scores', async () => {
  const { viewed, get, note, file } = await made()
  expect(JSON.parse(await get('runs/0/reviews.json'))).toMatchObject([{ annotated: 0, reviewed: 0 }])
  expect((await note(0, { verdict: 'right' })).status).toBe(200)
  await note(1, { verdict: 'wrong', note: 'lucky' })
  await note(5, { verdict: 'wrong' })
  await note(1, { star: true, tags: ['luck', 'luck'] })
  const { body } = await note(6, { verdict: 'right' })
  expect(JSON.parse(body)).toMatchObject({
    rows: [
      { row: 0, verdict: 'right' },
      { row: 1, verdict: 'wrong', note: 'lucky', star: true, tags: ['luck'] },
      { row: 5, verdict: 'wrong' },
      { row: 6, verdict: 'right' },
    ],
    review: {
      annotated: 4,
      starred: 1,
      reviewed: 4,
      counts: { bothRight: 1, onlyFirst: 1, onlySecond: 1, bothWrong: 1 },
      agreement: { share: 0.5, kappa: 0 },
      corrected: 40,
    },
  })
  expect(JSON.parse(await get('runs/0/0/annotations.json'))).toEqual(JSON.parse(body))
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(5)
  await closeViewed(viewed)
})

test('a verdict on an answer that was replaced is outdated', async () => {
  const { run, viewed, note } = await made()
  await note(0, { verdict: 'right' })
  const records = join(run, viewed.runs![0]!.run.info.pairs[0]!.predictions)
  writeFileSync(records, readFileSync(records, 'utf8').replace('"prediction":"yes"', '"prediction":"no"'))
  const again = { version: 'test', ...(await openViewed([run])) }
  const app = viewerApp(again, new CompareThread(), { folder: run })
  const response = await app.request('http://127.0.0.1:1/data/runs/0/0/annotations.json', { headers: { host: '127.0.0.1:1' } })
  expect(await response.json()).toMatchObject({ rows: [{ row: 0, isOutdated: true }], review: { reviewed: 0, outdated: 1 } })
  await closeViewed(viewed)
  await closeViewed(again)
})

test('an answer that is replaced while the run is viewed makes its verdict outdated', async () => {
  const { run, viewed, get, note } = await made()
  await note(0, { verdict: 'right' })
  const records = join(run, viewed.runs![0]!.run.info.pairs[0]!.predictions)
  const [line] = readFileSync(records, 'utf8').split('\n')
  appendFileSync(records, `${line!.replace('"prediction":"yes"', '"prediction":"no"')}\n`)
  expect(JSON.parse(await get('runs/0/0/annotations.json'))).toMatchObject({
    rows: [{ row: 0, isOutdated: true }],
    review: { outdated: 1 },
  })
  await closeViewed(viewed)
})

test('changes that are no annotation, and rows that do not exist, are refused', async () => {
  const { viewed, note } = await made()
  expect(await note(99, { star: true })).toMatchObject({ status: 404, body: expect.stringContaining('this row does not exist') })
  for (const body of ['{', { verdict: 'maybe' }, { stars: 3 }, { note: 'x'.repeat(20_001) }, { tags: Array(31).fill('a') }, []])
    expect([body, (await note(0, body)).status]).toEqual([body, 422])
  expect(await note(0, { note: 'x'.repeat(300_000) })).toEqual({ status: 413, body: 'The request is too large.' })
  await closeViewed(viewed)
})
