import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha512 } from './sha512.ts'

test('equals the SHA-512 of Node, also where the padding takes another block', () => {
  for (const length of [0, 3, 111, 112, 127, 128, 300]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) % 256)
    expect(Buffer.from(sha512(bytes)).toString('hex')).toBe(createHash('sha512').update(bytes).digest('hex'))
  }
})
