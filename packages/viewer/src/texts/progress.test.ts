import { expect, test } from 'vitest'
import { setLanguage } from './language.ts'
import { progressText } from './progress.ts'

test('progress in words leaves out what is unknown', () => {
  setLanguage('en')
  expect(progressText({ rows: 1, failed: 0 })).toBe('1 row')
  expect(progressText({ rows: 340, all: 1000, failed: 3, perSecond: 12.34, secondsLeft: 53.4 })).toBe(
    '340 of 1,000 rows · 12.3 rows/s · about 54 s left · 3 errors',
  )
  expect(progressText({ rows: 1, all: 9, failed: 0, perSecond: 1, secondsLeft: 600 })).toContain('about 10 min left')
  expect(progressText({ rows: 1, all: 9, failed: 1, perSecond: 1, secondsLeft: 9000 })).toContain('about 2.5 h left · 1 error')
})
