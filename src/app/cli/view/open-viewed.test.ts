import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { viewerApp } from '../../server/viewer/viewer-app.ts'
import type { RunLine, Site } from '../../server/viewer/viewer-data.ts'
import { openViewed } from './open-viewed.ts'

const config = JSON.stringify({
  models: [{ abbr: 'm', type: 'openai', path: 'm', format: 'plain' }],
  datasets: [
    {
      abbr: 'sums',
      rows: [{ question: '1+1=?', answer: '2' }],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
})

let folder: string
let outputs: string
let warned: string

beforeEach(() => {
  folder = folderWith({ 'rolecall.config.json': config })
  outputs = join(folder, 'outputs')
  warned = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    warned += String(text)
    return true
  })
})

const here = process.cwd()
afterEach(() => process.chdir(here))

/** A run by this name, done. */
async function run(name: string): Promise<string> {
  const reply = { text: '2', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
  const environment = { ...nodeEnvironment(folder), openModel: async () => ({ name: 'm', generate: async () => reply }) }
  const loaded = await loadConfig(join(folder, 'rolecall.config.json'))
  return (await runEvaluation(loaded, { name, workDir: join(outputs, name), cache: false, environment })).folder
}

/** What the page is told of these runs, and of those that came since. */
async function asked<Value>(viewed: Awaited<ReturnType<typeof openViewed>>, path: string): Promise<Value> {
  const app = viewerApp({ version: 'test', ...viewed }, folder)
  return (await app.request(path, { headers: { host: '127.0.0.1' } })).json() as Promise<Value>
}

const lines = (viewed: Awaited<ReturnType<typeof openViewed>>) => asked<RunLine[]>(viewed, '/data/runs.json')

test('a run is found by its name from a folder below the config', async () => {
  await run('mine')
  const below = join(folder, 'src', 'deep')
  mkdirSync(below, { recursive: true })
  process.chdir(below)
  const { runs = [] } = await openViewed(['outputs/mine'])
  expect(runs.map(({ run }) => run.info.name)).toEqual(['mine'])
  await expect(openViewed(['outputs/other'])).rejects.toThrow(/there is no run in/)
})

test('a run that is deleted while it is looked at is told to be, and the others stay', async () => {
  const [gone] = [await run('gone'), await run('stays')]
  const viewed = await openViewed([outputs])
  rmSync(gone!, { recursive: true })
  const states = (await lines(viewed)).map(({ state }) => state).sort()
  expect(states).toEqual(['done', 'gone'])
  expect((await asked<Site>(viewed, '/data/site.json')).runs).toHaveLength(2)
  expect(await asked(viewed, `/data/runs/${viewed.runs!.findIndex(({ run }) => run.folder === gone)}/state.json`)).toMatchObject({
    error: { problem: 'this run was deleted or moved' },
  })
})

test('a file of a run that is half written is told, and no more when it is whole', async () => {
  const folderOfRun = await run('half')
  const viewed = await openViewed([outputs])
  const file = join(folderOfRun, 'summary/summary.json')
  const whole = readFileSync(file, 'utf8')
  writeFileSync(file, whole.slice(0, whole.length / 2))
  expect(await lines(viewed)).toMatchObject([{ state: 'damaged', error: { where: file, problem: expect.stringContaining('no JSON') } }])
  writeFileSync(file, whole)
  expect(await lines(viewed)).toMatchObject([{ state: 'done' }])
})

test('among others, a run whose files are damaged is left out and told; alone it is an error', async () => {
  const [bad, worse] = [await run('bad'), await run('worse')]
  await run('good')
  writeFileSync(join(bad!, 'configs/config.json'), '{"models": [')
  writeFileSync(join(worse!, 'configs/run.json'), '')
  const { runs = [] } = await openViewed([outputs])
  expect(runs.map(({ run }) => run.info.name)).toEqual(['good'])
  expect(warned).toContain(join(bad!, 'configs/config.json'))
  expect(warned).toContain(`${worse}: its configs/run.json cannot be read; this run is not shown`)
  await expect(openViewed([bad!])).rejects.toThrow(/no JSON/)
})

test('a run that is begun while others are looked at is seen when it can be read', async () => {
  await run('first')
  const viewed = await openViewed([outputs])
  const later = await run('later')
  const file = join(later, 'configs/config.json')
  const whole = readFileSync(file, 'utf8')
  writeFileSync(file, '')
  expect(await lines(viewed)).toHaveLength(1)
  writeFileSync(file, whole)
  expect(await lines(viewed)).toHaveLength(2)
  expect(readdirSync(outputs)).toHaveLength(2)
})
