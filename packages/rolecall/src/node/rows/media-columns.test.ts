import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { withMediaColumns } from './media-columns.ts'
import { readMedia } from './media-store.ts'
import { openRowFiles } from './named-files.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const folder = folderWith({ 'notes.txt': 'secret' })
writeFileSync(join(folder, 'cat.png'), png)
const wav = Buffer.from('RIFF\0\0\0\0WAVEfmt ')
writeFileSync(join(folder, 'meow.wav'), wav)
const files = openRowFiles([], { folder })
const reference = expect.stringMatching(/^file:\/\/.*\.png#sha256=[0-9a-f]{64}$/)

const read = (value: unknown) => withMediaColumns({ image: value as never, q: 'Which?' }, ['image'], files)

test.each<[string, unknown, unknown]>([
  ['a path', 'cat.png', reference],
  ['a file URL', pathToFileURL(join(folder, 'cat.png')).href, reference],
  ['base64', png.toString('base64'), reference],
  ['a URL', 'https://example.org/cat.png', 'https://example.org/cat.png'],
  ['a data URI', 'data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['a list', ['cat.png', 'https://example.org/dog.png'], [reference, 'https://example.org/dog.png']],
  ['an object with a path', { path: 'cat.png' }, reference],
  ['nothing', null, []],
])('%s', (_, given, expected) => expect(read(given)).toEqual({ image: expected, q: 'Which?' }))

test.each([
  ['a path that leads nowhere', 'dog.png'],
  ['text', 'a dog'],
  ['a file that is no media', 'notes.txt'],
  ['base64 that is no media', Buffer.from('hello, world').toString('base64')],
  ['a number', 7],
  ['a file of another machine', 'file://elsewhere/cat.png'],
])('%s is a bad row that names the column', (_, given) =>
  expect(read(given)).toMatchObject({ problem: expect.stringContaining('the column "image" has no media') }),
)

test('a row without any column of media is a bad row', () => {
  expect(withMediaColumns({ q: 'x' }, ['image', 'image_1'], files)).toMatchObject({ problem: 'the row has no column "image" of media' })
})

test('only files of media are sent, and only as they were when their row was read', async () => {
  await expect(readMedia(pathToFileURL(join(folder, 'notes.txt')).href, 'config')).rejects.toThrow('the file is neither an image nor audio')
  await expect(readMedia(`${pathToFileURL(join(folder, 'cat.png')).href}#sha256=${'0'.repeat(64)}`, 'config')).rejects.toThrow(
    'the file has changed',
  )
  await expect(readMedia('file:///dev/zero', 'config')).rejects.toThrow('the file cannot be read (it is not a regular file)')
  await expect(readMedia('file://elsewhere/cat.png', 'config')).rejects.toThrow('the file cannot be read (it is on another machine)')
  expect(String(await readMedia(pathToFileURL(join(folder, 'cat.png')).href, 'config'))).toBe(
    `data:image/png;base64,${png.toString('base64')}`,
  )
})

test.each([49_151, 49_152, 49_153, 98_305])('a file of %i bytes, read in chunks', async (size) => {
  const bytes = Buffer.concat([png, Buffer.alloc(size - png.length, 'xyz.')])
  writeFileSync(join(folder, `${size}.png`), bytes)
  const { image } = read(`${size}.png`) as unknown as { image: string }
  expect(String(await readMedia(image, 'config')) === `data:image/png;base64,${bytes.toString('base64')}`).toBe(true)
})

let server: Server
const received: { messages: unknown }[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(JSON.parse(body) as { messages: unknown })
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'cat' }, finish_reason: 'stop' }], usage: {} }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => void server.close())

test('a run sends the files of its rows, and its records keep their paths and hashes', async () => {
  const { port } = server.address() as AddressInfo
  const config = {
    models: [
      { abbr: 'vision', type: 'openai', path: 'vision', base_url: `http://127.0.0.1:${port}/v1`, format: 'messages', key_env: 'NO_KEY' },
    ],
    datasets: [
      {
        abbr: 'animals',
        rows: [{ image: 'cat.png', sound: 'meow.wav', question: 'file:///etc/passwd', answer: 'cat' }],
        media_columns: ['image', 'sound'],
        reader_cfg: { input_columns: ['question', 'image', 'sound'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: {
            messages: [
              {
                role: 'user',
                content: [
                  { type: 'image_url', image_url: { url: '{image}', detail: 'low' } },
                  { type: 'input_audio', input_audio: { data: '{sound}', format: 'wav' } },
                  { type: 'text', text: '{question}' },
                ],
              },
            ],
          },
          inferencer: { type: 'GenInferencer', max_out_len: 8 },
        },
        eval_cfg: { evaluator: { type: 'AccEvaluator' } },
      },
    ],
  }
  writeFileSync(join(folder, 'c.json'), JSON.stringify(config))
  const { code, stdout, stderr } = await rolecall(['run', 'c.json', '--work-dir', 'out', '--no-cache'], folder)
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('100') })
  expect(received[0]!.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}`, detail: 'low' } },
        { type: 'input_audio', input_audio: { data: wav.toString('base64'), format: 'wav' } },
        { type: 'text', text: 'file:///etc/passwd' },
      ],
    },
  ])
  const shown = await rolecall(['render', 'c.json', '--json'], folder)
  expect(shown.stdout).toContain('#sha256=')
  expect(shown.stdout).not.toContain(png.toString('base64'))
}, 60_000)
