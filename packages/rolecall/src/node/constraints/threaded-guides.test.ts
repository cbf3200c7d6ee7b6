import { afterEach, expect, test, vi } from 'vitest'
import { schemaBomb } from '../../../../../proof/testing/attack/schema-bombs.ts'
import type { Constraint } from '../../../../core/src/constrain/index.ts'
import { guidesFor } from '../../model/language-model/constrained.ts'
import { embeddedTokenizer } from '../models/load-embedded.ts'
import { ConstraintThreads } from './threaded-guides.ts'

const tokenizer = embeddedTokenizer()
const opened: ConstraintThreads[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop()
})

function threads(seconds = 60): ConstraintThreads {
  const made = new ConstraintThreads(seconds)
  opened.push(made)
  return made
}

const json = (schema: unknown, where = 'tags'): Constraint => ({ kind: 'json-schema', schema, where })
const list = json({ type: 'array', items: { enum: ['red', 'green'] }, minItems: 1 })

test('a thread allows the same tokens as this process, byte by byte', async () => {
  const there = await threads().guidesFor(tokenizer)('').begin(list)
  const here = await guidesFor(tokenizer).begin(list)
  for (const byte of Buffer.from('["red", "green"]')) {
    const [one, other] = [await there.next(), await here.next()]
    expect(one.isComplete).toBe(other.isComplete)
    expect(Buffer.from(one.mask!.allowed).equals(Buffer.from(other.mask!.allowed))).toBe(true)
    expect(await there.push(new Uint8Array([0x78]))).toBe(false)
    expect(await there.push(new Uint8Array([byte]))).toBe(true)
    await here.push(new Uint8Array([byte]))
  }
  expect(await there.next()).toEqual({ mask: undefined, isComplete: true })
})

test('what cannot be enforced is refused as in this process', async () => {
  const guides = threads().guidesFor(tokenizer)('')
  for (let times = 0; times < 2; times++)
    await expect(guides.check(json({ type: 'array', uniqueItems: true }))).rejects.toMatchObject({
      code: 'cannot-constrain',
      where: 'tags#/uniqueItems',
    })
  expect(await guides.accepts(list, '["red"]')).toBe(true)
  expect(await guides.accepts(list, '["blue"]')).toBe(false)
})

test('a schema that takes too long is stopped; replies in progress go on in a new thread', async () => {
  const both = threads(0.05)
  const guides = both.guidesFor(tokenizer)('a')
  const large = json({ type: 'array', items: schemaBomb(7, 3) })
  await threads().guidesFor(tokenizer)('a').check(large)
  const reply = await threads().guidesFor(tokenizer)('a').begin(list)
  await reply.push(Buffer.from('["red"'))
  const bomb = json(schemaBomb(12, 150), 'response_format')
  const refusal = {
    code: 'cannot-constrain',
    where: 'response_format',
    problem: expect.stringMatching(/longer than 0.05 s|more than 1000000 steps/),
  }
  const refused = async () => guides.check(bomb)
  const first = await refused().catch((error: unknown) => error)
  expect(first).toMatchObject(refusal)
  // The second time the refusal is remembered.
  await expect(refused()).rejects.toBe(first)
  expect(await reply.push(Buffer.from(', "green"]'))).toBe(true)
})

test('a client that has gone stops its work, and others are not delayed', async () => {
  const both = threads()
  const leaving = new AbortController()
  const slow = both
    .guidesFor(tokenizer)('a')
    .check(json(schemaBomb(12, 150)), leaving.signal)
  setTimeout(() => leaving.abort(new Error('gone')), 20)
  await expect(slow).rejects.toThrow('gone')
  await both.guidesFor(tokenizer)('b').check(list)
  // The work was stopped, not refused: it may be asked for again.
  await expect(
    both
      .guidesFor(tokenizer)('a')
      .check(json(schemaBomb(12, 150))),
  ).rejects.toMatchObject({ code: 'cannot-constrain' })
})

test('a constraint that took too long is tried again after a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const guides = threads(0.001).guidesFor(tokenizer)('')
    const slow = json({ type: 'array', items: schemaBomb(7, 3) })
    const refusal = async () => {
      try {
        return await guides.check(slow)
      } catch (error) {
        return error
      }
    }
    const first = await refusal()
    expect(first).toMatchObject({ problem: expect.stringContaining('longer than 0.001 s') })
    expect(await refusal()).toBe(first)
    vi.advanceTimersByTime(60_001)
    expect(await refusal()).not.toBe(first)
  } finally {
    vi.useRealTimers()
  }
})

test('a check fails when the threads are stopped, also while they start', async () => {
  const both = threads()
  const checked = both.guidesFor(tokenizer)('').check(list)
  const failed = expect(checked).rejects.toThrow('the thread was stopped')
  await new Promise((resolve) => setImmediate(resolve))
  await both.stop()
  await failed
  await both.guidesFor(tokenizer)('').check(list)
})

test('a refusal names the place of the schema, also if it is part of a sequence', async () => {
  const bomb = json(schemaBomb(12, 150), 'tools[0].function.parameters')
  const call: Constraint = { kind: 'sequence', parts: [bomb, { kind: 'choice', choices: ['</tool_call>'] }] }
  await expect(threads().guidesFor(tokenizer)('').check(call)).rejects.toMatchObject({ where: 'tools[0].function.parameters' })
})
