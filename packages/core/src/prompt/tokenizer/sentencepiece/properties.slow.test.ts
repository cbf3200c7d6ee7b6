import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../proof/testing/sampling.ts'
import type { EncodedRun } from '../tokenizer.ts'
import { readModel } from './read-model.ts'
import { readSentencePiece } from './sentencepiece-tokenizer.ts'

const folder = new URL('models/', import.meta.url)
const models = readdirSync(folder).filter((file) => file.endsWith('.model'))
const nothing = () => false

const snippets = [
  'the answer',
  '你好',
  '<|im_start|>',
  '<|im_end|>',
  '<s>',
  '</s>',
  '<ctrl>',
  '<unk>',
  '<0x0A>',
  '[SEP]',
  '▁▁',
  '①x',
  '  ',
  '\n\n',
]
const rarities = ['\0', '\u0001', '\t', 'e\u0301', 'ﬁ', '㌀', 'ﷺ', '\u3000', '´', '👩‍👩‍👧‍👦', '\ud83d', '\ude00', '\ufffd', '\u200b']
const text = fc
  .array(fc.oneof(fc.constantFrom(...snippets, ...rarities), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()))
  .map((parts) => parts.join(''))

for (const file of models) {
  const bytes = readFileSync(new URL(file, folder))
  const { pieces } = readModel(bytes, file)
  const tokenizer = readSentencePiece(bytes, file)
  const goesOn = readSentencePiece(bytes, file, { prefixSpace: 'first-run' })
  const isAdded = (id: number) => tokenizer.addedTokens.some((token) => token.id === id)

  describe(file, () => {
    test('offsets are monotonic, complete and restore the text', () => {
      fc.assert(
        fc.property(text, fc.boolean(), (text, isFirst) => {
          for (const isProtected of [nothing, isAdded, (id: number) => id % 3 === 0]) {
            expectCover(text, tokenizer.encodeRun(text, isFirst, isProtected))
            expectCover(text, goesOn.encodeRun(text, isFirst, isProtected))
          }
        }),
        { numRuns: propertyRuns(300) },
      )
    })

    test('text never becomes a control piece or a protected piece', () => {
      fc.assert(
        fc.property(text, (text) => {
          for (const id of tokenizer.encodeRun(text, true, nothing).ids) expect(pieces[id]!.type).not.toBe('control')
          for (const id of tokenizer.encodeRun(text, true, isAdded).ids) expect(isAdded(id)).toBe(false)
        }),
        { numRuns: propertyRuns(300) },
      )
    })

    test('any piece can be protected: smaller pieces, bytes or the unknown piece replace it', () => {
      fc.assert(
        fc.property(text, fc.integer({ min: 2, max: 9 }), (text, share) => {
          const isProtected = (id: number) => id % share === 0
          for (const id of tokenizer.encodeRun(text, true, isProtected).ids) {
            if (isProtected(id)) expect(pieces[id]!.type).toMatch(/unknown|byte/)
          }
        }),
        { numRuns: propertyRuns(300) },
      )
    })

    test('the same text gives the same tokens, whatever was encoded before', () => {
      const fresh = readSentencePiece(bytes, file)
      fc.assert(
        fc.property(text, (text) => {
          const first = tokenizer.encodeRun(text, true, nothing)
          tokenizer.encodeRun(text, true, isAdded)
          expect(tokenizer.encodeRun(text, true, nothing)).toEqual(first)
          expect(fresh.encodeRun(text, true, nothing)).toEqual(first)
        }),
      )
    })

    for (const unit of ['a', ' ', '你', '<', '\n', 'e\u0301', '\u0001', '😀']) {
      test(`200,000 times ${JSON.stringify(unit)} takes no time`, () => {
        const long = unit.repeat(200_000)
        expectCover(long, tokenizer.encodeRun(long, true, nothing))
      })
    }
  })
}

function expectCover(text: string, { ids, starts, ends, partial }: EncodedRun): void {
  expect([starts.length, ends.length]).toEqual([ids.length, ids.length])
  if ([...partial].some((index) => index >= ids.length)) throw new Error('there is no such token')
  // Text that normalizes to nothing, such as spaces, has no tokens.
  if (ids.length === 0) return
  let covered = 0
  let lastStart = 0
  let again = ''
  for (let index = 0; index < ids.length; index++) {
    const start = starts[index]!
    const end = ends[index]!
    if (start < lastStart || start > covered || end < covered || end < start) throw new Error(`token ${index} is at ${start}–${end}`)
    // Only tokens that share a character may overlap.
    if (start < covered && !(partial.has(index) && partial.has(index - 1))) throw new Error(`token ${index} begins again at ${start}`)
    again += text.slice(covered, end)
    covered = end
    lastStart = start
  }
  expect(again === text).toBe(true)
}
