import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { serveViewer } from './serve-viewer.ts'

type Sent = { method?: string; path?: string; body?: string }

/** A server and what it replies to requests with given headers. */
async function served(isReadOnly = false) {
  const server = await serveViewer({ version: 'test', configs: [] }, { folder: folderWith({ 'index.html': '' }), isReadOnly })
  const { port } = new URL(server.url)
  const send = (headers: Record<string, string>, { method = 'GET', path = '/data/site.json', body = '' }: Sent = {}) =>
    new Promise<{ status: number | undefined; policy: unknown; text: string }>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
        let text = ''
        for await (const chunk of response) text += String(chunk)
        resolve({ status: response.statusCode, policy: response.headers['content-security-policy'], text })
      })
      sent.once('error', reject).end(body)
    })
  return { server, port, send }
}

test('the server answers only its own page', async () => {
  const { server, port, send } = await served()
  expect((await send({})).status).toBe(200)
  expect((await send({ host: `evil.example:${port}` })).status).toBe(403)
  expect((await send({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const { policy } = await send({})
  expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval';/)
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/)
  await server.close()
})

test('changes need the origin, the token and JSON of the own page', async () => {
  const { server, port, send } = await served()
  const { token } = JSON.parse((await send({})).text) as { token: string }
  const good = { origin: `http://127.0.0.1:${port}`, 'x-rolecall-token': token, 'content-type': 'application/json' }
  const post = (headers: Record<string, string>, body = '{}') =>
    send(headers, { method: 'POST', path: '/data/runs/0/0/annotations/0', body })
  const status = async (headers: Record<string, string>, body?: string) => (await post(headers, body)).status
  // There is no run.
  expect(await status(good)).toBe(404)
  const without = (name: keyof typeof good) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
  expect(await status(without('origin'))).toBe(403)
  expect(await status({ ...good, origin: 'https://evil.example' })).toBe(403)
  expect(await status({ ...good, host: `evil.example:${port}` })).toBe(403)
  expect(await status(without('x-rolecall-token'))).toBe(403)
  expect(await status({ ...good, 'x-rolecall-token': `${token}x` })).toBe(403)
  // What a form of another page can send.
  expect(await status({ ...good, 'content-type': 'text/plain' })).toBe(415)
  expect((await send(good, { method: 'PUT' })).status).toBe(405)
  await server.close()
})

test('a read-only server has no token and accepts no change', async () => {
  const { server, port, send } = await served(true)
  expect(JSON.parse((await send({})).text)).not.toHaveProperty('token')
  const headers = { origin: `http://127.0.0.1:${port}`, 'x-rolecall-token': '', 'content-type': 'application/json' }
  expect((await send(headers, { method: 'POST' })).status).toBe(405)
  await server.close()
})

test('the page writes texts as text: no code of the viewer sets HTML or evaluates text', () => {
  const folder = fileURLToPath(new URL('../../../../viewer/src', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes('.test.'),
  )
  expect(files.length).toBeGreaterThan(50)
  const sinks =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc|\beval\(|new Function\(|javascript:/i
  expect(files.filter((name) => sinks.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
})
