import { expect, test } from 'vitest'
import type { ScreenBlock } from './blocks.ts'
import { widthOf } from './fit-text.ts'
import { layOut, layOutNext } from './lay-out.ts'

const scores: ScreenBlock = {
  kind: 'grid',
  columns: [{ mayShorten: true }, { mayDrop: true }, { isNumber: true }, {}],
  rows: [
    { cells: [{ text: '书生·浦语' }, { text: '████████' }, { text: '100.0' }, { text: '[98.7, 100.0]' }] },
    { cells: [{ text: 'Qwen2.5-72B-Instruct' }, { text: '········' }, { text: '0.0', mark: '*' }, { text: '[0.0, 1.3]' }] },
  ],
}

test('a table drops its bars, then shortens names, then becomes a block for each line', () => {
  expect(layOut([scores], 60)).toBe(
    ['书生·浦语             ████████  100.0  [98.7, 100.0]', 'Qwen2.5-72B-Instruct  ········    0.0* [0.0, 1.3]'].join('\n'),
  )
  expect(layOut([scores], 44)).toBe(['书生·浦语             100.0  [98.7, 100.0]', 'Qwen2.5-72B-Instruct    0.0* [0.0, 1.3]'].join('\n'))
  expect(layOut([scores], 32)).toBe(['书生·浦语   100.0  [98.7, 100.0]', 'Qwen2…ruct    0.0* [0.0, 1.3]'].join('\n'))
  expect(layOut([scores], 20)).toBe(
    ['书生·浦语', '  100.0', '  [98.7, 100.0]', 'Qwen2.5-72B-Instruct', '  0.0*', '  [0.0, 1.3]'].join('\n'),
  )
})

test('the first form that fits as it is is shown, else the last', () => {
  const wide: ScreenBlock = { kind: 'grid', columns: [{}], rows: [{ cells: [{ text: 'x'.repeat(70) }] }] }
  const narrow: ScreenBlock = { kind: 'prose', text: 'as a list' }
  expect(layOut([{ kind: 'forms', forms: [wide, narrow] }], 80)).toBe('x'.repeat(70))
  expect(layOut([{ kind: 'forms', forms: [wide, narrow] }], 60)).toBe('as a list')
})

test('prose breaks between words, Chinese between characters, and labels indent what follows', () => {
  const note: ScreenBlock = { kind: 'label', label: 'note', tone: 'attention', texts: ['one two three', '长江流入哪个海全长大约多少公里'] }
  expect(layOut([note], 18)).toBe(['note  one two', '      three', '      长江流入哪个', '      海全长大约多', '      少公里'].join('\n'))
})

test('control characters of the data move no cursor', () => {
  expect(layOut([{ kind: 'prose', text: 'a\u001b[2Jb' }], 40)).toBe('a␛[2Jb')
})

test('commands to continue with are never broken where a paste would change them', () => {
  const steps = [
    { command: 'rolecall view outputs/two', shows: 'the 109 rows on which they differ' },
    { command: 'rolecall why outputs/before outputs/after --rows "max tokens" --examples 30' },
  ]
  const lines = layOutNext(steps, 60).split('\n')
  expect(lines).toEqual([
    'next  rolecall view outputs/two',
    '      rolecall why outputs/before outputs/after --rows \\',
    '        "max tokens" --examples 30',
  ])
  expect(Math.max(...lines.map((line) => widthOf(line)))).toBeLessThanOrEqual(60)
})
