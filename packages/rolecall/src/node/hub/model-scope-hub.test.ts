import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ggufFile } from '../../../../../proof/testing/gguf-file.ts'
import type { Note } from '../../../../core/src/base/errors/note.ts'
import { cachedRepositories, removeRepository } from './hub-contents.ts'
import { parseHubName } from './hub-name.ts'
import { localDatasetPaths, localGgufPath, localModelPath } from './local-paths.ts'
import { Hub } from './open-hub.ts'

const structure = JSON.stringify({ main: { test: { meta: 'rows.csv' } }, other: { test: { meta: 'more.csv' }, train: { file: 'x.zip' } } })
const repos: Record<string, Record<string, string | Buffer>> = {
  'models/acme/chat': { 'tokenizer_config.json': '{}', 'tokenizer.json': '{}' },
  'models/acme/chat-GGUF': { 'chat-Q4_K_M.gguf': ggufFile({ 'tokenizer.chat_template': 'a template' }) },
  'datasets/acme/listed': { 'listed.json': structure, 'rows.csv': 'q\n1\n', 'more.csv': 'q\n2\n' },
  'datasets/acme/scripted': { 'scripted.py': '', 'test.jsonl': '{"q": 1}\n' },
}

let server: Server
let folder: string
let environment: Record<string, string>
let hashes: string | undefined
beforeEach(async () => {
  hashes = undefined
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    const [, key, part] = /^\/api\/v1\/((?:models|datasets)\/[^/]+\/[^/]+)\/(.+)$/.exec(pathname) ?? []
    const files = repos[key ?? '']
    const isUnknown = searchParams.get('Revision') === 'v9'
    if (files === undefined || isUnknown) return response.writeHead(404).end('{}')
    if (part === 'repo') return response.end(files[searchParams.get('FilePath')!])
    const listed = Object.entries(files).map(([Path, content]) => {
      const Sha256 = hashes ?? createHash('sha256').update(content).digest('hex')
      return { Path, Type: 'blob', Size: Buffer.byteLength(content), Sha256 }
    })
    return response.end(JSON.stringify({ Data: { Files: listed, TotalCount: listed.length } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  folder = mkdtempSync(join(tmpdir(), 'rolecall-scope-'))
  environment = {
    MODELSCOPE_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    MODELSCOPE_CACHE: folder,
    HOME: folder,
  }
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const offline = () => ({ ...environment, HF_HUB_OFFLINE: '1' })

test('a repository is known offline with all its files and their hashes, also the start of a GGUF file', async () => {
  const start = await localModelPath('ms://acme/chat-GGUF', { environment })
  expect(await localModelPath('ms://acme/chat-GGUF', { environment: offline() })).toBe(start)
  await expect(localGgufPath('ms://acme/chat-GGUF', { environment: offline() })).rejects.toThrow('is not in the cache')
  const hub = new Hub({ environment: offline() })
  const { files, isPartial } = await hub.list(parseHubName('ms://acme/chat-GGUF')!)
  expect([files.map(({ etag }) => etag.length), isPartial]).toEqual([[64], undefined])
})

test('a lock holds offline, for files whose hash only the disk has', async () => {
  const content = repos['models/acme/chat-GGUF']!['chat-Q4_K_M.gguf']!
  const older = join(folder, 'models/acme/chat-GGUF')
  mkdirSync(older, { recursive: true })
  writeFileSync(join(older, 'chat-Q4_K_M.gguf'), content)
  const hash = createHash('sha256').update(content).digest('hex')
  const locked = (files: Record<string, string>) => ({
    environment: { ...offline(), ROLECALL_FROZEN: '1' },
    lock: { version: 1 as const, repositories: { 'ms://acme/chat-GGUF': { commit: 'master', files } } },
  })
  expect(readFileSync(await localModelPath('ms://acme/chat-GGUF', locked({ 'chat-Q4_K_M.gguf': hash })))).toEqual(content)
  await expect(localModelPath('ms://acme/chat-GGUF', locked({ 'chat-Q4_K_M.gguf': '0'.repeat(64) }))).rejects.toThrow('its hash is another')
})

test('NAME.json lists the splits; a script is not run, which is noted', async () => {
  const notes: string[] = []
  const options = { environment, note: ({ text }: Note) => notes.push(text) }
  const read = async (name: string) => (await localDatasetPaths(name, {}, options))!.map((path) => readFileSync(path, 'utf8'))
  expect(await read('ms://datasets/acme/listed/other/test')).toEqual(['q\n2\n'])
  await expect(read('ms://datasets/acme/listed')).rejects.toThrow('the dataset has 2 configs, and none is chosen')
  expect(await read('ms://datasets/acme/scripted')).toEqual(['{"q": 1}\n'])
  expect(notes).toEqual(['its script scripted.py is not run: the splits are found by the names of the files'])
})

test('a hash that is a path stays out of the cache', async () => {
  hashes = '../../../../escape'
  const path = await localModelPath('ms://acme/chat-GGUF', { environment })
  expect(path.startsWith(join(folder, 'models/acme--chat-GGUF'))).toBe(true)
  expect(existsSync(join(folder, '../escape'))).toBe(false)
})

test('repositories in the layout of 1.x are listed and removed', async () => {
  await localModelPath('ms://acme/chat', { environment })
  mkdirSync(join(folder, 'models/acme/chat'), { recursive: true })
  mkdirSync(join(folder, 'hub/datasets/acme/v1___5'), { recursive: true })
  writeFileSync(join(folder, 'hub/datasets/acme/v1___5/rows.csv'), 'q\n')
  writeFileSync(join(folder, 'models/acme/chat/config.json'), '{}')
  const names = () => cachedRepositories(environment).map(({ name }) => name)
  expect(names()).toEqual(['ms://acme/chat', 'ms://acme/chat', 'ms://datasets/acme/v1.5'])
  removeRepository('ms://acme/chat', environment)
  expect(names()).toEqual(['ms://datasets/acme/v1.5'])
})

test('a revision that does not exist is named, though ModelScope answers as for an unknown repository', async () => {
  await expect(localModelPath('ms://acme/chat@v9', { environment })).rejects.toThrow('there is no revision "v9"')
  await expect(localModelPath('ms://acme/none@v9', { environment })).rejects.toThrow('there is no such model')
})
