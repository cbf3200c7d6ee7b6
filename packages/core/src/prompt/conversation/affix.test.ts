import { expect, test } from 'vitest'
import { control } from '../../base/text/index.ts'
import { readAffix } from './affix.ts'

const source = { by: 'format', path: 'meta_template.begin' } as const

test('a string is one piece of control text, an empty string none', () => {
  expect(readAffix('<s>', source)).toEqual([control('<s>', source)])
  expect(readAffix('', source)).toEqual([])
})

test('in a list strings stay text and integers stay token ids, each with its path', () => {
  expect(readAffix(['<s>', 92543], source)).toEqual([
    control('<s>', { by: 'format', path: 'meta_template.begin[0]' }),
    { ids: [92543], source: { by: 'format', path: 'meta_template.begin[1]' } },
  ])
})
