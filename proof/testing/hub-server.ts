import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Files by path; files that end with .parquet, .gguf, .zip or .bin are large files, served by another host. */
export type HubRepo = {
  files: Readonly<Record<string, string | Buffer>>
  isGated?: boolean
  token?: string
  /** The branch refs/convert/parquet. */
  converted?: HubRepo
}

/** What goes wrong: with the next answers (`error`), those of the API (`web-page`, `cut-json`), listings (`unsafe-…`) or files (`cut`, `corrupt`). */
export type HubFault = 'cut' | 'corrupt' | 'error' | 'web-page' | 'cut-json' | 'unsafe-path' | 'unsafe-hash'

export type HubServer = {
  url: string
  requests: { host: string; path: string; range: string | undefined; authorization: string | undefined }[]
  /** The next answers go wrong in this way. */
  fault: { kind: HubFault; times: number } | undefined
  /** Throws if a fault is left: it has tested nothing. */
  close: () => Promise<void>
}

/** A small Hugging Face hub for tests: repositories by `models/ORG/NAME` or `datasets/ORG/NAME`, one commit each. Those of `old` have moved to `acme`. */
export async function hubServer(repos: Readonly<Record<string, HubRepo>>): Promise<HubServer> {
  const hub: HubServer = { url: '', requests: [], fault: undefined, close: async () => undefined }
  const fails = (kind: HubFault) => {
    if (hub.fault?.kind !== kind || hub.fault.times === 0) return false
    hub.fault.times--
    return true
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url!, 'http://x')
    const { range, authorization, host } = request.headers
    hub.requests.push({ host: host!, path: pathname, range, authorization })
    const refuse = (status: number, code: string) =>
      response.writeHead(status, { 'x-error-code': code }).end(JSON.stringify({ error: code }))
    if (fails('error')) return response.writeHead(503).end('down')
    const isApi = pathname.startsWith('/api/')
    if (isApi && fails('cut-json')) return response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy())
    if (isApi && fails('web-page')) return response.writeHead(200).end('<html>sign in</html>')
    if (pathname.includes('/old/')) return response.writeHead(307, { location: request.url!.replace('/old/', '/acme/') }).end()
    const api = /^\/api\/(models|datasets)\/([^/]+(?:\/[^/]+)??)(?:\/(revision|tree)\/(.+))?$/.exec(decodeURIComponent(pathname))
    const file = /^\/(datasets\/)?([^/]+(?:\/[^/]+)?)\/(resolve|cdn)\/([^/]+)\/(.+)$/.exec(decodeURIComponent(pathname))
    const key = api ? `${api[1]}/${api[2]}` : file ? `${file[1] === undefined ? 'models' : 'datasets'}/${file[2]}` : ''
    const main = repos[key]
    if (main === undefined) return refuse(401, 'RepoNotFound')
    const revision = api?.[4] ?? file?.[4] ?? 'main'
    const { converted } = main
    const isConverted = converted !== undefined && (revision === 'refs/convert/parquet' || revision === commitOf(converted))
    const repo = isConverted ? converted : main
    const commit = commitOf(repo)
    if (api) {
      const part = api[3]
      if (part === 'revision' && !isConverted && revision !== 'main' && revision !== commit) return refuse(404, 'RevisionNotFound')
      if (part !== 'tree') return response.end(JSON.stringify({ id: api[2], sha: commit }))
      const entries = Object.entries(repo.files).map(([path, content]) => ({ type: 'file', ...entryOf(path, Buffer.from(content)) }))
      const unsafe = fails('unsafe-path') ? [{ type: 'file', path: '../../../escape.txt', oid: '0'.repeat(40), size: 1 }] : []
      const named = fails('unsafe-hash') ? [{ type: 'file', path: 'README.md', oid: '../../../escape', size: 1 }] : []
      return response.end(JSON.stringify([...entries, ...unsafe, ...named]))
    }
    const content = repo.files[file![5]!]
    if (content === undefined) return refuse(404, 'EntryNotFound')
    if (repo.isGated && file![3] === 'resolve' && authorization !== `Bearer ${repo.token}`)
      return refuse(authorization === undefined ? 401 : 403, 'GatedRepo')
    if (file![3] === 'resolve' && isLarge(file![5]!)) {
      const address = request.url!.replace('/resolve/', '/cdn/')
      return response.writeHead(302, { location: `http://localhost:${port(server)}${address}` }).end()
    }
    if (file![3] === 'cdn' && authorization !== undefined) return response.writeHead(400).end('no token here')
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    const bytes = Buffer.from(content)
    if (fails('corrupt')) bytes[0]! ^= 1
    const body = bytes.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length })
    if (!fails('cut')) return response.end(body)
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  hub.url = `http://127.0.0.1:${port(server)}`
  hub.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const { fault } = hub
    hub.fault = undefined
    if (fault !== undefined && fault.times > 0) throw new Error(`no request met the fault ${fault.kind}`)
  }
  return hub
}

function port(server: Server): number {
  return (server.address() as AddressInfo).port
}

function isLarge(path: string): boolean {
  return /\.(?:parquet|gguf|zip|bin)$/.test(path)
}

const commits = new WeakMap<HubRepo, string>()

function commitOf(repo: HubRepo): string {
  const hash = createHash('sha1')
  if (!commits.has(repo)) for (const [path, content] of Object.entries(repo.files)) hash.update(path).update(content)
  const commit = commits.get(repo) ?? hash.digest('hex')
  commits.set(repo, commit)
  return commit
}

function entryOf(path: string, content: Buffer): object {
  const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
  const sha = createHash('sha256').update(content).digest('hex')
  return { path, oid, size: content.length, ...(isLarge(path) ? { lfs: { oid: sha, size: content.length } } : {}) }
}
