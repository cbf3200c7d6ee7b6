import { expect, test } from 'vitest'
import { hasRightToLeft } from './right-to-left.ts'

test('right-to-left texts are recognised by their letters', () => {
  for (const text of ['שלום 12', 'model سلام', '𞤀𞤣']) expect(hasRightToLeft(text)).toBe(true)
  for (const text of ['sums 12', '数学', '\ufeffé', '']) expect(hasRightToLeft(text)).toBe(false)
})
