import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { fileReference, hashOfMedia } from '../../node/rows/media-store.ts'
import { ShownMedia } from './shown-media.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const folder = folderWith({ 'notes.txt': 'secret' })
writeFileSync(join(folder, 'a cat.png'), png)
const hashIn = (url: string) => url.split('#sha256=')[1]!

test('a file of media that a sent row refers to is sent by its hash', async () => {
  const media = new ShownMedia()
  const url = fileReference(join(folder, 'a cat.png'))!
  await expect(media.file(hashIn(url))).rejects.toThrow('belongs to no row that was shown')
  expect(await media.respond({ rows: [{ image: [url] }] }).json()).toEqual({ rows: [{ image: [url] }] })
  const sent = await media.file(hashIn(url))
  expect(sent.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(png)
})

test.each([
  ['bytes=0-7', 206, `bytes 0-7/${png.length}`, png.subarray(0, 8)],
  ['bytes=60-', 206, `bytes 60-${png.length - 1}/${png.length}`, png.subarray(60)],
  ['bytes=-5', 206, `bytes ${png.length - 5}-${png.length - 1}/${png.length}`, png.subarray(-5)],
  ['bytes=1-9999', 206, `bytes 1-${png.length - 1}/${png.length}`, png.subarray(1)],
  ['bytes=9999-', 416, `bytes */${png.length}`, Buffer.alloc(0)],
  ['bytes=5-2', 416, `bytes */${png.length}`, Buffer.alloc(0)],
  ['lines=1-2', 200, null, png],
  ['bytes=-', 200, null, png],
])('the range %s', async (range, status, contentRange, bytes) => {
  const media = new ShownMedia()
  const url = fileReference(join(folder, 'a cat.png'))!
  media.respond({ image: url })
  const sent = await media.file(hashIn(url), range)
  expect([sent.status, sent.headers.get('content-range')]).toEqual([status, contentRange])
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(Buffer.from(bytes))
})

test('records are JSON within strings', async () => {
  const media = new ShownMedia()
  const url = fileReference(join(folder, 'a cat.png'))!
  media.respond([JSON.stringify({ prompt: [{ media: { kind: 'image', url } }] })])
  expect((await media.file(hashIn(url))).status).toBe(200)
})

test.each([
  ['is no media', () => `${pathToFileURL(join(folder, 'notes.txt')).href}#sha256=${hashOfMedia(Buffer.from('secret'))}`],
  ['has other content', () => `${pathToFileURL(join(folder, 'a cat.png')).href}#sha256=${'0'.repeat(64)}`],
  ['is a device', () => `file:///dev/zero#sha256=${'2'.repeat(64)}`],
  ['is on another machine', () => `file://elsewhere/share/cat.png#sha256=${'3'.repeat(64)}`],
  ['has a path that cannot be one', () => `file:///a%2Fcat.png#sha256=${'4'.repeat(64)}`],
  ['is gone', () => `${pathToFileURL(join(folder, 'gone.png')).href}#sha256=${'1'.repeat(64)}`],
])('a file that %s is not sent', async (_, url) => {
  const media = new ShownMedia()
  media.respond({ image: url() })
  await expect(media.file(hashIn(url()))).rejects.toThrow('the file is gone, has changed')
})

test('a reply that repeats the start of a reference does not block the viewer', () => {
  const elapsed = processorTimer()
  new ShownMedia().respond({ reply: 'file://'.repeat(100_000), hashes: `file:#sha256=${'0'.repeat(64)} `.repeat(1000) })
  expect(elapsed()).toBeLessThan(5000)
})
