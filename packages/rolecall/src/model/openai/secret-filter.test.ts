import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { ReplyCollector } from './collect-reply.ts'
import { SecretFilter } from './secret-filter.ts'

const key = 'sk-abcabcabd'

test('a key is removed at any chunking', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('a', 'sk-', 'abc', key, key.slice(0, 7), ' '), fc.string({ maxLength: 3 })), { maxLength: 12 }),
      fc.array(fc.nat(5), { maxLength: 40 }),
      (parts, cuts) => {
        const whole = parts.join('')
        const filter = new SecretFilter([key])
        let [given, at] = ['', 0]
        for (const cut of cuts) {
          given += filter.push(whole.slice(at, at + cut))
          at += cut
          expect(given).not.toContain(key)
        }
        given += filter.push(whole.slice(at)) + filter.end()
        expect(given).not.toContain(key)
        if (!whole.includes(key)) expect(given).toBe(whole)
        expect(filter.hasFound).toBe(whole.includes(key))
      },
    ),
    { numRuns: propertyRuns(500) },
  )
})

test('short keys are ordinary words, and stay', () => {
  const filter = new SecretFilter(['EMPTY'])
  expect(filter.push('it is EMPTY') + filter.end()).toBe('it is EMPTY')
})

test('keys are removed from a reply’s text, reasoning, calls and ids, with a note', () => {
  const collector = new ReplyCollector([], [key])
  const calls = [
    { index: 0, name: 'f', arguments: `{"a":"${key.slice(0, 5)}` },
    { index: 0, arguments: `${key.slice(5)}"}` },
  ]
  const given =
    collector.add({ text: `you sent ${key}!`, reasoning: `hm ${key}`, calls, ids: [1, 2], finish: 'stop' } as never) + collector.end()
  const reply = collector.reply(0, new Set(), [])
  expect(given).toBe('you sent ***!')
  expect(reply).toMatchObject({
    text: 'you sent ***!',
    reasoning: 'hm ***',
    calls: [{ arguments: { a: '***' }, argumentsText: '{"a":"***"}' }],
  })
  expect(reply.ids).toBeUndefined()
  expect(reply.notes).toMatchObject([{ code: 'key-in-reply' }])
  expect(JSON.stringify(reply)).not.toContain(key)
})
