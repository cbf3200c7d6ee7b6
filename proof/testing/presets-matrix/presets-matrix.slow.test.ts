import { describe, expect, test } from 'vitest'
import { seed } from '../sampling.ts'
import { madeFiles } from './made-files.ts'
import { columns, type MatrixRow, presetsMatrix, textPresets } from './presets-matrix.ts'

/** Wordings do not depend on the layout of files: every wording for the first row and each fourth, by the seed. */
const isBrief = (index: number) => index > 0 && (index + seed) % 4 !== 0

async function matrixOf(preset: string): Promise<MatrixRow[]> {
  const rows: MatrixRow[] = []
  for await (const row of presetsMatrix({ presets: [preset], isBrief })) rows.push(row)
  return rows
}

test('every published layout has generated files, and there are eighteen messy wordings', () => {
  for (const { name, layouts } of textPresets) expect(Object.keys(madeFiles[name]!)).toEqual(layouts.map(({ test: file }) => file))
  expect(columns.map(({ name }) => name).slice(0, 2)).toEqual(['gold', 'wrong'])
  expect(columns.filter(({ name }) => !['gold', 'wrong', 'base'].includes(name))).toHaveLength(18)
})

// HumanEval runs programs in the sandbox, which takes longer than all others together: `npm run proof -- presets-matrix` includes it.
const quick = textPresets.filter(({ name }) => name !== 'humaneval')
describe('correct answers are scored as correct in every wording, wrong ones as wrong, and others as unparsed', () => {
  test.each(quick.map(({ name }) => name))(
    '%s, from files in each of its layouts',
    async (name) => {
      const rows = await matrixOf(name)
      const { layouts } = textPresets.find((preset) => preset.name === name)!
      expect(new Set(rows.map(({ layout }) => layout)).size).toBe(layouts.length)
      for (const [index, { cells }] of rows.entries()) {
        expect(cells.filter((cell) => cell !== undefined && !cell.isAsExpected)).toEqual([])
        expect(cells.slice(0, 2)).toMatchObject([{ value: 100 }, { value: 0 }])
        const whole = name === 'sharegpt' || name === 'messages' ? 3 : columns.length
        expect(cells.filter((cell) => cell !== undefined).length).toBe(isBrief(index) ? 2 : whole)
      }
    },
    60_000,
  )
  test.skip('humaneval: its programs run in the Python sandbox, which is too slow here; npm run proof -- presets-matrix includes it', () => {})
})
