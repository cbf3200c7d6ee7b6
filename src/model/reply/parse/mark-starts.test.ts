import { expect, test } from 'vitest'
import { MarkStarts } from './mark-starts.ts'

test('the start of a mark goes on as long as a longer mark may follow', () => {
  const starts = new MarkStarts(['<call>', '<call>[', '</call>', '<end'])
  const cases: [start: string, piece: string, longer: string | undefined][] = [
    ['', '<', '<'],
    ['<', 'c', '<c'],
    ['<', 'all', undefined],
    ['<c', 'all', '<call'],
    ['<call', '>', '<call>'],
    ['<call>', '[', undefined],
    ['<', '/call', '</call'],
    ['</call', '>', undefined],
    ['<e', 'n', '<en'],
    ['<en', 'd', undefined],
    ['', 'x', undefined],
    ['x', '<', undefined],
  ]
  for (const [start, piece, longer] of cases) expect(starts.longer(start, piece), `${start} + ${piece}`).toBe(longer)
})
