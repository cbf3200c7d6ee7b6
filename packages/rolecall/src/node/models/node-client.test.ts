import { getEventListeners } from 'node:events'
import { createServer, request as forward } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { stopsRun } from '../../model/language-model/stops-run.ts'
import { HttpFailure } from '../../model/openai/http/http-client.ts'
import { kindOf, nodeClient } from './node-client.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

function client(environment: Record<string, string> = {}) {
  const made = nodeClient({ environment, connections: 2 })
  opened.unshift(made)
  return made.client
}

async function server() {
  const started = await scriptedServer(({ path, headers }) => ({ json: { path, host: headers.host } }))
  opened.push(started)
  return started
}

/** A proxy for the test's host names: forwards plain requests, tunnels CONNECT. */
async function proxy(port: number) {
  const seen: string[] = []
  const started = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    const { pathname } = new URL(request.url!)
    const onward = forward({ port, host: '127.0.0.1', path: pathname, method: request.method, headers: request.headers }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(response)
    })
    request.pipe(onward)
  })
  started.on('connect', (request, socket, head) => {
    seen.push(`CONNECT ${request.url}`)
    const tunnel = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      tunnel.write(head)
      tunnel.pipe(socket).pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('error', () => tunnel.destroy())
  })
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  opened.push({
    close: () =>
      new Promise((resolve) => {
        started.closeAllConnections()
        started.close(() => resolve())
      }),
  })
  return { url: `http://127.0.0.1:${(started.address() as AddressInfo).port}`, seen }
}

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' } as const

describe('proxies', () => {
  test('are taken from the environment, with their login', async () => {
    const { port } = await server()
    const { url, seen } = await proxy(port)
    const send = client({ http_proxy: url.replace('//', '//ann:secret@') })
    const reply = await send({ ...post, url: 'http://model.test:8000/v1/completions' })
    expect(JSON.parse(await reply.text())).toEqual({ path: '/v1/completions', host: 'model.test:8000' })
    expect(seen).toEqual([`POST http://model.test:8000/v1/completions Basic ${Buffer.from('ann:secret').toString('base64')}`])
  })

  test('get a tunnel for https', async () => {
    const { port } = await server()
    const { url, seen } = await proxy(port)
    // The server behind the tunnel does not speak TLS; only the tunnel is tested.
    await expect(client({ HTTPS_PROXY: url })({ ...post, url: 'https://model.test/v1/models' })).rejects.toThrow(HttpFailure)
    expect(seen).toEqual(['CONNECT model.test:443'])
  })

  test('are bypassed for loopback and for NO_PROXY', async () => {
    const { url, port } = await server()
    const used = await proxy(port)
    expect((await client({ HTTP_PROXY: used.url })({ ...post, url })).status).toBe(200)
    const direct = client({ HTTP_PROXY: used.url, NO_PROXY: 'other.test,.invalid' })({ ...post, url: 'http://model.invalid/v1' })
    await expect(direct).rejects.toMatchObject({ kind: 'unreachable' })
    expect(used.seen).toEqual([])
  })
})

test('an invalid proxy is an error of the environment', async () => {
  await expect(client({ http_proxy: 'garbage with secret' })({ ...post, url: 'http://model.test/v1' })).rejects.toMatchObject({
    code: 'bad-proxy',
    message: expect.not.stringContaining('secret'),
  })
})

