import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Hub } from '../../../packages/rolecall/src/node/hub/open-hub.ts'
import type { Attack } from './attack.ts'

const commit = 'a'.repeat(40)
const content = 'the rows of a test\n'
const oid = createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex')
const listed = (more: object = {}) => ({ type: 'file', path: 'rows.jsonl', oid, size: content.length, ...more })
const bomb = gzipSync(Buffer.alloc(64 << 20, ' '))

/** An answer of a hub that is not what it should be. */
type Trick = (response: ServerResponse, path: string, own: string, other: string) => unknown

const list: Readonly<Record<string, Trick>> = {
  'a gzip bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  'pages without end': (response, path, own) =>
    response.writeHead(200, { link: `<${own}${path.split('?')[0]}?cursor=${performance.now()}>; rel="next"` }).end('[]'),
  'the same page again': (response, path, own) =>
    response.writeHead(200, { link: `<${own}${path}>; rel="next"` }).end(JSON.stringify([listed()])),
  'a next page elsewhere': (response, path, _own, other) =>
    response.writeHead(200, { link: `<${other}${path}>; rel="next"` }).end(JSON.stringify([listed()])),
  'no list': (response) => response.end('{"error":"no"}'),
  'nested lists': (response) => response.end('['.repeat(100_000)),
  ...Object.fromEntries(
    ['../../escaped.jsonl', '/escaped.jsonl', 'a/../../../escaped.jsonl', '..\\escaped.jsonl', 'rows.jsonl\0', '__proto__'].map((path) => [
      `a file ${JSON.stringify(path)}`,
      (response: ServerResponse) => response.end(JSON.stringify([listed({ path })])),
    ]),
  ),
  ...Object.fromEntries(
    [1, -1, 2 ** 60, 'x', null].map((size) => [
      `a size of ${size}`,
      (response: ServerResponse) => response.end(JSON.stringify([listed({ size })])),
    ]),
  ),
  'another hash': (response) => response.end(JSON.stringify([listed({ oid: 'b'.repeat(40) })])),
  'a hash that leads out': (response) => response.end(JSON.stringify([listed({ oid: '../../../escaped' })])),
}
const file: Readonly<Record<string, Trick>> = {
  'a redirect to another port': (response, path, _own, other) => response.writeHead(302, { location: `${other}${path}` }).end(),
  'a redirect to a file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  'redirects without end': (response, path, own) => response.writeHead(302, { location: `${own}${path}x` }).end(),
  'a gzip bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  'more bytes': (response) => response.end(content.repeat(1000)),
  'fewer bytes': (response) => response.end(content.slice(3)),
  'a broken connection': (response) => {
    response.writeHead(200, { 'content-length': content.length }).write(content.slice(0, 5))
    setTimeout(() => response.destroy(), 20)
  },
  'other bytes': (response) => response.end(content.replace('rows', 'ROWS')),
}
const commits: Readonly<Record<string, Trick>> = Object.fromEntries(
  ['../../escaped', '', null, 5, { a: 1 }, '__proto__'].map((sha) => [
    `a commit ${JSON.stringify(sha)}`,
    (response: ServerResponse) => response.end(JSON.stringify({ sha })),
  ]),
)
const tricks = [
  ...Object.entries(list).map(([name, play]) => ({ name: `list: ${name}`, at: '/tree/', play })),
  ...Object.entries(file).map(([name, play]) => ({ name: `file: ${name}`, at: '/resolve/', play })),
  ...Object.entries(commits).map(([name, play]) => ({ name, at: '/api/', play })),
]

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Hubs on this machine whose answers lie. */
export const hostileHubs: Attack = {
  name: 'hostile hubs',
  holds: 'no token leaves its origin, no file its cache, nothing wrong counts as whole, and 1,100 requests, 512 MB and 60 s are enough',
  async run({ chance, slack, goesOn, tried, gotThrough }) {
    const tokens: (string | undefined)[] = []
    const other = await listen((request, response) => {
      tokens.push(request.headers.authorization)
      response.end(content)
    })
    let trick: (typeof tricks)[number] | undefined
    let requests = 0
    const hub = await listen((request, response) => {
      requests++
      const path = request.url ?? ''
      if (trick && path.includes(trick.at)) return trick.play(response, path, hub.url, other.url)
      if (path.includes('/tree/')) return response.end(JSON.stringify([listed()]))
      return response.end(path.startsWith('/api/') ? JSON.stringify({ sha: commit }) : content)
    })
    const fetchOnce = async (name: string) => {
      const above = mkdtempSync(join(tmpdir(), 'rolecall-hostile-hub-'))
      const folder = join(above, 'a/b/c')
      const opened = new Hub({ environment: { HF_ENDPOINT: hub.url, HF_HOME: folder, HF_TOKEN: 'hf_secret' } })
      const started = performance.now()
      const memory = process.memoryUsage().rss
      requests = 0
      let paths: string[] = []
      try {
        const fetched = await opened.fetch({ site: 'huggingface', kind: 'datasets', id: 'acme/rows' }, () => true)
        paths = [...fetched.paths.keys()]
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error)) gotThrough(`${name}: ${String(error).slice(0, 300)}`)
      } finally {
        await opened.close()
      }
      const files = readdirSync(above, { recursive: true, encoding: 'utf8' })
      if (files.some((each) => each.includes('escaped') && !each.startsWith('a/b/c/'))) gotThrough(`${name}: wrote ${files.join(' ')}`)
      const blobs = files.filter((each) => /\/blobs\/[^/]+$/.test(each) && !each.endsWith('.incomplete'))
      if (blobs.some((each) => !each.endsWith(oid))) gotThrough(`${name}: ${blobs.join(' ')} count as whole`)
      if (requests > 1100) gotThrough(`${name}: ${requests} requests`)
      const [seconds, grown] = [(performance.now() - started) / 1000, (process.memoryUsage().rss - memory) / 2 ** 20]
      if (seconds > 60 * slack) gotThrough(`${name}: ${seconds} s`)
      if (grown > 512) gotThrough(`${name}: ${grown} MB`)
      if (tokens.some((token) => token !== undefined)) gotThrough(`${name}: the token was sent to another port`)
      rmSync(above, { recursive: true, force: true })
      return { paths, blobs }
    }
    try {
      const honest = await fetchOnce('an honest hub')
      if (honest.paths.join() !== 'rows.jsonl' || honest.blobs.length !== 1) gotThrough('an honest hub is not read')
      while (goesOn()) {
        trick = chance.pick(tricks)
        await fetchOnce(trick.name)
        tried()
      }
    } finally {
      await hub.close()
      await other.close()
    }
  },
}
