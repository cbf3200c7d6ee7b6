import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type HubServer, hubServer } from '../../../../../proof/testing/hub-server.ts'
import { programTimeout } from '../../../../../proof/testing/run-program.ts'
import type { Note } from '../../../../core/src/base/errors/note.ts'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import { withHubFiles } from '../config/hub-files.ts'
import { removeRepository } from './hub-contents.ts'
import { packHub, unpackHub } from './hub-pack.ts'
import { localDatasetPaths, localModelPath } from './local-paths.ts'
import { Hub } from './open-hub.ts'

const rows = '{"question": "2+2?"}\n'.repeat(5000)
const repos = {
  'models/acme/chat': {
    files: { 'config.json': '{}', 'tokenizer_config.json': '{"chat_template": "x"}', 'tokenizer.json': '{"model": {}}' },
  },
  'datasets/acme/rows': { files: { 'test.jsonl': rows } },
}

let server: HubServer
let folder: string
let environment: Record<string, string>
beforeEach(async () => {
  server = await hubServer(repos)
  folder = mkdtempSync(join(tmpdir(), 'rolecall-hub-'))
  environment = { HF_ENDPOINT: server.url, HF_HOME: folder, MODELSCOPE_CACHE: join(folder, 'ms') }
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const chat = () => join(folder, 'hub/models--acme--chat')
const dataset = () => join(folder, 'hub/datasets--acme--rows')
const fetchRows = () => localDatasetPaths('hf://datasets/acme/rows', {}, { environment })

test('a hash that is a path is refused', async () => {
  server.fault = { kind: 'unsafe-hash', times: 1 }
  await expect(fetchRows()).rejects.toThrow(/unexpected JSON \(\d+\.oid/)
})

test('an answer that breaks off is a hub that cannot be reached: the cache helps', async () => {
  const path = await localModelPath('acme/chat', { environment })
  const notes: Note[] = []
  server.fault = { kind: 'cut-json', times: 1 }
  expect(await localModelPath('acme/chat', { environment, note: (note) => notes.push(note) })).toBe(path)
  expect(notes.map(({ code }) => code)).toEqual(['hub-unreachable'])
})

test('an endpoint without a scheme is an error that says so', async () => {
  await expect(localModelPath('acme/chat', { environment: { ...environment, HF_ENDPOINT: 'hub.example.com' } })).rejects.toThrow(
    '"hub.example.com" is not an address. Write it with its scheme',
  )
})

test('a moved repository is noted, and its old name of one part can be removed', async () => {
  const notes: Note[] = []
  await localModelPath('old/chat', { environment, note: (note) => notes.push(note) })
  expect(notes.map(({ text }) => text)).toEqual(['the repository is now called acme/chat, which is used'])
  write(join(folder, 'hub/models--single/refs/main'), 'x')
  expect(removeRepository('hf://single', environment).files).toBe(1)
  expect(removeRepository('old/chat', environment).name).toBe('hf://old/chat')
  expect(() => removeRepository('old/chat', environment)).toThrow('no such repository')
})

test('a bare name is explained as a path, too', async () => {
  await expect(localModelPath('templates/mine', { environment })).rejects.toThrow('there is no file or folder templates/mine here')
  await expect(localModelPath('hf://templates/mine', { environment })).rejects.not.toThrow('file or folder')
})

test('without links, a blob that other snapshots use stays', async () => {
  const path = await localModelPath('acme/chat', { environment })
  const blobs = readdirSync(join(chat(), 'blobs'))
  rmSync(path, { recursive: true })
  await localModelPath('acme/chat', { environment: { ...environment, HF_HUB_DISABLE_SYMLINKS: '1' } })
  expect(readFileSync(join(path, 'tokenizer.json'), 'utf8')).toBe('{"model": {}}')
  expect(readdirSync(join(chat(), 'blobs'))).toEqual(blobs)
})

describe('a snapshot of which Python has downloaded a part', () => {
  let commit: string
  beforeEach(async () => {
    commit = (await localModelPath('acme/chat', { environment })).split('/').at(-1)!
    for (const one of ['.rolecall', 'blobs', 'snapshots']) rmSync(join(chat(), one), { recursive: true })
    write(join(chat(), 'snapshots', commit, 'config.json'), '{}')
  })

  test('is completed, also at a commit', async () => {
    const path = await localModelPath(`acme/chat@${commit}`, { environment })
    expect(readdirSync(path).sort()).toEqual(['config.json', 'tokenizer.json', 'tokenizer_config.json'])
  })

  test('is noted offline', async () => {
    const notes: Note[] = []
    const hub = new Hub({ environment: { ...environment, HF_HUB_OFFLINE: '1' }, note: (note) => notes.push(note) })
    await hub.fetch({ site: 'huggingface', kind: 'models', id: 'acme/chat' }, () => true)
    await hub.close()
    expect(notes.map(({ code }) => code)).toEqual(['hub-partial'])
    expect(hub.sources[0]!.files['config.json']).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('downloads of the same file', () => {
  test('in one process are one download', async () => {
    server.fault = { kind: 'cut', times: 1 }
    const found = await Promise.all([fetchRows(), fetchRows(), fetchRows()])
    for (const paths of found) expect(readFileSync(paths![0]!, 'utf8')).toBe(rows)
    expect(server.requests.filter(({ path }) => path.includes('/resolve/'))).toHaveLength(2)
  })

  test('do not wait for an old partial file whose process number is in use again, but resume it', async () => {
    const [path] = (await fetchRows())!
    const blob = realpathSync(path!)
    rmSync(dirname(path!), { recursive: true })
    rmSync(blob)
    const partial = `${blob}.${process.ppid}.incomplete`
    write(partial, rows.slice(0, 1000))
    utimesSync(partial, 1, 1)
    server.requests.length = 0
    expect(readFileSync((await fetchRows())![0]!, 'utf8')).toBe(rows)
    expect(server.requests.at(-1)!.range).toBe('bytes=1000-')
    expect(readdirSync(join(dataset(), 'blobs'))).toHaveLength(1)
  })
})

describe('ModelScope', () => {
  const offline = () => ({ ...environment, HF_HUB_OFFLINE: '1' })
  const hash = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'

  test('files of 1.x and 2 are found together', async () => {
    write(join(folder, 'ms/models/acme/chat/tokenizer.json'), 'old')
    write(join(folder, 'ms/models/acme--chat/snapshots/master/tokenizer_config.json'), '{}')
    const path = await localModelPath('ms://acme/chat', { environment: offline() })
    expect(readdirSync(path).sort()).toEqual(['tokenizer.json', 'tokenizer_config.json'])
  })

  test('the hashes of a lock pin what has no commit', async () => {
    write(join(folder, 'ms/models/acme--chat/snapshots/master/tokenizer_config.json'), '{}')
    const load = (files: Record<string, string>, more = {}) =>
      localModelPath('ms://acme/chat', {
        environment: { ...offline(), ...more },
        lock: { version: 1, repositories: { 'ms://acme/chat': { commit: 'master', files } } },
      })
    await load({ 'tokenizer_config.json': hash }, { ROLECALL_FROZEN: '1' })
    await expect(load({ 'tokenizer_config.json': hash.replace('4', '5') })).rejects.toThrow('its hash is another')
    await expect(load({}, { ROLECALL_FROZEN: '1' })).rejects.toThrow('does not list this file')
  })
})

test('a tokenizer that is not in the lock is an error with --frozen, not a warning', async () => {
  vi.stubEnv('ROLECALL_FROZEN', '1')
  const config = checkConfig({ models: [{ abbr: 'm', tokenizer_path: 'hf://acme/chat' }], datasets: [] }, '', { foreignKeys: true })
  await expect(withHubFiles(config, { folder })).rejects.toThrow('--frozen allows only')
})

describe('packs', () => {
  test('of a cache that is reached through a link can be unpacked', async () => {
    mkdirSync(join(folder, 'disk'))
    symlinkSync('disk', join(folder, 'linked'))
    const linked = { ...environment, HF_HOME: join(folder, 'linked') }
    const hub = new Hub({ environment: linked })
    await hub.fetch({ site: 'huggingface', kind: 'models', id: 'acme/chat' }, () => true)
    await hub.close()
    await packHub(hub.sources, join(folder, 'pack.tar'), linked)
    const there = { ...environment, HF_HOME: join(folder, 'there'), HF_HUB_OFFLINE: '1' }
    await unpackHub(join(folder, 'pack.tar'), there)
    expect(existsSync(join(await localModelPath('acme/chat', { environment: there }), 'tokenizer.json'))).toBe(true)
  })

  test('with a link that leads out of the cache are refused', async () => {
    mkdirSync(join(folder, 'huggingface/models--a--b'), { recursive: true })
    symlinkSync('/etc', join(folder, 'huggingface/models--a--b/blobs'))
    execFileSync('tar', ['-cf', join(folder, 'bad.tar'), '-C', folder, 'huggingface/models--a--b/blobs'], { timeout: programTimeout })
    await expect(unpackHub(join(folder, 'bad.tar'), environment)).rejects.toThrow('leads out of its repository')
    expect(existsSync(join(folder, 'hub'))).toBe(false)
  })
})
