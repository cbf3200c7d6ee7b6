import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
import { fileReference } from '../../node/rows/media-store.ts'
import { ShownMedia } from './shown-media.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const folder = folderWith({ 'notes.txt': 'secret' })
writeFileSync(join(folder, 'a cat.png'), png)
const hashIn = (url: string) => url.split('#sha256=')[1]!

test('a file of media that a sent row refers to is sent by its hash', async () => {
  const media = new ShownMedia()
  const url = fileReference(join(folder, 'a cat.png'))
  await expect(media.file(hashIn(url))).rejects.toThrow('belongs to no row that was shown')
  expect(await media.respond({ rows: [{ image: [url] }] }).json()).toEqual({ rows: [{ image: [url] }] })
  const sent = await media.file(hashIn(url))
  expect(sent.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(png)
})

test.each([
  ['is no media', () => fileReference(join(folder, 'notes.txt'))],
  ['has other content', () => `${pathToFileURL(join(folder, 'a cat.png')).href}#sha256=${'0'.repeat(64)}`],
  ['is gone', () => `${pathToFileURL(join(folder, 'gone.png')).href}#sha256=${'1'.repeat(64)}`],
])('a file that %s is not sent', async (_, url) => {
  const media = new ShownMedia()
  media.respond({ image: url() })
  await expect(media.file(hashIn(url()))).rejects.toThrow('the file is gone, has changed')
})
