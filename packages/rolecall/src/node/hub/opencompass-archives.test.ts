import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hubServer } from '../../../../../proof/testing/hub-server.ts'
import { writeParquet } from '../../../../../proof/testing/presets-matrix/write-parquet.ts'
import { zipOf } from '../../../../../proof/testing/zip-of.ts'
import type { Note } from '../../../../core/src/base/errors/note.ts'
import { dictFromEntries } from '../../../../core/src/base/python/index.ts'
import type { Files } from '../../compat/opencompass/loaders/files.ts'
import { load } from '../../compat/opencompass/loaders/index.ts'
import { diskFiles } from '../rows/loader-rows.ts'
import { localNamedSplit, localRepository } from './local-paths.ts'
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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

test('a class reads the config and split that it needs of the conversion to Parquet, with a note', async () => {
  const table = (text: string) => Buffer.from(writeParquet([{ question: text }]))
  const files = {
    'plain/partial-train/0000.parquet': table('plain'),
    'hard/train/0000.parquet': table('h'),
    'hard/dev_2/0000.parquet': table('d'),
  }
  const hub = await hubServer({ 'datasets/acme/scripted': { files: { 'scripted.py': '' }, converted: { files } } })
  const notes: string[] = []
  try {
    const options = { environment: { HF_ENDPOINT: hub.url, HF_HOME: folder }, folder, note: ({ text }: Note) => notes.push(text) }
    const disk = { ...diskFiles(folder, folder), repository: (id: string) => localRepository(id, options), note: options.note }
    const rows = (name?: string) =>
      load(
        'HFDataset',
        dictFromEntries([['path', 'acme/scripted'], ...(name === undefined ? [] : [['name', name] as [string, string]])]),
        disk,
      )
    expect(await rows('hard')).toMatchObject({ train: { rows: [{ question: 'h' }] }, dev_2: { rows: [{ question: 'd' }] } })
    expect(notes[0]).toBe("its rows come from the hub's conversion to Parquet (refs/convert/parquet)")
    expect(await rows('plain')).toMatchObject({ train: { rows: [{ question: 'plain' }] } })
    expect(notes).toContain('the hub has converted only the first rows of the split "train"')
    await expect(rows('none')).rejects.toThrow('there is no config "none" (there are: hard, plain)')
    await expect(rows()).rejects.toThrow('there is no config "default" (there are: hard, plain)')
  } finally {
    await hub.close()
  }
})

test('DATASET_SOURCE=HF: the splits of a class come from the repository of OpenCompass', async () => {
  const hub = await hubServer({ 'datasets/opencompass/gsm8k': { files: { 'train.jsonl': row.repeat(2), 'test.jsonl': row } } })
  try {
    const environment = { HF_ENDPOINT: hub.url, HF_HOME: folder, DATASET_SOURCE: 'HF' }
    const files: Files = {
      ...diskFiles(folder, folder),
      environment,
      split: (id, part) => localNamedSplit(id, part, { environment, folder }),
    }
    const settings = dictFromEntries([['path', 'opencompass/gsm8k']])
    expect(await load('GSM8KDataset', settings, files)).toMatchObject({ train: { rows: { length: 2 } }, test: { rows: { length: 1 } } })
    const offline = { ...environment, HF_HUB_OFFLINE: '1' }
    const away: Files = { ...files, environment: offline, split: (id, part) => localNamedSplit(id, part, { environment: offline, folder }) }
    expect(await load('GSM8KDataset', settings, away)).toBeDefined()
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
