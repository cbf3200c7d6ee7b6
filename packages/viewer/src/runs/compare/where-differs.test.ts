import { expect, test } from 'vitest'
import { pairResult } from '../../../../../proof/testing/pair-result.ts'
import type { PairResult } from '../../../../rolecall/src/evaluation/run/record/run-record.ts'
import { whereDiffers } from './where-differs.ts'

const { answers } = pairResult('m', 'd')
const by = (column: string, values: Record<string, number | undefined>): NonNullable<PairResult['by']>[number] => ({
  column,
  figures: Object.entries(values).map(([of, value]) => ({ of, rows: 1, failed: 0, answers, ...(value === undefined ? {} : { value }) })),
})

test('values of columns that both results have are listed, the largest differences first', () => {
  const first = { by: [by('subject', { law: 50, art: 20, sums: 70, 'no score': undefined, gone: 1 }), by('level', { easy: 90 })] }
  const second = { by: [by('subject', { law: 40, art: 60, sums: 70, 'no score': 5 }), by('level', { easy: 95 })] }
  expect(whereDiffers(first, second)).toEqual([
    { column: 'subject', value: 'art', difference: 40 },
    { column: 'subject', value: 'law', difference: -10 },
    { column: 'level', value: 'easy', difference: 5 },
  ])
  expect([whereDiffers(first, {}), whereDiffers(undefined, second), whereDiffers(first, first)]).toEqual([[], [], []])
})
