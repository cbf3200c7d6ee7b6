import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from '../../../../../docs/run-command.ts'
import { type HubServer, hubServer } from '../../../../../proof/testing/hub-server.ts'

const rows = '{"problem": "2+2?", "answer": "4"}\n'.repeat(100)
const infer = { prompt_template: { template: '{problem}' }, inferencer: { type: 'GenInferencer', max_out_len: 4 } }
const config = (dataset: object) =>
  JSON.stringify({ models: [{ abbr: 'm', type: 'embedded', format: 'chatml' }], datasets: [{ ...dataset, infer_cfg: infer }] })

let server: HubServer
let folder: string
beforeEach(async () => {
  const bio = { 'data/CARDBiomedBench.csv': 'problem,answer,Bio_Category\n2+2?,4,sums\n' }
  const tokenizer = { 'tokenizer.json': readFileSync(new URL('../../../embedded-model/tokenizer.json', import.meta.url)) }
  server = await hubServer({
    'datasets/acme/rows': { files: { 'test.jsonl': rows } },
    'datasets/acme/bio': { files: bio },
    'models/acme/chat': { files: tokenizer },
  })
  folder = mkdtempSync(join(tmpdir(), 'rolecall-hub-'))
  vi.stubEnv('HF_ENDPOINT', server.url)
  vi.stubEnv('HF_HOME', join(folder, 'hf'))
  vi.stubEnv('HF_HUB_OFFLINE', '')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true })
})

test('a tokenizer of a hub is shown by its name, not by its place in the cache', async () => {
  expect(await runCommand(['render', '--format', 'chatml', '--tokenizer', 'acme/chat'], folder)).toMatch(
    / \d+ tokens by acme\/chat@[0-9a-f]{12}\/tokenizer\.json: /,
  )
})

test('hub fetch prints what a config needs, with sizes, and hub lock pins it', async () => {
  writeFileSync(join(folder, 'own.json'), config({ abbr: 'own', path: 'acme/rows' }))
  expect(await runCommand(['hub', 'fetch', 'own.json'], folder)).toMatch(
    /^ +4 kB {2}hf:\/\/datasets\/acme\/rows at [0-9a-f]{12}: test\.jsonl\n/,
  )
  await runCommand(['hub', 'lock', 'own.json'], folder)
  expect(JSON.parse(readFileSync(join(folder, 'rolecall.lock'), 'utf8')).repositories).toHaveProperty([
    'hf://datasets/acme/rows',
    'files',
    'test.jsonl',
  ])
})

test('data that a class of OpenCompass reads from a hub is fetched, locked beside the config, and refused if it is not in the lock', async () => {
  mkdirSync(join(folder, 'sub'))
  const dataset = { abbr: 'bio', type: 'CARDBiomedBenchDataset', path: 'acme/bio', prompt_mode: 'zero-shot' }
  const reader = { reader_cfg: { input_columns: ['problem'], output_column: 'answer' } }
  writeFileSync(join(folder, 'sub/class.json'), config({ ...dataset, ...reader }))
  await runCommand(['hub', 'lock', 'sub/class.json'], folder)
  const lock = join(folder, 'sub/rolecall.lock')
  expect(readFileSync(lock, 'utf8')).toContain('data/CARDBiomedBench.csv')
  vi.stubEnv('ROLECALL_FROZEN', '1')
  expect(await runCommand(['render', 'sub/class.json', '--text'], folder)).toContain('2+2?')
  writeFileSync(lock, JSON.stringify({ version: 1, repositories: {} }))
  expect(await runCommand(['render', 'sub/class.json', '--text'], folder)).toContain('--frozen allows only what rolecall.lock lists')
})

test('hub pack says that data of OpenCompass in a folder is left out, and does not overwrite a config', async () => {
  mkdirSync(join(folder, 'data/gsm8k'), { recursive: true })
  for (const split of ['train', 'test'])
    writeFileSync(join(folder, `data/gsm8k/${split}.jsonl`), '{"question": "2+2?", "answer": "#### 4"}\n')
  const reader = { reader_cfg: { input_columns: ['question'], output_column: 'answer' } }
  writeFileSync(join(folder, 'class.json'), config({ abbr: 'g', type: 'GSM8KDataset', path: './data/gsm8k', ...reader }))
  const printed = await runCommand(['hub', 'pack', 'class.json', 'pack.tar'], folder)
  expect(printed).toMatch(/warning their files are not packed: [\s\S]*\(g\)/)
  expect(await runCommand(['hub', 'pack', 'class.json', '--tasks', 'x'], folder)).toContain('the last word is the tar file to write')
  expect(readFileSync(join(folder, 'class.json'), 'utf8')).toContain('GSM8KDataset')
  expect(printed).toContain('the config uses nothing from a hub')
})
