import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall, rolecallProcess } from '../../../../../proof/testing/rolecall.ts'
import { peerGroups } from '../../node/peers.ts'
import { folderSize } from './doctor-report.ts'
import { lookAtHub } from './hub-state.ts'

const servers: ReturnType<typeof createServer>[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the report has versions, memory, caches, packages and a config, as text and as JSON', async () => {
  const folder = folderWith({ 'rolecall.config.json': '{}', 'cache/answers/a.jsonl': 'x'.repeat(2048) })
  const environment = { ROLECALL_CACHE: join(folder, 'cache') }
  const { code, stdout } = await rolecall(['doctor', '--offline'], folder, environment)
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^rolecall +${version.replaceAll('.', '\\.')} in `, 'm'))
  expect(stdout).toMatch(/^config +.*rolecall\.config\.json$/m)
  expect(stdout).toMatch(new RegExp(`^node +${process.version}, ${process.platform} ${process.arch}`, 'm'))
  expect(stdout).toMatch(/^memory +[\d.]+ \wiB, [\d.]+ \wiB free/m)
  expect(stdout).toMatch(/^cache +.*: answers and embeddings, 2\.0 KiB in 1 file$/m)
  expect(stdout).toMatch(/^hub +https:\/\/huggingface\.co: not asked \(--offline\)$/m)
  expect(stdout).toMatch(/^variables [\s\S]*\bROLECALL_CACHE\b/m)
  const report = JSON.parse((await rolecall(['doctor', '--offline', '--json'], folder, environment)).stdout) as object
  expect(report).toMatchObject({ rolecall: { version }, caches: [{ bytes: 2048, files: 1, isWhole: true }], hub: { state: 'not asked' } })
})

test('every optional peer is listed, with its version or the command that installs it', async () => {
  const { peerDependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    peerDependencies: Record<string, string>
  }
  expect(peerGroups.flatMap(({ packages }) => packages).sort()).toEqual(Object.keys(peerDependencies).sort())
  const folder = folderWith({ 'package.json': '{}' })
  const peer = join(folder, 'node_modules/bullmq')
  mkdirSync(join(peer, 'lib'), { recursive: true })
  writeFileSync(join(peer, 'package.json'), JSON.stringify({ name: 'bullmq', version: '6.7.9', exports: { '.': './lib/main.js' } }))
  writeFileSync(join(peer, 'lib/main.js'), '')
  const { stdout } = await rolecall(['doctor', '--offline', '--json'], folder, { ROLECALL_PEERS: '' })
  const { peers } = JSON.parse(stdout) as { peers: { feature: string; versions: Record<string, string | null>; install: string | null }[] }
  const queue = peers.find(({ versions }) => 'bullmq' in versions)!
  expect(queue.versions.bullmq).toBe('6.7.9')
  for (const { versions, install } of peers) expect(install !== null).toBe(Object.values(versions).includes(null))
})

describe('secrets', () => {
  const secrets = {
    OPENAI_API_KEY: 'sk-testsecret0123456789abcdef',
    HF_TOKEN: 'hf_anothersecret0123456789',
    ANTHROPIC_API_KEY: 'plainsecretword',
    ROLECALL_API_KEYS: 'me=keyofmine you=keyofyours',
    ROLECALL_QUEUE: 'redis://:redispassword@10.0.0.5:6379',
    HTTPS_PROXY: 'http://proxyuser:proxypassword@127.0.0.1:9',
    HTTP_PROXY: 'http://proxyuser:proxypassword@127.0.0.1:9',
  }
  const hidden =
    /testsecret|anothersecret|plainsecretword|keyofmine|keyofyours|redispassword|proxyuser|proxypassword|hubuser|hubpassword|hubtoken/

  test('never appear; the names of variables do', async () => {
    const HF_ENDPOINT = 'http://hubuser:hubpassword@hub.invalid/mirror/?token=hubtoken'
    for (const more of [[], ['--offline']]) {
      for (const form of [[], ['--json']]) {
        const { stdout, stderr } = await rolecall(['doctor', ...more, ...form], undefined, { ...secrets, HF_ENDPOINT })
        expect(stdout + stderr).not.toMatch(hidden)
        for (const name of Object.keys(secrets)) expect(stdout).toContain(name)
        expect(stdout).toContain('http://hub.invalid/mirror')
      }
    }
  }, 30_000)

  test('an address that cannot be parsed is not repeated', async () => {
    expect(await lookAtHub({ HF_ENDPOINT: 'hubpassword' }, false)).toMatchObject({ address: 'HF_ENDPOINT', state: 'unreachable' })
  })

  test('the user’s folder is ~', async () => {
    const home = folderWith({ 'secretuser/x': '' })
    const environment = {
      HOME: join(home, 'secretuser'),
      USERPROFILE: join(home, 'secretuser'),
      ROLECALL_CACHE: '',
      XDG_CACHE_HOME: '',
      LOCALAPPDATA: '',
    }
    const { stdout } = await rolecallProcess(['doctor', '--offline'], join(home, 'secretuser'), environment)
    expect(stdout).toMatch(/^cache +~[\\/]\.cache[\\/]rolecall/m)
    expect(stdout).not.toContain('secretuser')
  })
})

describe('the hub', () => {
  test('is reached at HF_ENDPOINT, without a key', async () => {
    const seen: unknown[] = []
    const host = await listen((request, response) => {
      seen.push([request.url, request.headers.authorization])
      response.end('[]')
    })
    const state = await lookAtHub({ HF_ENDPOINT: `http://${host}/mirror/`, HF_TOKEN: 'hf_secret' }, false)
    expect(state).toMatchObject({
      address: `http://${host}/mirror`,
      state: 'reachable',
      detail: expect.stringMatching(/^status 200 in \d+ ms$/),
    })
    expect(seen).toEqual([['/mirror/api/models?limit=1', undefined]])
  })

  test('is not waited for', async () => {
    const host = await listen(() => undefined)
    expect(await lookAtHub({ HF_ENDPOINT: `http://${host}` }, false, 300)).toMatchObject({
      state: 'unreachable',
      detail: 'no answer in 0.3 s',
    })
  })

  test('is unreachable where nothing listens or the server fails, with a reason', async () => {
    expect(await lookAtHub({ HF_ENDPOINT: 'http://127.0.0.1:1' }, false)).toMatchObject({
      state: 'unreachable',
      detail: 'unreachable, ECONNREFUSED',
    })
    const host = await listen((_, response) => response.writeHead(503).end())
    expect(await lookAtHub({ HF_ENDPOINT: `http://${host}` }, false)).toMatchObject({
      state: 'unreachable',
      detail: expect.stringContaining('503'),
    })
  })

  test('is not asked with HF_HUB_OFFLINE', async () => {
    expect(await lookAtHub({ HF_HUB_OFFLINE: '1' }, false)).toMatchObject({ state: 'not asked' })
  })
})

test('large caches are counted up to a limit; a missing folder is empty', () => {
  const folder = folderWith({ 'a/1': 'x', 'a/2': 'xx', 'b/c/3': 'xxx' })
  expect(folderSize(folder)).toEqual({ files: 3, bytes: 6, isWhole: true })
  expect(folderSize(folder, 2)).toMatchObject({ files: 2, isWhole: false })
  expect(folderSize(join(folder, 'nothing'))).toEqual({ files: 0, bytes: 0, isWhole: true })
})
