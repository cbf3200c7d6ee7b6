import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { strftime } from '../../../packages/core/src/base/jinja/runtime/strftime.ts'

const { rows } = JSON.parse(readFileSync(new URL('strftime.json', import.meta.url), 'utf8')) as {
  rows: [moment: string, formats: [format: string, written: string][]][]
}

describe('a moment is written as Python writes it', () => {
  test.each(rows)('%s', (moment, formats) => {
    const now = new Date(moment)
    expect(formats.map(([format]) => [format, strftime(now, format)])).toEqual(formats)
  })

  test('milliseconds are the first of the microseconds, and unknown letters stay', () => {
    expect(strftime(new Date('2024-01-02T03:04:05.067'), '%f')).toBe('067000')
    expect(strftime(new Date('2024-01-02T03:04:05'), '%s')).toBe(String(Math.floor(new Date('2024-01-02T03:04:05').getTime() / 1000)))
    expect(strftime(new Date('2024-01-02T03:04:05'), '100%')).toBe('100%')
  })
})
