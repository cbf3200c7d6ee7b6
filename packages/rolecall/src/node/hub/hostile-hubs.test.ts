import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../../../core/src/base/errors/limits.ts'
import { Hub } from './open-hub.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, path: string) => unknown

const cleanups: (() => unknown)[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolecall-hostile-hub-'))
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
  rmSync(folder, { recursive: true, force: true })
})

async function listen(answer: Answer): Promise<{ url: string; requests: { path: string; authorization: string | undefined }[] }> {
  const requests: { path: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    requests.push({ path: request.url!, authorization: request.headers.authorization })
    response.on('error', () => undefined)
    answer(request, response, request.url!)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const commit = 'a'.repeat(40)
const content = 'the rows of a test\n'
const oid = createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex')
const listed = (size = content.length, path = 'rows.jsonl') => ({ type: 'file', path, oid, size })

/** A hub with one file, which answers in another way where `answer` does. */
const hubWith = (answer: (...args: Parameters<Answer>) => unknown) =>
  listen((request, response, path) => {
    if (answer(request, response, path) !== undefined) return
    if (path.includes('/tree/')) return response.end(JSON.stringify([listed()]))
    if (path.startsWith('/api/')) return response.end(JSON.stringify({ sha: commit }))
    response.end(content)
  })

async function fetchAll(url: string): Promise<ReadonlyMap<string, string>> {
  const environment = { HF_ENDPOINT: url, HF_HOME: folder, HF_TOKEN: 'hf_secret' }
  const hub = new Hub({ environment })
  cleanups.push(() => hub.close())
  return (await hub.fetch({ site: 'huggingface', kind: 'datasets', id: 'acme/rows' }, () => true)).paths
}

/** Files of the cache that count as whole. */
const wholeFiles = () => {
  const blobs = join(folder, 'hub/datasets--acme--rows/blobs')
  return existsSync(blobs) ? readdirSync(blobs).filter((name) => !name.endsWith('.incomplete')) : []
}

test('an honest hub is read, and gets its token', async () => {
  const { url, requests } = await hubWith(() => undefined)
  expect([...(await fetchAll(url)).keys()]).toEqual(['rows.jsonl'])
  expect(wholeFiles()).toEqual([oid])
  expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer hf_secret']))
})

test('after a redirect to another port of the same host, the token is not sent', async () => {
  const other = await listen((_, response) => response.end(content))
  const { url } = await hubWith((_, response, path) =>
    path.includes('/resolve/') ? response.writeHead(302, { location: `${other.url}${path}` }).end() : undefined,
  )
  await fetchAll(url)
  expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined])
})

test('a redirect to something that is no web address is an error of the hub', async () => {
  for (const location of ['file:///etc/passwd', 'http://[']) {
    const { url } = await hubWith((_, response, path) =>
      path.startsWith('/api/') ? response.writeHead(302, { location }).end() : undefined,
    )
    await expect(fetchAll(url)).rejects.toThrow('a redirect to something that is no web address')
  }
})

describe('an answer of the API is bounded', () => {
  const padding = Buffer.alloc(4 << 20, ' ')

  test('as it is sent', async () => {
    let sent = 0
    const { url } = await hubWith((_, response, path) => {
      if (!path.includes('/tree/')) return undefined
      const send = () => {
        while (!response.destroyed && response.write(padding)) sent += padding.length
        if (!response.destroyed) response.once('drain', () => setImmediate(send))
      }
      send()
      return true
    })
    await expect(fetchAll(url)).rejects.toThrow('which is more than requested')
    expect(sent).toBeLessThan(20 * limits.hubAnswer)
  })

  test('and as it unpacks', async () => {
    const packed = gzipSync(Buffer.alloc(24 << 20, ' '))
    const { url } = await hubWith((_, response, path) =>
      path.includes('/tree/') ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed) : undefined,
    )
    await expect(fetchAll(url)).rejects.toThrow('unpacks to far more than its size')
  })
})

describe('a list of files ends', () => {
  const pages = (next: (page: number) => number, files: (page: number) => object[]) =>
    hubWith((_, response, path) => {
      if (!path.includes('/tree/')) return undefined
      const page = Number(/page=(\d+)/.exec(path)?.[1] ?? 0)
      const address = `${path.split('?')[0]}?page=${next(page)}`
      return response.writeHead(200, { link: `<${address}>; rel="next"` }).end(JSON.stringify(files(page)))
    })

  test('where its pages have no end', async () => {
    const { url, requests } = await pages(
      (page) => page + 1,
      () => [],
    )
    await expect(fetchAll(url)).rejects.toThrow(`its list of files has more than ${limits.hubPages} pages`)
    expect(requests.length).toBeLessThan(limits.hubPages + 10)
  })

  test('where a page comes again', async () => {
    const { url, requests } = await pages(
      (page) => (page + 1) % 3,
      () => [],
    )
    await expect(fetchAll(url)).rejects.toThrow('comes back to a page that was read already')
    expect(requests.length).toBeLessThan(10)
  })

  test('where its files come again', async () => {
    const { url, requests } = await pages(
      (page) => page + 1,
      () => [listed()],
    )
    await expect(fetchAll(url)).rejects.toThrow('its list of files repeats itself')
    expect(requests.length).toBeLessThan(10)
  })
})

describe('a file that is not as long as listed is refused, and nothing of it counts as whole', () => {
  const withSize = (size: unknown, answer: Answer = () => undefined) =>
    hubWith((request, response, path) => {
      if (path.includes('/tree/')) return response.end(JSON.stringify([{ ...listed(), size }]))
      return path.includes('/resolve/') ? answer(request, response, path) : undefined
    })

  test('a longer one, before it is written', async () => {
    const { url } = await withSize(2)
    await expect(fetchAll(url)).rejects.toThrow('has more bytes than the 2 that the hub lists')
    expect(wholeFiles()).toEqual([])
  })

  test('an endless one', async () => {
    let sent = 0
    const { url } = await withSize(2, (_, response) => {
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 16))) sent += 1 << 16
        if (!response.destroyed) response.once('drain', () => setImmediate(send))
      }
      send()
      return true
    })
    await expect(fetchAll(url)).rejects.toThrow('has more bytes than the 2 that the hub lists')
    expect(sent).toBeLessThan(64 << 20)
    expect(readdirSync(join(folder, 'hub/datasets--acme--rows/blobs'))).toEqual([])
  })

  test('a shorter one', async () => {
    const { url } = await withSize(50)
    await expect(fetchAll(url)).rejects.toThrow('has 19 bytes instead of 50')
    expect(wholeFiles()).toEqual([])
  })

  test('one that unpacks to more', async () => {
    const bomb = gzipSync(Buffer.alloc(24 << 20))
    const { url } = await withSize(2, (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    await expect(fetchAll(url)).rejects.toThrow(/more bytes than the 2|broke off/)
    expect(wholeFiles()).toEqual([])
  })

  test('a size that is no number of bytes', async () => {
    for (const size of [-1, 1.5, 1e300]) {
      const { url } = await withSize(size)
      await expect(fetchAll(url)).rejects.toThrow(/unexpected JSON \(0\.size/)
    }
  })
})
