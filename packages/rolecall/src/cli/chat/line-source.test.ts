import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { LineSource } from './run-chat.ts'

test('a line of a pipe that is too long is an error; lines before it are read', async () => {
  const input = new PassThrough()
  const lines = new LineSource(input, undefined, () => undefined, 100)
  input.write(`first\n${'x'.repeat(60)}`)
  expect(await lines.next()).toBe('first')
  const next = lines.next()
  input.write('x'.repeat(60))
  await expect(next).rejects.toMatchObject({ code: 'bad-input', problem: 'a line is longer than 100 bytes' })
  await expect(lines.next()).rejects.toMatchObject({ code: 'bad-input' })
})

test('many lines that are longer together than one may be are read', async () => {
  const input = new PassThrough()
  const lines = new LineSource(input, undefined, () => undefined, 100)
  input.end(`${'a'.repeat(80)}\n${'b'.repeat(80)}\nc`)
  expect([await lines.next(), await lines.next(), await lines.next(), await lines.next()].map((line) => line?.at(0))).toEqual([
    'a',
    'b',
    'c',
    undefined,
  ])
})
