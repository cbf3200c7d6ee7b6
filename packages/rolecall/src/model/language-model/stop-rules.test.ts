import { expect, test } from 'vitest'
import type { Stop } from '../../../../core/src/prompt/format/format.ts'
import { embeddedTokenizer } from '../../node/models/load-embedded.ts'
import { stopRules } from './stop-rules.ts'

const tokenizer = embeddedTokenizer()
const source = { by: 'format', path: 'meta_template.round[1].end' } as const
const end = tokenizer.idOf('<|im_end|>')!
const rules = (...stops: Stop[]) => {
  const { ids, texts, notes } = stopRules(stops, tokenizer)
  return { ids: [...ids], texts, notes }
}

test('stop tokens by id and by text replace the tokenizer’s end token', () => {
  expect(rules({ id: 5, source }, { token: '<|action_end|>', source })).toEqual({ ids: [5], texts: [], notes: [] })
  expect(rules({ token: '<s>', source }).ids).toEqual([tokenizer.idOf('<s>')])
})

test('without a stop token generation ends at the tokenizer’s end token', () => {
  expect(rules()).toEqual({ ids: [end], texts: [], notes: [] })
  expect(rules({ text: '\nUSER:', source })).toEqual({ ids: [end], texts: ['\nUSER:'], notes: [] })
})

test('a text that begins with a special token stops on the token', () => {
  expect(rules({ text: '<|im_end|>\n', source })).toEqual({ ids: [end], texts: ['<|im_end|>\n'], notes: [] })
})

test('a stop token that differs from the tokenizer’s end is noted, and both stop', () => {
  const { ids, notes } = rules({ text: '</s>', source })
  expect(ids).toEqual([tokenizer.idOf('</s>'), end])
  expect(notes).toEqual([
    {
      code: 'eos-differs',
      text: 'the format ends the answer with </s>, the tokenizer ends a text with <|im_end|>: generation stops at both',
    },
  ])
})

test('an unknown id is noted', () => {
  expect(rules({ id: 65605, source }).notes).toMatchObject([
    { code: 'stop-unknown', text: 'the embedded model has no token 65605, so nothing stops on it' },
  ])
})

test('options add stops', () => {
  expect(stopRules([], tokenizer, ['\n\n', '']).texts).toEqual(['\n\n'])
})
