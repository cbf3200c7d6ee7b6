import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type HubServer, hubServer } from '../../../../../proof/testing/hub-server.ts'
import { loadConfig } from './load-config.ts'

const sum = '{"question": "2+2?", "answer": "Four.\\n#### 4"}\n'
const choice = '{"question": "2+2?", "A": "3", "B": "4", "C": "5", "D": "6", "answer": "B"}\n'
const repos = {
  'datasets/openai/gsm8k': { files: { 'test.jsonl': sum, 'train.jsonl': sum.repeat(5), 'weights.bin': 'large' } },
  'datasets/cais/mmlu': {
    files: {
      'test/anatomy.jsonl': choice,
      'dev/anatomy.jsonl': choice.repeat(5),
      'test/virology.jsonl': choice,
      'dev/virology.jsonl': choice.repeat(5),
    },
  },
  'datasets/acme/empty': { files: { 'README.md': 'nothing' } },
}

let server: HubServer
let folder: string
beforeEach(async () => {
  server = await hubServer(repos)
  folder = mkdtempSync(join(tmpdir(), 'rolecall-preset-'))
  for (const [name, value] of Object.entries({ HF_ENDPOINT: server.url, HF_HOME: join(folder, 'cache'), HF_HUB_OFFLINE: '' }))
    vi.stubEnv(name, value)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const load = async (dataset: object) => {
  const file = join(folder, 'rolecall.config.json')
  writeFileSync(file, JSON.stringify({ models: [{ abbr: 'm', type: 'embedded' }], datasets: [dataset] }))
  return (await loadConfig(file)).config
}
const sent = () => server.requests.map(({ path }) => /\/resolve\/[^/]+\/(.+)/.exec(path)?.[1]).filter((path) => path !== undefined)

test('a preset without a path downloads its files, and only those', async () => {
  const { datasets } = await load({ preset: 'gsm8k' })
  expect(datasets[0]!.path).toMatch(/datasets--openai--gsm8k.*test\.jsonl$/)
  expect(sent()).toEqual(['test.jsonl', 'train.jsonl'])
})

test('only the files of the wanted subjects are downloaded', async () => {
  const { datasets } = await load({ preset: 'mmlu', subjects: ['virology'] })
  expect(datasets.map(({ abbr }) => abbr)).toEqual(['mmlu_virology'])
  expect(sent()).toEqual(['test/virology.jsonl', 'dev/virology.jsonl'])
})

test('its path can be the name of another dataset, and offline the cache serves', async () => {
  await load({ preset: 'gsm8k', path: 'hf://datasets/openai/gsm8k' })
  vi.stubEnv('HF_HUB_OFFLINE', '1')
  const before = server.requests.length
  expect((await load({ preset: 'gsm8k', path: 'openai/gsm8k' })).datasets).toHaveLength(1)
  expect(server.requests.length).toBe(before)
})

test.for([
  [{ preset: 'mmlu', subjects: ['viralogy'] }, /no files for "viralogy".*virology/s],
  [{ preset: 'gsm8k', path: 'acme/empty' }, /none of the files that are needed/],
  [{ preset: 'gsm8k', path: 'acme/missing' }, /no file or folder acme\/missing here, and as a name on a hub/],
  [{ preset: 'gsm8k', path: './nowhere' }, /there is no folder \.\/nowhere/],
  [{ preset: 'sharegpt' }, /the files of "sharegpt" are not on a hub/],
] as const)('%j is an error', async ([dataset, message]) => {
  await expect(load(dataset)).rejects.toThrow(message)
})
