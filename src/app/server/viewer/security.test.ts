import { request } from 'node:http'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
import { serveViewer } from './serve-viewer.ts'

test('the server answers only its own page', async () => {
  const server = await serveViewer({ version: 'test', configs: [] }, { folder: folderWith({ 'index.html': '' }) })
  const { port } = new URL(server.url)
  const send = (headers: Record<string, string>, method = 'GET') =>
    new Promise<{ status: number | undefined; policy: unknown }>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: '/data/site.json', method, headers }, (response) => {
        response.resume()
        resolve({ status: response.statusCode, policy: response.headers['content-security-policy'] })
      })
      sent.once('error', reject).end()
    })
  expect((await send({})).status).toBe(200)
  expect((await send({ host: `evil.example:${port}` })).status).toBe(403)
  expect((await send({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await send({}, 'POST')).status).toBe(405)
  const { policy } = await send({})
  expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval';/)
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/)
  await server.close()
})
