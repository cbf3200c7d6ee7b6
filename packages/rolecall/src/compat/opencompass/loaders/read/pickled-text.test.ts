import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pickledText } from './pickled-text.ts'

/** A pickle of one text, as LiveCodeBench has it in its rows. */
function pickled(text: string): string {
  const bytes = Buffer.from(text)
  const head = Buffer.from([0x80, 4, 0x58, 0, 0, 0, 0])
  head.writeUInt32LE(bytes.length, 3)
  return deflateSync(Buffer.concat([head, bytes, Buffer.from('.')])).toString('base64')
}

test('a text that Python pickled is read; other values are refused', async () => {
  expect(await pickledText(pickled('答案'), 'row 1')).toBe('答案')
  for (const text of ['not base64', deflateSync('cos\nsystem\n.').toString('base64'), pickled('x').slice(0, 8)])
    await expect(pickledText(text, 'row 1')).rejects.toThrow('neither JSON nor a text that Python pickled')
})

test('a value that unpacks to a thousand times its size is refused with its place', async () => {
  const packed = pickled('x'.repeat(40 << 20))
  expect(packed.length).toBeLessThan(100_000)
  await expect(pickledText(packed, 'test.jsonl › row 1')).rejects.toThrow('test.jsonl › row 1: it unpacks to more than 200 times its size')
})
