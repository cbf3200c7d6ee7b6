import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunTarget } from '../../../../../proof/testing/attack/foreign-runs.ts'
import { isOwnRun } from './own-run.ts'
import { recordedConfig } from './recorded-config.ts'
import { readRunInfo, runFiles } from './run-layout.ts'
import { scoreRun } from './score-run.ts'

let target: RunTarget
beforeAll(async () => {
  target = await RunTarget.open()
})
afterAll(() => target.close())

/** A copy of the run whose dataset was changed afterwards. */
function changedRun(dataset: object): string {
  return target.poisoned({
    name: 'config',
    apply(copy) {
      const file = join(copy, runFiles.config)
      const config = JSON.parse(readFileSync(file, 'utf8'))
      Object.assign(config.datasets[0], dataset)
      writeFileSync(file, JSON.stringify(config))
    },
  })
}

test('a run is its user’s own until its config is changed from outside, and stays so when it is scored', async () => {
  const isOwn = (folder: string) => isOwnRun(folder, readRunInfo(folder))
  const copy = target.poisoned({ name: 'nothing', apply: () => undefined })
  expect(isOwn(copy)).toBe(true)
  await scoreRun(copy, undefined, { evaluator: { type: 'AccEvaluator' } })
  expect(isOwn(copy)).toBe(true)
  expect(isOwn(changedRun({ abbr: 'other' }))).toBe(false)
  expect(isOwnRun(copy, { ...readRunInfo(copy), config: '/another/config.ts' })).toBe(false)
  expect(isOwnRun(copy, { ...readRunInfo(copy), own: undefined })).toBe(false)
})

test('a config of this machine is executed only for a run that was started with it', async () => {
  const program = join(target.home, 'private/program.mjs')
  writeFileSync(program, 'globalThis.attacked = true; export default { models: [], datasets: [] }')
  const folder = changedRun({ eval_cfg: { evaluator: { $function: 'mine' } } })
  const info = { ...readRunInfo(folder), config: program }
  await expect(recordedConfig(folder, info)).rejects.toMatchObject({ code: 'foreign-config', fix: expect.stringContaining('--config') })
  expect(globalThis).not.toHaveProperty('attacked')
})

test('scores of somebody else’s run are computed from the rows that it recorded', async () => {
  const rows = join(target.home, 'private/rows.jsonl')
  writeFileSync(rows, ['1+1=?', '2+2=?', '3+3=?'].map((q) => `${JSON.stringify({ q, a: 'a private answer' })}\n`).join(''))
  const folder = changedRun({ path: rows })
  await expect(scoreRun(folder)).rejects.toMatchObject({ code: 'other-prompts' })
  expect(readFileSync(join(folder, 'predictions/m/d.jsonl'), 'utf8')).not.toContain('private')
})
