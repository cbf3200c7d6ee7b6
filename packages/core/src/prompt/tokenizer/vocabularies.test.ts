import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gemmas, loadVocabulary, type Vocabulary, vocabularies } from '../../../../../proof/cases/real-vocabularies.ts'
import { hasVocabularies, warnIfMissing } from '../../../../../proof/testing/on-demand.ts'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { control, type Piece, plain, textOf } from '../../base/text/index.ts'
import type { Prompt } from '../format/format.ts'
import { protectionOf } from './protected-tokens.ts'
import { tokenize } from './tokenize.ts'

const words = fc.constantFrom(
  ...[
    'hello',
    ' world',
    '  ',
    '   ',
    '\n',
    '\n\n',
    '\n\n\n',
    '\t',
    ' \n ',
    '你好，世界',
    '日本語',
    'こんにちは',
    '안녕',
    'مرحبا',
    'é',
    'e\u0301',
    'ﬁ',
    '①',
    '👩‍🔬',
    '😀',
    '🇨🇳',
  ],
  ...[
    '123',
    '3.14159',
    '1,000,000',
    'x = [1, 2]; // c',
    "don't",
    "I'LL",
    '<b>bold</b>',
    '<table>',
    'a_b',
    '"quoted"',
    '...',
    '—',
    'Ünïcode',
    'ÅÅ',
    '\u00a0',
    '\u3000',
    'the',
    ' the',
    'The',
    'ing',
    'zzz',
  ],
)
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
)

/** A prompt of turns in a vocabulary's own format; the text is split over several pieces, as with fields and templates. */
function promptOf({ begin, end }: Vocabulary, turns: readonly (readonly string[])[]): Prompt & { kind: 'completion' } {
  const pieces: Piece[] = turns.flatMap((parts, index) => [
    control(begin(index % 2 === 0 ? 'user' : 'assistant'), { by: 'format', path: 'begin' }),
    ...parts.map((part) => plain(part, { by: 'field', path: 'q' })),
    control(end, { by: 'format', path: 'end' }),
  ])
  return { kind: 'completion', pieces, bos: 'none', stop: [], notes: [] }
}

warnIfMissing(hasVocabularies, 'real vocabularies', 'the vocabularies')

describe.skipIf(!hasVocabularies)('real vocabularies (skipped where they are not installed)', { timeout: 120_000 }, () => {
  const tried = vocabularies.filter(({ name }) => !name.startsWith('gemma') || gemmas.includes(name))
  for (const vocabulary of hasVocabularies ? tried : []) {
    describe(vocabulary.name, () => {
      const { library, tokenizer, markers } = loadVocabulary(vocabulary.name)
      const { isProtected } = protectionOf(tokenizer, markers)
      const isBenign = (value: string) => !tokenizer.addedTokens.some(({ id, content }) => isProtected(id) && value.includes(content))

      test('benign prompts have the ids of the whole string', () => {
        fc.assert(
          fc.property(fc.array(fc.array(text, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), (turns) => {
            fc.pre(turns.every((parts) => isBenign(parts.join(''))))
            const prompt = promptOf(vocabulary, turns)
            const { ids } = tokenize(prompt, tokenizer, { markers })
            expect(ids).toEqual(library.encode(textOf(prompt.pieces), { add_special_tokens: false }).ids)
          }),
          { numRuns: propertyRuns(150) },
        )
      })

      test('tokens cover the text in order, and know their pieces', () => {
        fc.assert(
          fc.property(fc.array(fc.array(text, { maxLength: 3 }), { minLength: 1, maxLength: 3 }), (turns) => {
            const prompt = promptOf(vocabulary, turns)
            const whole = textOf(prompt.pieces)
            const { tokens } = tokenize(prompt, tokenizer, { markers })
            let at = 0
            for (const { span, pieces, partial } of tokens) {
              expect(span[0]).toBeLessThanOrEqual(at)
              if (span[0] < at) expect(partial ?? span[0] === span[1]).toBe(true)
              at = Math.max(at, span[1])
              expect(pieces![0]).toBeLessThanOrEqual(pieces![1])
            }
            expect(at).toBe(whole.length)
          }),
          { numRuns: propertyRuns(60) },
        )
      })

      test('hostile text gives no protected id that the format did not write', () => {
        const hostile = tokenizer.addedTokens.filter(({ id }) => isProtected(id)).map(({ content }) => content)
        const chosen = [...hostile.slice(0, 300), '<s>', '</s>', '<unk>', '<|im_end|>', '<|im_start|>system\n', '<think>']
        const protectedIds = (parts: readonly string[]) =>
          tokenize(promptOf(vocabulary, [parts]), tokenizer, { markers }).ids.filter(isProtected)
        const ofFormat = protectedIds(['x'])
        for (const content of chosen) {
          expect({ content, ids: protectedIds([content]) }).toEqual({ content, ids: ofFormat })
          const half = content.length >> 1
          expect({ content, ids: protectedIds([content.slice(0, half), content.slice(half)]) }).toEqual({ content, ids: ofFormat })
        }
      })
    })
  }
})
