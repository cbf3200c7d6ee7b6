import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hubServer } from '../../../../testing/hub-server.ts'
import { zipOf } from '../../../../testing/zip-of.ts'
import { dictFromEntries } from '../../../base/python/index.ts'
import { load } from '../../../compat/opencompass/loaders/index.ts'
import { diskFiles } from '../rows/loader-rows.ts'
import { localRepository } from './local-paths.ts'
import { fetchDataArchive } from './opencompass-archives.ts'

const row = '{"question": "2+2?", "answer": "#### 4"}\n'
const zip = zipOf({ 'gsm8k/test.jsonl': row, 'gsm8k/train.jsonl': row.repeat(3) })
const md5 = createHash('md5').update(zip).digest('hex')

let server: Server
let folder: string
let requests: string[]
beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push(request.url!)
    if (request.url === '/data/gsm8k.zip') response.writeHead(200, { 'content-length': zip.length }).end(zip)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  folder = mkdtempSync(join(tmpdir(), 'rolecall-archives-'))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const environment = () => ({ ROLECALL_OPENCOMPASS_DATA: `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`, HOME: folder })
const unpacked = () => join(folder, '.cache/opencompass/data')

test('missing data of a dataset class is downloaded once, where OpenCompass puts it', async () => {
  const files = {
    ...diskFiles(folder, folder),
    environment: environment(),
    download: ({ name }: { name: string }) => fetchDataArchive({ name, md5 }, environment()),
  }
  const settings = dictFromEntries([['path', 'opencompass/gsm8k']])
  expect(await load('GSM8KDataset', settings, files)).toBeDefined()
  expect(readdirSync(unpacked())).toEqual(['gsm8k'])
  const before = requests.length
  await load('GSM8KDataset', settings, files)
  expect(requests.length).toBe(before)
})

test('an archive that several datasets need at once is downloaded once', async () => {
  const archive = { name: 'gsm8k.zip', md5 }
  expect(await Promise.all([1, 2, 3].map(() => fetchDataArchive(archive, environment())))).toEqual([true, true, true])
  // One request for the size, and one for the archive.
  expect(requests).toHaveLength(2)
  expect(readdirSync(unpacked())).toEqual(['gsm8k'])
})

test('an archive that cannot be unpacked to its end leaves no folder that looks complete', async () => {
  const archive = { name: 'gsm8k.zip', md5 }
  // The second file of the archive cannot be written.
  mkdirSync(join(unpacked(), `gsm8k.zip.unpacking/gsm8k/train.jsonl.${process.pid}.incomplete`), { recursive: true })
  await expect(fetchDataArchive(archive, environment())).rejects.toThrow()
  expect(existsSync(join(unpacked(), 'gsm8k'))).toBe(false)
  rmSync(join(unpacked(), 'gsm8k.zip.unpacking'), { recursive: true })
  await fetchDataArchive(archive, environment())
  expect(readdirSync(unpacked())).toEqual(['gsm8k'])
})

test('files that are there stay, and missing ones are added', async () => {
  mkdirSync(join(unpacked(), 'gsm8k'), { recursive: true })
  writeFileSync(join(unpacked(), 'gsm8k/test.jsonl'), 'mine')
  await fetchDataArchive({ name: 'gsm8k.zip', md5 }, environment())
  expect(readFileSync(join(unpacked(), 'gsm8k/test.jsonl'), 'utf8')).toBe('mine')
  expect(readFileSync(join(unpacked(), 'gsm8k/train.jsonl'), 'utf8')).toBe(row.repeat(3))
})

test('a repository of the hub is downloaded for a class that names one', async () => {
  const hub = await hubServer({
    'datasets/acme/aime': { files: { 'test.jsonl': '{"problem": "1+1?", "answer": 2}\n', 'weights.bin': 'x' } },
  })
  try {
    const environment = { HF_ENDPOINT: hub.url, HF_HOME: folder }
    const files = { ...diskFiles(folder, folder), repository: (id: string) => localRepository(id, { environment, folder }) }
    const rows = await load('BeyondAIMEDataset', dictFromEntries([['path', 'acme/aime']]), files)
    expect(rows).toMatchObject({ columns: ['question', 'answer'], rows: [{ question: '1+1?', answer: 2 }] })
    expect(hub.requests.some(({ path }) => path.endsWith('weights.bin'))).toBe(false)
  } finally {
    await hub.close()
  }
})

test('COMPASS_DATA_CACHE is the folder, and offline nothing is asked', async () => {
  const cache = join(folder, 'elsewhere')
  expect(await fetchDataArchive({ name: 'gsm8k.zip', md5 }, { ...environment(), HF_HUB_OFFLINE: '1' })).toBe(false)
  expect(requests).toEqual([])
  expect(await fetchDataArchive({ name: 'gsm8k.zip', md5 }, { ...environment(), COMPASS_DATA_CACHE: cache })).toBe(true)
  expect(existsSync(join(cache, 'data/gsm8k/test.jsonl'))).toBe(true)
})

test('an archive with another hash, one that is not there, and a server that is away are errors', async () => {
  await expect(fetchDataArchive({ name: 'gsm8k.zip', md5: '0'.repeat(32) }, environment())).rejects.toThrow('its hash is another')
  await expect(fetchDataArchive({ name: 'none.zip', md5 }, environment())).rejects.toThrow('the answer is 404')
  const away = { ...environment(), ROLECALL_OPENCOMPASS_DATA: 'http://127.0.0.1:9/data' }
  await expect(fetchDataArchive({ name: 'gsm8k.zip', md5 }, away)).rejects.toThrow(/cannot be downloaded.*mirror, or put the data into/s)
  expect(existsSync(unpacked()) ? readdirSync(unpacked()) : []).toEqual([])
})
