import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programTimeout } from '../../../../../proof/testing/run-program.ts'
import { readRows } from '../rows/read-rows.ts'
import { localDatasetPaths, localGgufPath, localModelPath } from './local-paths.ts'

// A stand-in of both hubs that was validated with their real Python clients; a user's clone does not have it.
const hub = fileURLToPath(new URL('../../../../../../shared/hub', import.meta.url))

describe.skipIf(!existsSync(join(hub, 'server.py')))('the stand-in of the hubs (skipped without ../shared/hub)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-stand-in-'))
  const servers: ChildProcess[] = []
  let url: string
  const log = async () =>
    (await (await fetch(`${url}/__fixture__/log`, { method: 'DELETE' })).json()) as { on: string; authorization: string | null }[]
  const fresh = (more = {}) => ({
    HF_ENDPOINT: url,
    MODELSCOPE_ENDPOINT: url,
    HF_HOME: mkdtempSync(join(folder, 'home-')),
    MODELSCOPE_CACHE: mkdtempSync(join(folder, 'ms-')),
    HF_HUB_DOWNLOAD_TIMEOUT: '1',
    ...more,
  })
  const start = async () => {
    const ports = join(mkdtempSync(join(folder, 'server-')), 'ports.json')
    const flags = ['--port', '0', '--root', join(hub, 'repos'), '--port-file', ports, '--slow-ms', '1', '--stall-s', '30']
    servers.push(spawn('python3', [join(hub, 'server.py'), ...flags]))
    while (!existsSync(ports)) await sleep(50)
    return (JSON.parse(readFileSync(ports, 'utf8')) as { hub: string }).hub
  }
  /** The environment for a stand-in with this fault. */
  const withFault = async (fault: string) => {
    const endpoint = await start()
    await fetch(`${endpoint}/__fixture__/fault`, { method: 'POST', body: JSON.stringify({ names: [fault] }) })
    return fresh({ HF_ENDPOINT: endpoint, MODELSCOPE_ENDPOINT: endpoint })
  }
  beforeAll(async () => {
    url = await start()
  })
  afterAll(() => {
    for (const server of servers) server.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  test.for([
    'hf://acme/tiny-chatml',
    'acme/tiny-chatml@v1.0',
    'acme/tiny-templates',
    'acme/tiny-named-templates',
    'ms://acme/tiny-chatml',
    'ms://acme/tiny-templates',
  ])('%s has its template', async (name) => {
    const path = await localModelPath(name, { environment: fresh() })
    const { loadChatTemplate } = await import('../models/load-chat-template.ts')
    expect(Object.keys(loadChatTemplate(path).templates).length).toBeGreaterThan(0)
  })

  test.for([
    ['hf://datasets/acme/trivia/astronomy/test', {}],
    ['acme/word-problems', {}],
    ['hf://datasets/acme/expert-qa/expert_main', {}],
    ['hf://datasets/acme/zipped/train', {}],
    ['hf://datasets/acme/scripted/plain', {}],
    ['acme/patterns', { split: 'validation' }],
    ['acme/pictures', {}],
    ['ms://datasets/acme/word-problems', {}],
  ] as const)('%s has rows', async ([name, part]) => {
    const paths = await localDatasetPaths(name, part, { environment: fresh() })
    let count = 0
    for (const path of paths!) for await (const _ of readRows(path)) count++
    expect(count).toBeGreaterThan(0)
  })

  // They mostly wait for another try, so they wait together.
  describe.concurrent('faults', () => {
    test.for(['slow', 'cut', 'flaky', 'no-range', 'no-length', 'rate-limit', 'cut-always', 'stall'])(
      'fault %s: the file arrives',
      { timeout: 120_000 },
      async (fault, { expect }) => {
        const environment = await withFault(fault)
        const file = readFileSync(await localGgufPath('acme/tiny-chat-GGUF:Q2_K', { environment }))
        expect(file.subarray(0, 4).toString()).toBe('GGUF')
      },
    )

    test.for([
      ['down', /answered 503/],
      ['server-error', /answered 500/],
      ['wrong-size', /bytes instead of|broke off/],
      ['corrupt', /not the one the hub announced/],
      ['redirect-loop', /redirects/],
      ['html', /web page instead of JSON/],
      ['truncated-json', /incomplete JSON/],
      ['unauthorized', /private|does not accept the token/],
      ['cdn-denied', /answered 403/],
      ['evil-paths', /leads out of its folder/],
    ] as const)('fault %s is an error', { timeout: 120_000 }, async ([fault, message], { expect }) => {
      const environment = await withFault(fault)
      await expect(localGgufPath('acme/tiny-chat-GGUF:Q2_K', { environment })).rejects.toThrow(message)
      const blobs = join(environment.HF_HOME, 'hub/models--acme--tiny-chat-GGUF/snapshots')
      expect(existsSync(blobs)).toBe(false)
    })
  })

  test('the token stays with the hub', async () => {
    await log()
    const environment = fresh({ HF_TOKEN: 'hf_fixture_alice' })
    await localGgufPath('acme/tiny-chat-GGUF:Q2_K', { environment })
    await localModelPath('acme/gated-chat', { environment })
    await localModelPath('acme/private-chat', { environment })
    expect((await log()).filter(({ on, authorization }) => on === 'cdn' && authorization !== null)).toEqual([])
  })

  test('rows that only the cache of Python’s datasets has are found offline', async () => {
    const cache = join(folder, 'datasets')
    mkdirSync(cache)
    execFileSync('tar', ['-xzf', join(hub, 'caches/datasets.tar.gz'), '-C', cache], { timeout: programTimeout })
    rmSync(join(cache, 'hub'), { recursive: true })
    const environment = { HF_HOME: cache, HF_HUB_OFFLINE: '1' }
    const notes: string[] = []
    const read = async (name: string) => {
      const paths = await localDatasetPaths(name, {}, { environment, note: ({ code }) => notes.push(code) })
      const rows: unknown[] = []
      for (const path of paths!) for await (const row of readRows(path)) rows.push(row)
      return rows
    }
    expect(await read('hf://datasets/acme/trivia/astronomy/test')).toHaveLength(12)
    expect(await read('hf://datasets/acme/trivia/dev')).toHaveLength(3)
    expect(await read('acme/trivia')).toHaveLength(12)
    expect(notes).toEqual(['hub-prepared', 'hub-prepared', 'hub-prepared'])
    await expect(read('hf://datasets/acme/trivia/astronomy/train')).rejects.toThrow(/HF_HUB_OFFLINE/)
    await expect(read('hf://datasets/acme/trivia/geometry/test')).rejects.toThrow(/HF_HUB_OFFLINE/)
  })

  test.for([
    ['huggingface_hub.tar.gz', 'acme/tiny-chatml'],
    ['modelscope-2.0.0.tar.gz', 'ms://acme/tiny-chatml'],
    ['modelscope-1.37.1.tar.gz', 'ms://acme/tiny-chatml'],
  ] as const)('a cache that Python wrote is found offline: %s', async ([archive, name]) => {
    const cache = join(folder, archive)
    mkdirSync(cache)
    execFileSync('tar', ['-xzf', join(hub, 'caches', archive), '-C', cache], { timeout: programTimeout })
    const path = await localModelPath(name, { environment: { HF_HOME: cache, MODELSCOPE_CACHE: cache, HF_HUB_OFFLINE: '1' } })
    const { loadChatTemplate } = await import('../models/load-chat-template.ts')
    expect(loadChatTemplate(path).templates.default).toContain('im_start')
  })
})
