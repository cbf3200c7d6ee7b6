import { describe, expect, test } from 'vitest'
import { madeFiles } from './made-files.ts'
import { columns, type MatrixRow, presetsMatrix, textPresets } from './presets-matrix.ts'

async function matrixOf(preset: string): Promise<MatrixRow[]> {
  const rows: MatrixRow[] = []
  for await (const row of presetsMatrix({ presets: [preset] })) rows.push(row)
  return rows
}

test('every published layout has generated files, and there are eighteen messy wordings', () => {
  for (const { name, layouts } of textPresets) expect(Object.keys(madeFiles[name]!)).toEqual(layouts.map(({ test: file }) => file))
  expect(columns.map(({ name }) => name).slice(0, 2)).toEqual(['gold', 'wrong'])
  expect(columns.filter(({ name }) => !['gold', 'wrong', 'base'].includes(name))).toHaveLength(18)
})

// HumanEval runs programs in the sandbox, which takes longer than all others together: `npm run presets-matrix` includes it.
const quick = textPresets.filter(({ name }) => name !== 'humaneval')
describe('correct answers are scored as correct in every wording, wrong ones as wrong, and others as unparsed', () => {
  test.each(quick.map(({ name }) => name))(
    '%s, from files in each of its layouts',
    async (name) => {
      const rows = await matrixOf(name)
      const { layouts } = textPresets.find((preset) => preset.name === name)!
      expect(new Set(rows.map(({ layout }) => layout)).size).toBe(layouts.length)
      for (const { cells } of rows) {
        expect(cells.filter((cell) => cell !== undefined && !cell.isAsExpected)).toEqual([])
        expect(cells.slice(0, 2)).toMatchObject([{ value: 100 }, { value: 0 }])
        expect(cells.filter((cell) => cell !== undefined).length).toBe(name === 'sharegpt' || name === 'messages' ? 3 : columns.length)
      }
    },
    60_000,
  )
  test.skip('humaneval: its programs run in the Python sandbox, which is too slow here; npm run presets-matrix includes it', () => {})
})
