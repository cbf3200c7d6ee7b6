import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HubServer, hubServer } from '../../../../../proof/testing/hub-server.ts'
import type { Note } from '../../../../core/src/base/errors/note.ts'
import { cachedRepositories, removeRepository } from './hub-contents.ts'
import { parseHubName } from './hub-name.ts'
import { localDatasetPaths, localGgufPath, localModelPath } from './local-paths.ts'
import { Hub } from './open-hub.ts'

const card = `---
configs:
- config_name: easy
  data_files:
  - split: test
    path: easy/test-*
- config_name: hard
  data_files: hard/*.jsonl
---`
const rows = `${'{"question": "2+2?", "answer": "4"}\n'.repeat(2000)}`
const repos = {
  'models/acme/chat': {
    files: {
      'tokenizer_config.json': '{"chat_template": "{{ messages[0].content }}"}',
      'tokenizer.json': '{"model": {}}',
      'model.bin': 'weights',
      'additional_chat_templates/tool_use.jinja': '{{ tools }}',
    },
  },
  'models/gpt2': { files: { 'tokenizer_config.json': '{}', 'tokenizer.json': '{}' } },
  'datasets/squad': { files: { 'plain_text/validation-00000-of-00001.parquet': 'p' } },
  'models/acme/chat-GGUF': {
    files: {
      'chat-Q4_K_M.gguf': 'q4',
      'chat-Q8_0.gguf': 'q8',
      'BF16/chat-BF16-00001-of-00002.gguf': 'a',
      'BF16/chat-BF16-00002-of-00002.gguf': 'b',
      'mmproj-F16.gguf': 'm',
    },
  },
  'models/acme/gated': { files: { 'tokenizer_config.json': '{}' }, isGated: true, token: 'right' },
  'datasets/acme/qa': { files: { 'README.md': card, 'easy/test-0.jsonl': rows, 'hard/a.jsonl': rows } },
  'datasets/acme/shards': {
    files: { 'data/test-00000-of-00002.parquet': 'p', 'data/test-00001-of-00002.parquet': 'q', 'data/train-00000-of-00001.parquet': 't' },
  },
}

