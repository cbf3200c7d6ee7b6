import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const config = `models: [{ type: embedded }]
datasets:
  - abbr: sums
    path: sums.jsonl
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { max_out_len: 2 } }
`
const rows = ['{"question":"1 + 1 =","answer":"2"}', '{"question":"2 + 2 =","answer":"4"}'].join('\n')

/** A project with its config in a subfolder, used from several working directories. */
const project = () => folderWith({ 'project/rolecall.config.yaml': config, 'project/sums.jsonl': rows, 'project/data/x.txt': '' })

const runsIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

test('outputs are next to the config, and found from its subfolders', async () => {
  const folder = project()
  const { code, stdout } = await rolecall(['run', 'project', '--no-cache'], folder)
  expect([code, stdout]).toEqual([0, expect.stringContaining(' · project/outputs/project/')])
  const [time = ''] = runsIn(join(folder, 'project/outputs/project'))
  expect(existsSync(join(folder, 'outputs'))).toBe(false)

  const below = join(folder, 'project/data')
  const again = await rolecall(['run', '-r'], below)
  expect(again.stderr).toContain(`resuming ../outputs/project/${time}\n`)
  expect(again.stdout).toMatch(new RegExp(`2 rows, 2 kept, 0 in .* · \\.\\./outputs/project/${time}`))
  for (const name of ['outputs/project', time, '../rolecall.config.yaml']) {
    expect((await rolecall(['score', name], below)).stdout, name).toContain(` · ../outputs/project/${time}`)
  }
  expect((await rolecall(['compare', 'outputs/project', time], below)).code).toBe(0)
  expect((await rolecall(['diff', `outputs/project/${time}`, `../outputs/project/${time}`], below)).code).toBe(0)
}, 60_000)

test('earlier runs in the working directory can still be resumed, with a note on their location', async () => {
  const folder = project()
  await rolecall(['run', 'project', '--no-cache'], folder)
  renameSync(join(folder, 'project/outputs'), join(folder, 'outputs'))
  const [time = ''] = runsIn(join(folder, 'outputs/project'))
  const { stderr, stdout } = await rolecall(['run', 'project', '-r'], folder)
  expect(stderr).toContain(`resuming outputs/project/${time}, where runs were written before; new ones go to project/outputs/project\n`)
  expect(stdout).toMatch(new RegExp(`2 rows, 2 kept, 0 in .* · outputs/project/${time}`))
}, 60_000)

test('an error about a missing run lists the searched folders', async () => {
  const folder = project()
  mkdirSync(join(folder, 'project/outputs'))
  const below = join(folder, 'project/data')
  for (const command of [
    ['score', 'outputs/gone'],
    ['view', 'outputs/gone'],
  ]) {
    expect((await rolecall(command, below)).stderr).toContain('there is no run in outputs/gone or ../outputs/gone')
  }
  expect((await rolecall(['run', '-r', '20260101_000000'], below)).stderr).toContain(
    'there is no run "20260101_000000" in ../outputs/project or outputs/project',
  )
})

test('the built-in quickstart writes to the working directory, and prints commands that work in a clone', async () => {
  const folder = folderWith({})
  const { stderr } = await rolecall(['run', '--limit', '1', '--models', 'plain', '--datasets', 'sums'], folder)
  expect(stderr).not.toContain('error')
  const commands = [...stderr.matchAll(/^(?:next)? +rolecall (.*?)(?: {4}.*)?$/gm)].map(([, command = '']) => command)
  expect(commands).toEqual(['view outputs/quickstart', 'render quickstart --datasets sums', 'init'])
  expect(await rolecall([...(commands[1] ?? '').split(' '), '--models', 'plain'], folder)).toMatchObject({ code: 0 })
  expect(runsIn(join(folder, 'outputs'))).toEqual(['quickstart'])
}, 60_000)
