import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { hubServer } from '../../../../../proof/testing/hub-server.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { CompareThread } from '../../server/viewer/compare-thread.ts'
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
afterEach(() => {
  process.chdir(here)
  vi.unstubAllEnvs()
})

/** Makes a finished run. */
async function run(name: string): Promise<string> {
  const reply = { text: '2', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
  const environment = { ...nodeEnvironment(folder), openModel: async () => ({ name: 'm', generate: async () => reply }) }
  const loaded = await loadConfig(join(folder, 'rolecall.config.json'))
  return (await runEvaluation(loaded, { name, workDir: join(outputs, name), cache: false, environment })).folder
}

/** Requests data of the page. */
async function get<Value>(viewed: Awaited<ReturnType<typeof openViewed>>, path: string): Promise<Value> {
  const app = viewerApp({ version: 'test', ...viewed }, new CompareThread(), { folder })
  return (await app.request(path, { headers: { host: '127.0.0.1' } })).json() as Promise<Value>
}

const lines = (viewed: Awaited<ReturnType<typeof openViewed>>) => get<RunLine[]>(viewed, '/data/runs.json')

test('a run is found by its name from a folder below the config', async () => {
  await run('mine')
  const below = join(folder, 'src', 'deep')
  mkdirSync(below, { recursive: true })
  process.chdir(below)
  const { runs = [] } = await openViewed(['outputs/mine'])
  expect(runs.map(({ run }) => run.info.name)).toEqual(['mine'])
  await expect(openViewed(['outputs/other'])).rejects.toThrow(/there is no run in/)
})

test('a run that is deleted while it is viewed is marked as gone, and the others stay', async () => {
  const [gone] = [await run('gone'), await run('stays')]
  const viewed = await openViewed([outputs])
  rmSync(gone, { recursive: true })
  const states = (await lines(viewed)).map(({ state }) => state).sort()
  expect(states).toEqual(['done', 'gone'])
  expect((await get<Site>(viewed, '/data/site.json')).runs).toHaveLength(2)
  expect(await get(viewed, `/data/runs/${viewed.runs!.findIndex(({ run }) => run.folder === gone)}/state.json`)).toMatchObject({
    error: { problem: 'the run was deleted or moved' },
  })
})

test('a broken summary.json does not hide a run, and is reported until it is restored', async () => {
  const folderOfRun = await run('half')
  const viewed = await openViewed([outputs])
  const file = join(folderOfRun, 'summary/summary.json')
  const whole = readFileSync(file, 'utf8')
  writeFileSync(file, whole.slice(0, whole.length / 2))
  expect(await lines(viewed)).toMatchObject([
    { state: 'done', rows: 1, figures: [{ value: 100 }], damage: [{ kind: 'file', file: 'summary/summary.json' }] },
  ])
  writeFileSync(file, whole)
  expect((await lines(viewed))[0]).not.toHaveProperty('damage')
})

test('an unreadable run takes a line among others with its cause, and is an error on its own', async () => {
  const [bad, worse] = [await run('bad'), await run('worse')]
  await run('good')
  writeFileSync(join(bad, 'configs/config.json'), '{"models": [')
  writeFileSync(join(worse, 'configs/run.json'), '')
  const viewed = await openViewed([outputs])
  expect(viewed.runs!.map(({ run }) => run.info.name)).toEqual(['good'])
  expect(warned).toContain(join(bad, 'configs/config.json'))
  expect((await get<Site>(viewed, '/data/site.json')).unreadable).toMatchObject([
    { folder: bad, where: join(bad, 'configs/config.json'), problem: expect.stringContaining('not valid JSON') },
    { folder: worse, where: join(worse, 'configs/run.json') },
  ])
  await expect(openViewed([bad])).rejects.toThrow(/not valid JSON/)
})

test('a run that is started while others are viewed appears once it can be read', async () => {
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

test('a model on a hub is viewed in its template, a dataset with the prompt that init would write, or as the results in it', async () => {
  const result = { results: { sums: { 'acc,none': 1 } }, 'n-shot': { sums: 0 }, configs: { sums: { task: 'sums' } }, model_name: 'm' }
  const sample = { doc_id: 0, doc: { q: '1+1' }, target: '2', arguments: [['1+1']], resps: [['2']], filtered_resps: ['2'], acc: 1 }
  const server = await hubServer({
    'models/acme/chat': { files: { 'tokenizer_config.json': JSON.stringify({ chat_template: '[{{ messages[0].content }}]' }) } },
    'datasets/acme/qa': { files: { 'test.jsonl': '{"question": "1+1?", "answer": "2"}\n{"question": "2+2?", "answer": "4"}\n' } },
    'datasets/acme/odd': { files: { 'test.jsonl': '{"x": 1.5, "y": [true]}\n' } },
    'datasets/acme/details': {
      files: {
        'm/results_2026-01-01T00-00-00.000000.json': JSON.stringify(result),
        'm/samples_sums_2026-01-01T00-00-00.000000.jsonl': `${JSON.stringify(sample)}\n`,
      },
    },
  })
  vi.stubEnv('HF_ENDPOINT', server.url)
  vi.stubEnv('HF_HOME', join(folder, 'cache'))
  vi.stubEnv('HF_HUB_OFFLINE', '')
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'own-cache'))
  process.chdir(folder)
  const templated = await openViewed(['acme/chat'])
  expect(JSON.stringify(templated.configs[0]!.site)).toContain('[{{ messages[0].content }}]')
  const rows = await openViewed(['hf://datasets/acme/qa'])
  expect(rows.configs[0]!.site.name).toBe('qa')
  expect(JSON.stringify(rows.configs[0]!.site)).toContain('{question}')
  await openViewed(['hf://datasets/acme/odd'])
  expect(warned).toContain('every column is shown')
  const { runs = [] } = await openViewed(['hf://datasets/acme/details'])
  expect(runs).toHaveLength(1)
  await expect(openViewed(['acme/chat', 'hf://acme/chat'])).rejects.toThrow('another is given')
  await expect(openViewed(['acme/qa'])).rejects.toThrow('a dataset is hf://datasets/acme/qa')
  await server.close()
})
