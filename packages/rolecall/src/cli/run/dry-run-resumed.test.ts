import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const config = {
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 6 }],
  datasets: [
    {
      abbr: 'sums',
      path: 'sums.csv',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
    },
  ],
}

test('run -r --dry-run counts the remaining rows, and changes nothing', async () => {
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify(config), 'sums.csv': 'question,answer\n1+1=?,2\n2+2=?,4\n3+1=?,4\n' })
  const dry = async (...flags: string[]) => {
    const { code, stdout, stderr } = await rolecall(['run', '-w', 'out', '--dry-run', '--json', ...flags], folder)
    return { code, stderr, plans: JSON.parse(stdout) as { rows: number; kept?: number; prompts: number }[] }
  }
  expect(await dry('-r')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('there is no earlier run to resume: all rows would be run'),
    plans: [{ rows: 3, prompts: 3 }],
  })
  expect((await rolecall(['run', '-w', 'out', '--no-cache'], folder)).code).toBe(0)
  const files = () =>
    (readdirSync(join(folder, 'out'), { recursive: true }) as string[]).map((name) => [name, statSync(join(folder, 'out', name)).mtimeMs])
  const before = files()
  // One row was changed, and one is new.
  writeFileSync(join(folder, 'sums.csv'), 'question,answer\n1+1=?,2\n2+3=?,5\n3+1=?,4\n4+4=?,8\n')
  expect(await dry('-r')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/would resume .*out/),
    plans: [{ kept: 2, rows: 2, prompts: 2 }],
  })
  expect((await dry()).plans).toMatchObject([{ rows: 4, prompts: 4 }])
  expect(files()).toEqual(before)
  const table = await rolecall(['run', '-w', 'out', '--dry-run', '-r'], folder)
  expect(table.stdout).toMatch(/dataset +kept +to send +prompts[^\n]*\ntiny +sums +2 +2 +2 /)
})
