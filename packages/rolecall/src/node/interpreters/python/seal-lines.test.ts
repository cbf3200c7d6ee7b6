import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openLine, sealLine } from './seal-lines.ts'

const key = randomBytes(32)

/** The runner's side in Deno. */
function sealAsRunner(secret: Uint8Array, message: unknown): string {
  const nonce = randomBytes(12)
  const sealing = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from('runner'))
  return Buffer.concat([nonce, sealing.update(JSON.stringify(message)), sealing.final(), sealing.getAuthTag()]).toString('base64')
}

test('lines sealed by the runner are read', () => {
  expect(openLine(key, sealAsRunner(key, { done: { value: 'é' } }))).toEqual({ done: { value: 'é' } })
})

test('other lines are rejected: another key, a changed line, our own line sent back, plain text', () => {
  const line = sealAsRunner(key, { ready: true })
  const changed = Buffer.from(line, 'base64')
  changed[20]! ^= 1
  const others = [
    sealAsRunner(randomBytes(32), { ready: true }),
    changed.toString('base64'),
    sealLine(key, { ready: true }),
    '{"ready": true}',
    line.slice(0, 20),
    '',
  ]
  for (const other of others) expect(openLine(key, other)).toBe(undefined)
})

test('a line does not reveal its message, and sealing is never deterministic', () => {
  const [one, other] = [sealLine(key, { code: 'secret' }), sealLine(key, { code: 'secret' })]
  expect(one).not.toBe(other)
  expect(Buffer.from(one, 'base64').includes('secret')).toBe(false)
  expect(one).not.toContain('\n')
})