describe('failures', () => {
  test('of TLS end a run only if the server has never spoken it', () => {
    for (const code of ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'CERT_HAS_EXPIRED']) {
      expect(kindOf(code, { hasAnswered: false, hasBegun: false })).toBe('impossible')
      expect(kindOf(code, { hasAnswered: true, hasBegun: false })).toBe('broken')
    }
  })

  test('no server', async () => {
    const { url, close } = await scriptedServer(() => ({ text: '' }))
    await close()
    await expect(client()({ ...post, url })).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(client()({ ...post, url: 'http://nowhere.invalid' })).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('a silent server', async () => {
    const started = await scriptedServer(() => () => undefined)
    opened.push(started)
    await expect(client()({ ...post, url: started.url, timeout: 100 })).rejects.toMatchObject({
      kind: 'timeout',
      message: 'it said nothing for 0.1 s',
    })
  })

  test('a broken connection', async () => {
    const started = await scriptedServer(() => (response) => void response.socket?.destroy())
    opened.push(started)
    await expect(client()({ ...post, url: started.url })).rejects.toMatchObject({ kind: 'broken' })
  })
})

test('connections stay open, and close with the client', async () => {
  const started = await server()
  const made = nodeClient({ environment: {} })
  for (let request = 0; request < 5; request++) await (await made.client({ ...post, url: started.url })).text()
  expect(started.connections.made).toBeLessThan(5)
  expect(started.connections.open).toBeGreaterThan(0)
  await made.close()
  await expect.poll(() => started.connections.open).toBe(0)
})

test('no listener stays on a signal when its requests have ended', async () => {
  const { url } = await server()
  const { signal } = new AbortController()
  const send = client()
  const replies = await Promise.all([1, 2, 3].map(() => send({ ...post, url, signal })))
  await Promise.all(replies.map((reply) => reply.text()))
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('many requests can share a signal', async () => {
  const started = await server()
  const { signal } = new AbortController()
  const warnings: string[] = []
  const warn = ({ message }: Error) => warnings.push(message)
  process.on('warning', warn)
  const send = client()
  const replies = await Promise.all(Array.from({ length: 30 }, () => send({ ...post, url: started.url, signal })))
  await Promise.all(replies.map((reply) => reply.text()))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', warn)
  expect(warnings).toEqual([])
})

describe('replies', () => {
  async function answering(...[answer]: Parameters<typeof scriptedServer>) {
    const started = await scriptedServer(answer)
    opened.push(started)
    return started
  }

  test('are text without a byte order mark, in one piece or many, and after informational responses', async () => {
    const { url } = await answering(({ number }) => (response) => {
      response.writeProcessing()
      response.write(number === 0 ? '\uFEFFé' : '中')
      if (number === 0) response.end()
      else setTimeout(() => response.end(Buffer.from([0xe6, 0x96, 0x87])), 20)
    })
    const send = client()
    const replies = [await send({ ...post, url }), await send({ ...post, url })]
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(['é', '中文'])
    expect(replies[0]!.header('transfer-encoding')).toBe('chunked')
    expect(replies[0]!.header('retry-after')).toBeUndefined()
  })

  test('that are not read pause the server, and arrive complete once read', async () => {
    const size = 32 << 20
    let written = 0
    const { url } = await answering(() => (response) => {
      const chunk = Buffer.alloc(1 << 20, 'x')
      const more = () => {
        while (written < size) {
          written += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    const send = client()
    const reply = await send({ ...post, url })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(written).toBeLessThan(size)
    expect(await reply.text()).toHaveLength(size)
    written = 0
    let read = 0
    for await (const chunk of (await send({ ...post, url })).chunks()) read += chunk.length
    expect(read).toBe(size)
  })

  test('are cancelled by their signal at any stage: queued, before the reply, within it', async () => {
    let closed = 0
    const { url, seen } = await answering(() => (response) => void response.on('close', () => closed++).write('half'))
    const controller = new AbortController()
    const { signal } = controller
    const send = client()
    const middle = await send({ ...post, url, signal })
    const text = middle.text()
    const second = await send({ ...post, url, signal })
    // Both connections are busy.
    const waiting = send({ ...post, url, signal })
    expect(seen).toHaveLength(2)
    const given = [text, second.text(), waiting].map((one) => expect(one).rejects.toThrow('enough'))
    controller.abort(new Error('enough'))
    await Promise.all(given)
    await expect(send({ ...post, url, signal })).rejects.toThrow('enough')
    await expect.poll(() => closed).toBe(2)
    expect(seen).toHaveLength(2)
  })

  test('are cancelled by a time limit, whose error has a number as its code', async () => {
    const { url } = await answering(() => () => undefined)
    await expect(client()({ ...post, url, signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('that are discarded close their connection', async () => {
    let closed = 0
    const { url } = await answering(() => (response) => void response.on('close', () => closed++).write('half'))
    const send = client()
    const reply = await send({ ...post, url })
    for await (const chunk of reply.chunks()) {
      expect(Buffer.from(chunk).toString()).toBe('half')
      break
    }
    await expect.poll(() => closed).toBe(1)
    const other = await send({ ...post, url })
    other.discard()
    await expect.poll(() => closed).toBe(2)
  })

  test('that break off are failures, as text and in chunks', async () => {
    const { url } = await answering(() => (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 20)
    })
    const send = client()
    await expect((await send({ ...post, url })).text()).rejects.toMatchObject({ kind: 'broken' })
    const chunks = (await send({ ...post, url })).chunks()
    await expect(all(chunks)).rejects.toMatchObject({ kind: 'broken' })
  })
})

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('a proxy that refuses', () => {
  /** Answers every request and CONNECT with a status. */
  async function refusing(status: number) {
    const started = createServer((_, response) => response.writeHead(status).end('no'))
    started.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`))
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
    const { port } = started.address() as AddressInfo
    opened.push({ close: () => new Promise((resolve) => started.close(() => resolve()).closeAllConnections()) })
    return { shown: `http://127.0.0.1:${port}`, url: `http://ann:secret@127.0.0.1:${port}` }
  }

  test.each([
    [407, 'http', 'HTTP_PROXY', 'it requires a user name and password'],
    [403, 'http', 'http_proxy', 'it does not allow the request'],
    [407, 'https', 'HTTPS_PROXY', 'it requires a user name and password'],
    [403, 'https', 'HTTP_PROXY', 'it does not allow the request'],
  ])('with %i to %s, by %s', async (status, protocol, variable, why) => {
    const { url, shown } = await refusing(status)
    const error = await client({ [variable]: url })({ ...post, url: `${protocol}://model.test/v1` }).catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'bad-proxy',
      where: `the environment › ${variable}`,
      problem: `the proxy ${shown} answered ${status} to a request for ${protocol}://model.test: ${why}`,
    })
    expect(error.fix).toContain('NO_PROXY=model.test')
    expect(error.message).not.toContain('secret')
    expect(stopsRun(error)).toBe(true)
  })

  test.each(['http', 'https'])('the connection, for %s', async (protocol) => {
    const error = await client({ HTTP_PROXY: 'http://ann:secret@127.0.0.1:9' })({ ...post, url: `${protocol}://model.test/v1` }).catch(
      (e) => e,
    )
    expect(error).toMatchObject({ code: 'bad-proxy', where: 'the environment › HTTP_PROXY' })
    expect(error.problem).toContain('the proxy http://127.0.0.1:9 cannot be reached (ECONNREFUSED)')
    expect(error.message).not.toContain('secret')
  })
})
