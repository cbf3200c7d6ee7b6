import { expect, test } from 'vitest'
import { visibleText } from './visible-text.tsx'

test('text that runs from right to left stays within itself, unless it is part of a text that does', () => {
  const isolated = { type: 'span', props: { class: 'isolated' } }
  for (const text of ['שלום 12', 'model سلام', '𞤀𞤣']) expect(visibleText(text, false)).toMatchObject(isolated)
  expect(visibleText('שלום 12', false, { isPart: true })).toBe('שלום 12')
  for (const text of ['sums 12', '数学', '']) expect(visibleText(text, false)).toBe(text)
})
