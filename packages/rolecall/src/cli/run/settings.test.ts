import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const row = JSON.stringify({ question: 'Ann has 1 apple and buys 2. How many?', answer: 'One and two.\n#### 3' })
const config = (dataset: object, model: object = {}) =>
  JSON.stringify({
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_seq_len: 900, ...model }],
    datasets: [{ preset: 'gsm8k', path: 'data', shots: 0, ...dataset }],
  })
const folderOf = (dataset: object = {}, model: object = {}) =>
  folderWith({ 'rolecall.config.json': config(dataset, model), 'data/test.jsonl': `${row}\n`, 'data/train.jsonl': `${row}\n` })

const dryRun = async (folder: string, ...flags: string[]) => {
  const { code, stdout, stderr } = await rolecall(['run', '--dry-run', '--json', ...flags], folder)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)[0]
}

test("a model's max_out_len overrides a preset's, and --dry-run shows the source", async () => {
  const folder = folderOf({}, { max_out_len: 40 })
  expect(await dryRun(folder)).toMatchObject({
    mostGenerated: 40,
    settings: { max_out_len: { value: 40, by: 'model', over: [{ value: 512, by: 'preset' }] }, temperature: { value: 0, by: 'default' } },
  })
  const { stdout } = await rolecall(['run', '--dry-run'], folder)
  expect(stdout).toContain('settings: max_out_len 40 (model, over 512 of the preset)')
  expect((await dryRun(folderOf())).settings.max_out_len).toEqual({ value: 512, by: 'preset' })
})

test("overrides of a preset take precedence over the model's settings, and flags over all", async () => {
  const folder = folderOf({ max_out_len: 30, stop: ['\n\n\n'] }, { max_out_len: 40, seed: 1 })
  expect((await dryRun(folder)).settings).toMatchObject({
    max_out_len: { value: 30, by: 'dataset' },
    stop: { value: ['\n\n\n'], by: 'dataset' },
  })
  const flags = ['--max-out-len', '20', '--temperature', '0.5', '--top-p', '0.9', '--stop', '\\n\\n', '--stop', 'Q:', '--seed', '0']
  expect((await dryRun(folder, ...flags)).settings).toMatchObject({
    max_out_len: { value: 20, by: 'flag' },
    temperature: { value: 0.5, by: 'flag' },
    top_p: { value: 0.9, by: 'flag' },
    stop: { value: ['\n\n', 'Q:'], by: 'flag' },
    seed: { value: 0, by: 'flag', over: [{ value: 1, by: 'model' }] },
  })
  expect((await dryRun(folder, '--stop', '')).settings.stop).toMatchObject({ value: [], by: 'flag' })
})

test('the flags of a run apply when it is resumed and when it is scored again', async () => {
  const folder = folderOf({}, { max_out_len: 40 })
  const run = (...flags: string[]) => rolecall(['run', '-w', 'out', '--no-cache', '--json', ...flags], folder)
  expect((await run('--max-out-len', '3', '--temperature', '1')).code).toBe(0)
  const again = await run('-r')
  expect(again.stderr).not.toContain('were run again')
  expect(JSON.parse(again.stdout).results[0].tokens.reply).toBeLessThanOrEqual(3)
  expect((await rolecall(['score', 'out'], folder)).stderr).toBe('')
})

test('invalid numbers are rejected', async () => {
  for (const flags of [
    ['--temperature', '-1'],
    ['--top-p', '0'],
    ['--top-p', '1.5'],
    ['--top-k', '1.5'],
    ['--top-k', '-2'],
    ['--min-p', ''],
    ['--max-out-len', '0'],
    ['--seed', 'x'],
  ]) {
    expect((await rolecall(['run', ...flags], folderOf())).code).toBe(2)
  }
})
