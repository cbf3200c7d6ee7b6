import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { openRunOrResults } from '../../node/runs/foreign/open-run-or-results.ts'
import { OpenRun } from '../../server/viewer/open-run.ts'
import { RunAnnotations } from '../../server/viewer/run-annotations.ts'

const rows = [
  { prompt: 'Q1', prediction: 'A', gold: 'A', score: 1 },
  { prompt: 'Q2', prediction: 'B', gold: 'A', score: 0 },
  { prompt: 'Q3', prediction: 'C', gold: 'C', score: 1 },
]

test('annotations of rows of another harness are beside them; counts, agreement, notes, CSV and JSON are printed', async () => {
  const cwd = folderWith({ 'rows.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join('') })
  const env = { ROLECALL_CACHE: join(cwd, 'cache') }
  const show = (...args: string[]) => rolecall(['view', '--annotations', 'rows.jsonl', ...args], cwd, env)
  const none = await show()
  expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('No row is annotated')])
  const { pairs: nothing } = JSON.parse((await show('--json')).stdout)
  expect(nothing).toEqual([])

  const file = join(cwd, 'rows.jsonl.rolecall-annotations.jsonl')
  const before = process.env.ROLECALL_CACHE
  process.env.ROLECALL_CACHE = env.ROLECALL_CACHE
  const run = new OpenRun((await openRunOrResults(join(cwd, 'rows.jsonl'))).folder)
  const annotations = new RunAnnotations()
  await annotations.change(run, 0, 0, { verdict: 'right' })
  await annotations.change(run, 0, 1, { verdict: 'right', note: '=SUM(1)', tags: ['gold wrong'], star: true })
  await annotations.change(run, 0, 2, { verdict: 'unclear', note: 'x'.repeat(300) })
  run.close()
  if (before === undefined) delete process.env.ROLECALL_CACHE
  else process.env.ROLECALL_CACHE = before
  expect(existsSync(file)).toBe(true)

  const { stdout, stderr } = await show()
  expect(stderr).toBe('')
  expect(stdout).toMatch(/3\s+3\s+1 of 2, 50\.0 % \[9\.5, 90\.5\]\s+0\.00\s+0\s+1\s+66\.7 %\s+100\.0 %/)
  expect(stdout).toContain('row 1: right (score 0) · ★ · #gold wrong · =SUM(1)')
  expect(stdout).toContain('not compared: 1 unclear to the reviewer')
  expect(stdout).toContain(` ${'x'.repeat(200)}…\n`)
  const csv = (await show('--csv')).stdout.split('\n')
  expect(csv).toHaveLength(5)
  // A spreadsheet must not compute a note.
  expect(csv[2]).toMatch(/,1,right,0,no,,yes,gold wrong,'=SUM\(1\),20/)
  const { pairs } = JSON.parse((await show('--json')).stdout)
  expect(pairs).toMatchObject([
    { review: { reviewed: 3, counts: { onlySecond: 1 } }, rows: [{ row: 0 }, { row: 1, verdict: 'right' }, { row: 2 }] },
  ])

  appendFileSync(file, '{"version": 7}\n')
  expect((await show()).stderr).toContain('unreadable lines: 1 (damaged, or of a newer Rolecall)')
  expect(await rolecall(['view', '--annotations', 'nowhere'], cwd)).toMatchObject({ code: 2 })
})
