import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEmbeddedTokenizer } from '../embedded/open-embedded.ts'
import { guidesFor } from './constrained.ts'
import type { LaterConstraint } from './later-constraint.ts'
import { ReplyGuide } from './reply-guide.ts'

const tokenizer = readEmbeddedTokenizer(
  JSON.parse(readFileSync(new URL('../../../embedded-model/tokenizer.json', import.meta.url), 'utf8')) as unknown,
)
const parts = { guides: guidesFor(tokenizer), tokenizer, where: 'm' }
const later: LaterConstraint = {
  mark: '<call>',
  counts: (before) => !before.endsWith('not '),
  constraint: {
    kind: 'json-schema',
    schema: { type: 'object', properties: { a: { enum: [1, 2] } }, required: ['a'], additionalProperties: false },
  },
}
const characters = new Map(
  Array.from({ length: tokenizer.size ?? 0 }, (_, id) => [Buffer.from(tokenizer.bytesOf(id)).toString(), id] as const).filter(
    ([text]) => text.length === 1,
  ),
)

/** Writes a text character by character, as far as it is allowed. */
async function write(guide: ReplyGuide, text: string): Promise<string> {
  let written = ''
  for (const character of text) {
    const id = characters.get(character)!
    const { mask } = await guide.next(new Set())
    if (mask && mask.allowed[id] !== 1) return written
    await guide.push(id, character)
    written += character
  }
  return written
}

test('a reply is free up to the mark, constrained after it, and free again after the closing text', async () => {
  const guide = new ReplyGuide({ later: { ...later, close: '</call>' } }, parts)
  expect(await write(guide, 'not <call>{} and <call>{"a": 3')).toBe('not <call>{} and <call>{"a": ')
  expect(await guide.next(new Set())).toMatchObject({ isOver: false, isOpen: true })
  expect(await write(guide, '2} free')).toBe('2}')
  expect(await write(guide, '</call> free <call>{"b"')).toBe('</call> free <call>{"')
  expect(guide.notes).toEqual([])
})

test('a token that closes the value is the only one allowed, and may end the reply', async () => {
  const guide = new ReplyGuide({ later: { ...later, close: '<|im_end|>' } }, parts)
  const close = tokenizer.idOf('<|im_end|>')!
  expect(await write(guide, '<call>{"a":1}')).toBe('<call>{"a":1}')
  const { mask, isLast } = await guide.next(new Set([close]))
  expect([mask?.count, mask?.allowed[close], isLast]).toEqual([1, 1, true])
  await guide.push(close, '<|im_end|>')
  expect(await write(guide, 'free')).toBe('free')
})

test('a wrong value that began in the same token as its mark is reported', async () => {
  const guide = new ReplyGuide({ later }, parts)
  await guide.push(characters.get('x')!, '<call>[')
  expect(guide.notes).toMatchObject([{ code: 'not-constrained' }])
  expect(await write(guide, 'free')).toBe('free')
})
