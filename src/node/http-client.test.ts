import { createServer, request as forward } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { scriptedServer } from '../../testing/scripted-server.ts'
import { HttpFailure } from '../http/http-client.ts'
import { nodeClient } from './http-client.ts'

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

/** A proxy that knows the names of the test: plain requests are handed on, CONNECT makes a tunnel. */
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
    // What answers behind the tunnel does not speak TLS: the tunnel is what is looked at.
    await expect(client({ HTTPS_PROXY: url })({ ...post, url: 'https://model.test/v1/models' })).rejects.toThrow(HttpFailure)
    expect(seen).toEqual(['CONNECT model.test:443'])
  })

  test('are left out for this machine, and for what NO_PROXY names', async () => {
    const { url, port } = await server()
    const used = await proxy(port)
    expect((await client({ HTTP_PROXY: used.url })({ ...post, url })).status).toBe(200)
    const direct = client({ HTTP_PROXY: used.url, NO_PROXY: 'other.test,.invalid' })({ ...post, url: 'http://model.invalid/v1' })
    await expect(direct).rejects.toMatchObject({ kind: 'unreachable' })
    expect(used.seen).toEqual([])
  })
})

describe('failures', () => {
  test('nobody there', async () => {
    const { url, close } = await scriptedServer(() => ({ text: '' }))
    await close()
    await expect(client()({ ...post, url })).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(client()({ ...post, url: 'http://nowhere.invalid' })).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('silence', async () => {
    const started = await scriptedServer(() => () => undefined)
    opened.push(started)
    await expect(client()({ ...post, url: started.url, timeout: 100 })).rejects.toMatchObject({
      kind: 'timeout',
      message: 'it said nothing for 0.1 s',
    })
  })

  test('a connection that breaks', async () => {
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

test('many requests may share a signal', async () => {
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
