import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { compress } from './compress.ts'

const long = 'const answer = 42\n'.repeat(1000)

function appWith(): { app: Hono; made: () => number } {
  let asked = 0
  const app = new Hono()
  app.use(compress())
  app.get('/assets/a.js', () => {
    asked++
    const headers = { 'content-type': 'text/javascript', 'cache-control': 'max-age=1, immutable', 'content-length': String(long.length) }
    return new Response(long, { headers })
  })
  app.get('/data.json', (context) => context.json({ long, asked: ++asked }))
  app.get('/short.json', (context) => context.json({ a: 1 }, 200, { 'content-length': '7' }))
  app.get('/model.safetensors', () => new Response(long, { headers: { 'content-type': 'application/octet-stream' } }))
  return { app, made: () => asked }
}

async function get(app: Hono, path: string, accept?: string): Promise<{ encoding: string | null; bytes: Buffer; answer: Response }> {
  const answer = await app.request(path, accept === undefined ? {} : { headers: { 'accept-encoding': accept } })
  return { encoding: answer.headers.get('content-encoding'), bytes: Buffer.from(await answer.arrayBuffer()), answer }
}

test('text is compressed with an accepted encoding', async () => {
  const { app, made } = appWith()
  const [br, zipped, plain] = [
    await get(app, '/assets/a.js', 'gzip, br'),
    await get(app, '/assets/a.js', 'gzip'),
    await get(app, '/assets/a.js'),
  ]
  expect([br.encoding, zipped.encoding, plain.encoding]).toEqual(['br', 'gzip', null])
  expect(brotliDecompressSync(br.bytes).toString()).toBe(long)
  expect(gunzipSync(zipped.bytes).toString()).toBe(long)
  expect(plain.bytes.toString()).toBe(long)
  expect(br.bytes.length).toBeLessThan(long.length / 20)
  expect([br.answer.headers.get('vary'), plain.answer.headers.get('vary')]).toEqual(['accept-encoding', 'accept-encoding'])
  expect(Number(br.answer.headers.get('content-length'))).toBe(br.bytes.length)
  expect((await get(app, '/assets/a.js', 'br')).bytes.equals(br.bytes)).toBe(true)
  // Once per encoding and once uncompressed; then it is cached.
  expect(made()).toBe(3)
  expect((await get(app, '/assets/a.js', 'br;q=0, gzip;q=0.5')).encoding).toBe('gzip')
})

test('data is never cached; weights and short responses are not compressed', async () => {
  const { app } = appWith()
  const numbers = [await get(app, '/data.json', 'br'), await get(app, '/data.json', 'br')]
  expect(numbers.map(({ bytes }) => JSON.parse(brotliDecompressSync(bytes).toString()).asked)).toEqual([1, 2])
  expect((await get(app, '/model.safetensors', 'br')).encoding).toBeNull()
  expect((await get(app, '/short.json', 'br')).encoding).toBeNull()
})
