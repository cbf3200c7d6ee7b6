import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const rows = [1, 2, 3, 4, 5].map((number) => ({ question: `${number} + ${number} = ?`, answer: String(2 * number) }))
const tiny = (abbr: string, format: string) => ({ abbr, type: 'embedded', format, max_out_len: 6 })
const config = {
  models: [tiny('own', 'internlm2'), tiny('other', 'moss')],
  datasets: [
    {
      abbr: 'sums',
      rows,
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
      eval_cfg: { evaluator: { type: 'AccEvaluator' } },
    },
  ],
}

test('`why PARENT#one PARENT#other` takes the latest run of a folder of runs, and finds what differs', async () => {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  expect((await rolecall(['run', '-w', 'out', '--limit', '2'], folder, { ROLECALL_CACHE: 'off' })).code).toBe(0)
  const { code, stdout } = await rolecall(['why', 'out#own', 'out#other', '--json'], folder)
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { first: { model: 'own', harness: 'rolecall' }, second: { model: 'other', harness: 'rolecall' }, join: { matched: 2 } },
  ])
})

test('after a run of all rows is resumed with a lower limit, compare and why speak of the same rows as its scores', async () => {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
  const run = (...words: string[]) => rolecall([...words, '--json'], folder, { ROLECALL_CACHE: 'off' })
  expect((await run('run', '-w', 'out')).code).toBe(0)
  for (const [limit, count] of [
    ['2', 2],
    ['0.5', 3],
  ] as const) {
    expect(JSON.parse((await run('run', '-w', 'out', '-r', '--limit', limit)).stdout).results).toMatchObject([
      { rows: count },
      { rows: count },
    ])
    expect(JSON.parse((await run('compare', 'out')).stdout)).toMatchObject([{ comparison: { rows: count } }])
    expect(JSON.parse((await run('why', 'out')).stdout)).toMatchObject({ first: { rows: count }, join: { matched: count } })
  }
  // The other answers are kept.
  const whole = await rolecall(['run', '-w', 'out', '-r', '--limit', '5'], folder, { ROLECALL_CACHE: 'off' })
  expect(whole.stdout + whole.stderr).toContain('10 rows, 10 kept, 0 in')
})