let server: HubServer
let folder: string
let environment: Record<string, string>
beforeEach(async () => {
  server = await hubServer(repos)
  folder = mkdtempSync(join(tmpdir(), 'rolecall-hub-'))
  environment = { HF_ENDPOINT: server.url, HF_HOME: folder }
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const repoFolder = (name: string) => join(folder, 'hub', name)

describe('models', () => {
  test('only tokenizer and templates are downloaded, in the layout of huggingface_hub', async () => {
    const path = await localModelPath('acme/chat', { environment })
    const repo = repoFolder('models--acme--chat')
    const commit = readFileSync(join(repo, 'refs/main'), 'utf8')
    expect(path).toBe(join(repo, 'snapshots', commit))
    expect(readdirSync(path).sort()).toEqual(['additional_chat_templates', 'tokenizer.json', 'tokenizer_config.json'])
    expect(readlinkSync(join(path, 'tokenizer.json'))).toMatch(/^\.\.\/\.\.\/blobs\/[0-9a-f]{40}$/)
    expect(readlinkSync(join(path, 'additional_chat_templates/tool_use.jinja'))).toMatch(/^\.\.\/\.\.\/\.\.\/blobs\//)
    expect(existsSync(join(repo, '.no_exist', commit, 'chat_template.jinja'))).toBe(true)
    expect(server.requests.some((one) => one.path.includes('model.bin'))).toBe(false)
  })

  test('a second time, files come from the cache; offline, no request is sent at all', async () => {
    const path = await localModelPath('acme/chat', { environment })
    server.requests.length = 0
    expect(await localModelPath('acme/chat', { environment })).toBe(path)
    expect(server.requests.filter((one) => one.path.includes('/resolve/'))).toEqual([])
    server.requests.length = 0
    expect(await localModelPath('acme/chat', { environment: { ...environment, HF_HUB_OFFLINE: '1' } })).toBe(path)
    expect(server.requests).toEqual([])
    await expect(localModelPath('acme/other', { environment: { ...environment, HF_HUB_OFFLINE: '1' } })).rejects.toThrow(
      'is not in the cache',
    )
  })

  test('a hub that cannot be reached is replaced by the cache, with a note', async () => {
    const path = await localModelPath('acme/chat', { environment })
    const notes: Note[] = []
    const away = { ...environment, HF_ENDPOINT: 'http://127.0.0.1:9' }
    expect(await localModelPath('acme/chat', { environment: away, note: (note) => notes.push(note) })).toBe(path)
    expect(notes[0]!.text).toContain('cannot be reached; the cached commit')
    await expect(localModelPath('acme/other', { environment: away })).rejects.toThrow('HF_ENDPOINT')
  })

  test('GGUF files by quantisation, with all shards; unknown ones list what there is', async () => {
    const gguf = (name: string) => localGgufPath(name, { environment }).then((path) => path.replace(/^.*snapshots\/[^/]+\//, ''))
    expect(await gguf('acme/chat-GGUF:q8_0')).toBe('chat-Q8_0.gguf')
    expect(await gguf('hf:acme/chat-GGUF')).toBe('chat-Q4_K_M.gguf')
    expect(await gguf('hf.co/acme/chat-GGUF:BF16')).toBe('BF16/chat-BF16-00001-of-00002.gguf')
    expect(server.requests.some((one) => one.path.endsWith('00002-of-00002.gguf'))).toBe(true)
    await expect(gguf('acme/chat-GGUF:Q2_K')).rejects.toThrow('acme/chat-GGUF:BF16, acme/chat-GGUF:Q4_K_M, acme/chat-GGUF:Q8_0')
  })

  test('gated, missing and misspelt repositories and revisions say what to do', async () => {
    const load = (name: string, more = {}) => localModelPath(name, { environment: { ...environment, ...more } })
    await expect(load('acme/gated')).rejects.toThrow(/gated .*accept its conditions at .* then set HF_TOKEN/is)
    await expect(load('acme/gated')).rejects.toMatchObject({
      where: 'Hugging Face › acme/gated › tokenizer_config.json',
      fix: expect.stringContaining(repoFolder('models--acme--gated/blobs')),
    })
    await expect(load('acme/gated', { HF_TOKEN: 'wrong' })).rejects.toThrow('has not been granted access')
    expect(await load('acme/gated', { HF_TOKEN: 'right' })).toContain('models--acme--gated')
    await expect(load('acme/nothing')).rejects.toThrow('there is no such model, or it is private')
    await expect(load('acme/chat@v9')).rejects.toThrow('there is no revision "v9"')
    await expect(load('hf://only-one-part')).rejects.toThrow('hf://ORG/NAME')
  })

  test('a dataset in place of a model, and a model in place of a dataset, are named as what they are', async () => {
    await expect(localModelPath('acme/qa', { environment })).rejects.toThrow('but there is a dataset hf://datasets/acme/qa')
    await expect(localModelPath('hf://datasets/acme/qa', { environment })).rejects.toThrow('this is a dataset')
    await expect(localDatasetPaths('acme/chat', {}, { environment })).rejects.toThrow('but there is a model hf://acme/chat')
  })

  test('a file that the repository lacks is an error before anything is downloaded', async () => {
    await expect(localModelPath('hf://acme/chat/none.jinja', { environment })).rejects.toThrow('the repository has no file none.jinja')
    expect(server.requests.some(({ path }) => path.includes('/resolve/'))).toBe(false)
  })

  test('the token is sent to the hub and never to the host of large files', async () => {
    await localGgufPath('acme/chat-GGUF', { environment: { ...environment, HF_TOKEN: 'secret' } })
    const hosts = new Map(server.requests.map(({ host, authorization }) => [host.split(':')[0], authorization]))
    expect(hosts).toEqual(
      new Map([
        ['127.0.0.1', 'Bearer secret'],
        ['localhost', undefined],
      ]),
    )
  })
})

describe('datasets', () => {
  test('configs and splits come from the card, and from file names without one', async () => {
    const notes: string[] = []
    const load = async (name: string, part = {}) =>
      (await localDatasetPaths(name, part, { environment, note: ({ text }) => notes.push(text) }))!.map((path) =>
        path.replace(/^.*snapshots\/[^/]+\//, ''),
      )
    await expect(load('acme/qa')).rejects.toThrow('Add one of them to the name: easy, hard')
    expect(await load('hf://datasets/acme/qa/easy')).toEqual(['easy/test-0.jsonl'])
    expect(await load('hf://datasets/acme/qa/hard/train')).toEqual(['hard/a.jsonl'])
    expect(await load('acme/qa', { config: 'easy', split: 'test' })).toEqual(['easy/test-0.jsonl'])
    expect(await load('acme/shards')).toEqual(['data/test-00000-of-00002.parquet', 'data/test-00001-of-00002.parquet'])
    expect(notes).toEqual(['the split "test" is used; it also has train'])
    await expect(load('hf://datasets/acme/qa/medium')).rejects.toThrow('no config "medium"')
    await expect(load('hf://datasets/acme/qa/easy/dev')).rejects.toThrow('no split "dev"')
  })
})

describe('faults', () => {
  const fetchRows = () => localDatasetPaths('hf://datasets/acme/qa/easy', {}, { environment })

  test('a broken download is resumed with a range', async () => {
    server.fault = { kind: 'cut', times: 2 }
    const [path] = (await fetchRows())!
    expect(readFileSync(path!, 'utf8')).toBe(rows)
    expect(server.requests.filter(({ range }) => range !== undefined).length).toBeGreaterThan(0)
  })

  test('a changed byte is an error, and leaves no file', async () => {
    server.fault = { kind: 'corrupt', times: 1 }
    await expect(fetchRows()).rejects.toMatchObject({
      where: 'Hugging Face › acme/qa › README.md',
      problem: expect.stringContaining('not the one the hub announced'),
      fix: expect.stringContaining(repoFolder('datasets--acme--qa/blobs')),
    })
    const blobs = join(repoFolder('datasets--acme--qa'), 'blobs')
    expect(existsSync(blobs) ? readdirSync(blobs) : []).toEqual([])
    expect(readFileSync((await fetchRows())![0]!, 'utf8')).toBe(rows)
  })

  test('a server error is tried again; a web page and a path out of the folder are errors', async () => {
    server.fault = { kind: 'error', times: 1 }
    expect(await fetchRows()).toHaveLength(1)
    rmSync(folder, { recursive: true })
    server.fault = { kind: 'web-page', times: 1 }
    await expect(fetchRows()).rejects.toThrow('a web page instead of JSON')
    server.fault = { kind: 'unsafe-path', times: 1 }
    await expect(fetchRows()).rejects.toThrow('leads out of its folder')
  })

  test('processes that want the same file at once all get it, and a killed one leaves no file under its final name', async () => {
    const program = `
      import { localDatasetPaths } from ${JSON.stringify(new URL('./local-paths.ts', import.meta.url).href)}
      const [path] = await localDatasetPaths('hf://datasets/acme/qa/easy', {})
      console.log(path)`
    const jiti = join(import.meta.dirname, '../../../../../node_modules/jiti/lib/jiti-cli.mjs')
    const file = join(folder, 'program.mjs')
    writeFileSync(file, program)
    const start = () => spawn(process.execPath, [jiti, file], { env: { ...process.env, ...environment, HF_HUB_OFFLINE: '' } })
    const ended = (child: ReturnType<typeof start>) =>
      new Promise<string>((resolve) => {
        let text = ''
        child.stdout.on('data', (chunk) => (text += chunk))
        child.on('close', () => resolve(text.trim()))
      })
    const killed = start()
    setTimeout(() => killed.kill('SIGKILL'), 300)
    const paths = await Promise.all([ended(start()), ended(start()), ended(killed)])
    for (const path of paths.slice(0, 2)) expect(readFileSync(path, 'utf8')).toBe(rows)
    const blobs = readdirSync(join(repoFolder('datasets--acme--qa'), 'blobs'))
    expect(blobs.filter((name) => !name.endsWith('.incomplete')).every((name) => /^[0-9a-f]{40}$/.test(name))).toBe(true)
  })

  test('without links, snapshots hold the files', async () => {
    const path = await localModelPath('acme/chat', { environment: { ...environment, HF_HUB_DISABLE_SYMLINKS: '1' } })
    expect(lstatSync(join(path, 'tokenizer.json')).isFile()).toBe(true)
    expect(await localModelPath('acme/chat', { environment: { ...environment, HF_HUB_OFFLINE: '1' } })).toBe(path)
  })
})

test('what came from a hub is recorded with its commit and hashes', async () => {
  const hub = new Hub({ environment })
  const { commit } = await hub.fetch(parseHubName('acme/chat')!, ({ path }) => path === 'tokenizer.json')
  expect(hub.sources).toEqual([
    { repository: 'hf://acme/chat', commit, files: { 'tokenizer.json': expect.stringMatching(/^[0-9a-f]{40}$/) } },
  ])
  await hub.close()
})

test('repositories without an organisation', async () => {
  const path = await localModelPath('hf://gpt2', { environment })
  expect(readdirSync(path)).toEqual(['tokenizer.json', 'tokenizer_config.json'])
  expect(path).toContain(join('hub', 'models--gpt2', 'snapshots'))
  expect(await localModelPath('https://huggingface.co/gpt2', { environment })).toBe(path)
  const rows = await localDatasetPaths('hf://datasets/squad', {}, { environment })
  expect(rows).toEqual([expect.stringContaining(join('datasets--squad', 'snapshots'))])
  expect(cachedRepositories(environment).map(({ name }) => name)).toEqual(['hf://datasets/squad', 'hf://gpt2'])
  expect(removeRepository('hf://gpt2', environment).files).toBeGreaterThan(0)
})

describe('hubs of one command share what they learn', () => {
  const memory = () => ({ listings: new Map(), unreachable: new Map<string, string>() })

  test('a listing is asked for once', async () => {
    const shared = memory()
    for (const split of ['easy', 'hard']) await localDatasetPaths(`hf://datasets/acme/qa/${split}`, {}, { environment, memory: shared })
    expect(server.requests.filter(({ path }) => path.startsWith('/api/'))).toHaveLength(2)
  })

  test('a host that cannot be reached is tried once', async () => {
    const shared = memory()
    const { url } = server
    await server.close()
    const fetching = (name: string) => localModelPath(name, { environment, memory: shared })
    await expect(fetching('acme/chat')).rejects.toThrow('ECONNREFUSED')
    expect([...shared.unreachable.keys()]).toEqual([url])
    shared.unreachable.set(url, 'it was away')
    await expect(fetching('acme/other')).rejects.toThrow(`it was away (${new URL(url).host} is not tried again)`)
    await expect(localModelPath('acme/other', { environment })).rejects.toThrow('ECONNREFUSED')
  })
})
