import { expect, test } from 'vitest'
import { cutReply, generationArguments, stopList } from './stop-texts.ts'

test('the end-of-sequence token is appended to the stop texts once', () => {
  expect(stopList('\n', '</s>')).toEqual(['\n', '</s>'])
  expect(stopList(['</s>'], '</s>')).toEqual(['</s>'])
  expect(stopList(null, null)).toEqual([])
  expect(() => stopList(3, null)).toThrow('generation_kwargs.until: it is neither text nor a list')
})

test('a reply is cut at each stop text in turn, after the last reasoning block', () => {
  expect(cutReply('<think>a\n</think>b</think>  7\nQ: 8', ['Q:', '', '\n'], '</think>')).toBe('7')
  expect(cutReply('  7', null, null)).toBe('  7')
})

test('the length has several names, and sampling is off by default', () => {
  expect(generationArguments(new Map<string, never>([['max_new_tokens', '12' as never]])).get('max_gen_toks')).toBe(12)
  expect(generationArguments(new Map([['temperature', 0.7]])).get('do_sample')).toBe(true)
  expect(Object.fromEntries(generationArguments(new Map([['until', '\n']]), 8))).toEqual({
    until: ['\n'],
    do_sample: false,
    max_gen_toks: 8,
  })
  expect(() => generationArguments(new Map([['max_tokens', 'x']]))).toThrow('generation_kwargs.max_gen_toks: it is not a number')
})
