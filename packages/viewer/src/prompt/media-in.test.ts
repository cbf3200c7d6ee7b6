import { expect, test } from 'vitest'
import { mediaIn } from './media-in.ts'

const file = (name: string) => `file:///data/${name}#sha256=${'0'.repeat(64)}`

test('files with a hash and data URIs are media in any column; URLs and paths only in columns of media', () => {
  expect(mediaIn(file('a.png'), false)).toEqual([{ kind: 'image', url: file('a.png') }])
  expect(mediaIn([file('a.wav'), file('b')], false)?.map(({ kind }) => kind)).toEqual(['audio', 'file'])
  expect(mediaIn('data:audio/wav;base64,AAAA', false)?.[0]?.kind).toBe('audio')
  expect(mediaIn('https://example.org/cat.jpg?w=1', true)?.[0]?.kind).toBe('image')
  expect(mediaIn('https://example.org/cat.jpg?w=1', false)).toBeUndefined()
  expect(mediaIn('a question about a file: a.png', false)).toBeUndefined()
  expect(mediaIn([file('a.png'), 'text'], false)).toBeUndefined()
  expect(mediaIn([], true)).toBeUndefined()
  expect(mediaIn(null, true)).toBeUndefined()
})
