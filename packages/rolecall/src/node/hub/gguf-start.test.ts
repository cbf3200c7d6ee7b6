import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ggufFile } from '../../../../../proof/testing/gguf-file.ts'
import { type HubServer, hubServer } from '../../../../../proof/testing/hub-server.ts'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import { withHubFiles } from '../config/hub-files.ts'
import { readGgufMetadata } from '../models/gguf/read-gguf.ts'
import { fetchGguf } from './fetch-model.ts'
import { parseHubName } from './hub-name.ts'
import { hubUse } from './hub-use.ts'
import { localGgufPath, localModelPath } from './local-paths.ts'
import { Hub } from './open-hub.ts'

const megabyte = 1024 * 1024
const header = ggufFile({ 'tokenizer.chat_template': 'a template' })
const large = Buffer.concat([header, Buffer.alloc(9 * megabyte)])
const long = ggufFile({ 'general.description': 'x'.repeat(9 * megabyte), 'tokenizer.chat_template': 'after a long text' })

let server: HubServer
let folder: string
let environment: Record<string, string>
beforeEach(async () => {
  const files = { 'a-Q4_K_M.gguf': large, 'a-Q8_0.gguf': long, 'a-Q2_K.gguf': 'not GGUF, but longer than its header', 'a-Q3_K.gguf': '' }
  server = await hubServer({ 'models/acme/a-GGUF': { files } })
  folder = mkdtempSync(join(tmpdir(), 'rolecall-hub-'))
  environment = { HF_ENDPOINT: server.url, HF_HOME: folder }
})
afterEach(async () => {
  vi.unstubAllEnvs()
  hubUse.weights = true
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const forConfig = () => {
  vi.stubEnv('HF_ENDPOINT', server.url)
  vi.stubEnv('HF_HOME', folder)
  vi.stubEnv('HF_HUB_OFFLINE', '')
}

const templateIn = (path: string) => readGgufMetadata(path).get('tokenizer.chat_template')

test('a template needs only the start of a GGUF file, which is not where Python expects the file', async () => {
  const path = await localModelPath('acme/a-GGUF', { environment })
  expect(templateIn(path)).toBe('a template')
  expect(statSync(path).size).toBe(8 * megabyte)
  expect(path).toContain('/.rolecall/starts/')
  expect(server.requests.filter(({ range }) => range !== undefined).map(({ range }) => range)).toContain('bytes=0-8388607')
  expect(await localModelPath('acme/a-GGUF', { environment: { ...environment, HF_HUB_OFFLINE: '1' } })).toBe(path)
  await expect(localGgufPath('acme/a-GGUF', { environment: { ...environment, HF_HUB_OFFLINE: '1' } })).rejects.toThrow(
    'is not in the cache',
  )
})

test('metadata that is longer than the first request is read to its end, also over a connection that breaks off', async () => {
  server.fault = { kind: 'cut', times: 2 }
  expect(templateIn(await localModelPath('acme/a-GGUF:Q8_0', { environment }))).toBe('after a long text')
  expect(new Set(server.requests.flatMap(({ range }) => range ?? []))).toEqual(new Set(['bytes=0-8388607', `bytes=0-${long.length - 1}`]))
})

test('the whole file is used where it is in the cache', async () => {
  const whole = await localGgufPath('acme/a-GGUF', { environment })
  expect(readFileSync(whole).length).toBe(large.length)
  expect(await localModelPath('acme/a-GGUF:Q4_K_M', { environment })).toBe(whole)
})

test('a file that is no GGUF file, or is empty, is an error', async () => {
  await expect(localModelPath('acme/a-GGUF:Q2_K', { environment })).rejects.toThrow('it does not begin with "GGUF"')
  await expect(localModelPath('acme/a-GGUF:Q3_K', { environment })).rejects.toThrow('broke off 5 times')
})

test('commands that open no model do not download the weights of a config, of models and of judges', async () => {
  forConfig()
  hubUse.weights = false
  const model = { abbr: 'm', type: 'gguf', path: 'acme/a-GGUF' }
  const judge = { type: 'GenericLLMEvaluator', prompt_template: { template: '{prediction}' }, judge_cfg: model }
  const datasets = [{ abbr: 'd', rows: [{ q: 1 }], infer_cfg: { prompt_template: { template: '{q}' } }, eval_cfg: { evaluator: judge } }]
  const config = await withHubFiles(checkConfig({ models: [model], datasets }, '', { foreignKeys: true }), { folder })
  const judged = config.datasets[0]!.eval_cfg!.evaluator as unknown as { judge_cfg: { path: string } }
  for (const path of [(config.models[0] as { path: string }).path, judged.judge_cfg.path]) expect(statSync(path).size).toBe(8 * megabyte)
})

test('only the selected models of a config are downloaded with their weights, and only the selected rows', async () => {
  forConfig()
  const models = ['Q4_K_M', 'Q8_0'].map((one) => ({ abbr: one, type: 'gguf', path: `acme/a-GGUF:${one}` }))
  const template = { infer_cfg: { prompt_template: { template: '{q}' } } }
  const datasets = [
    { abbr: 'here', rows: [{ q: 1 }], ...template },
    { abbr: 'there', path: 'hf://datasets/acme/none', ...template },
  ]
  const checked = checkConfig({ models, datasets }, '', { foreignKeys: true })
  const config = await withHubFiles(checked, { folder, used: { models: 'Q8*,added-by-a-flag', datasets: 'here' } })
  const [first, second] = config.models.map((model) => statSync((model as { path: string }).path).size)
  expect([first, second]).toEqual([8 * megabyte, long.length])
  const judged = {
    abbr: 'judged',
    rows: [{ q: 1 }],
    ...template,
    eval_cfg: { evaluator: { type: 'LMEvaluator', judge_cfg: { abbr: 'j' } } },
  }
  const { models: all } = await withHubFiles({ ...checked, datasets: [judged] } as typeof checked, { folder, used: { models: 'j' } })
  // Only a judge is named: every model is used.
  for (const model of all) expect(statSync((model as { path: string }).path).size).toBeGreaterThan(8 * megabyte)
  await expect(withHubFiles(checked, { folder })).rejects.toThrow('there is no such dataset')
})

test('a lock has the hashes of all shards, and no weights are downloaded', async () => {
  const shards = Object.fromEntries([1, 2, 3].map((one) => [`BF16/a-BF16-0000${one}-of-00003.gguf`, one === 1 ? header : `${one}`]))
  const sharded = await hubServer({ 'models/acme/a-GGUF': { files: shards } })
  const hub = new Hub({ environment: { HF_ENDPOINT: sharded.url, HF_HOME: folder } })
  await fetchGguf(hub, parseHubName('acme/a-GGUF:BF16')!, false)
  const { files } = hub.sources[0]!
  expect(files).toEqual(
    Object.fromEntries(Object.entries(shards).map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')])),
  )
  expect(sharded.requests.filter(({ path }) => path.includes('/cdn/'))).toHaveLength(1)
  await hub.close()
  await sharded.close()
})
