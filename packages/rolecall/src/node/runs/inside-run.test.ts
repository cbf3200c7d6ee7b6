import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RunTarget, runCommands } from '../../../../../proof/testing/attack/foreign-runs.ts'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { resultFiles } from './foreign/result-files.ts'
import { recordedConfig } from './recorded-config.ts'
import { readRunInfo } from './run-layout.ts'

describe.skipIf(process.platform === 'win32')('a run folder from elsewhere', () => {
  let target: RunTarget
  beforeAll(async () => {
    target = await RunTarget.open()
  })
  afterAll(() => target.close())

  test('is opened if nothing in it leads out', () => {
    const copy = target.poisoned({ name: 'nothing', apply: () => undefined })
    expect(readRunInfo(copy).pairs).toMatchObject([{ predictions: 'predictions/m/d.jsonl', results: 'results/m/d.json' }])
  })

  test('is refused whichever of its files is a link, a pipe or a device, and whichever path in it leads out', () => {
    const poisons = target.poisons()
    const opened = poisons.filter((poison) => {
      try {
        readRunInfo(target.poisoned(poison))
        return true
      } catch (error) {
        expect(error).toMatchObject({ name: 'PromptError', where: expect.stringContaining('foreign-') })
        return false
      }
    })
    // Every other text of `configs/run.json` is a name; `config` and `folder` are where the run was started, of which the next tests are.
    const names = ['name', 'started', 'rolecall', 'config', 'folder', 'model', 'dataset', 'figure.metric', 'figure.unit', 'own']
    const keys = opened.map(({ name }) => name.split(' ')[0]!.replace('pairs.0.', ''))
    expect([...new Set(keys)]).toEqual(names)
    expect(poisons.length - opened.length).toBeGreaterThan(50)
  })

  const paths = [
    'pairs.0.predictions is a path that leads up',
    'pairs.0.results is a path that leads up',
    'pairs.0.results is an absolute path',
    'predictions/m/d.jsonl is a link to a private file',
  ]
  test.for(paths.flatMap((name) => runCommands.map((command) => ({ name, command, by: command.name }))))(
    'has no other file read or written: $by, $name',
    async ({ name, command }) => {
      const poison = target.poisons().find((one) => one.name === name)!
      expect(await target.attack(poison, command)).toBeUndefined()
    },
  )

  test.for(['name', 'started', 'config', 'folder', 'pairs.0.model'])('has no other file written by what its %s names', async (key) => {
    for (const poison of target.poisons().filter(({ name }) => name.startsWith(`${key} is `)))
      for (const command of runCommands.filter(({ name }) => ['score', 'publish', 'view --export'].includes(name)))
        expect(await target.attack(poison, command), `${command.name}, ${poison.name}`).toBeUndefined()
  })
})

test('a program that came with a run is not executed as its config', async () => {
  const folder = folderWith({ 'run/evil.mjs': 'globalThis.attacked = true; export default { models: [], datasets: [] }' })
  const run = join(folder, 'run')
  mkdirSync(join(run, 'configs'))
  writeFileSync(
    join(run, 'configs/config.json'),
    JSON.stringify({ models: [], datasets: [{ eval_cfg: { evaluator: { $function: 'mine' } } }] }),
  )
  for (const config of [join(run, 'evil.mjs'), 'run/evil.mjs']) {
    const info = { version: 2, name: 'n', started: '', rolecall: '0.1.0', config, folder, options: {}, pairs: [] }
    writeFileSync(join(run, 'configs/run.json'), JSON.stringify(info))
    const before = process.cwd()
    process.chdir(folder)
    try {
      await expect(recordedConfig(run, readRunInfo(run))).rejects.toThrow('came with the run, and may be a program')
    } finally {
      process.chdir(before)
    }
  }
  expect(globalThis).not.toHaveProperty('attacked')
})

test('results of another harness have files in their folder and in the hub’s cache of it, not elsewhere', () => {
  if (process.platform === 'win32') return
  const cache = folderWith({ 'models--x/blobs/b': '{}', 'models--x/snapshots/x': '', 'private.jsonl': '{}' })
  const snapshot = join(cache, 'models--x/snapshots', '0'.repeat(40))
  mkdirSync(snapshot)
  writeFileSync(join(snapshot, 'real.jsonl'), '{}')
  symlinkSync('../../blobs/b', join(snapshot, 'blob.jsonl'))
  symlinkSync('real.jsonl', join(snapshot, 'own.jsonl'))
  symlinkSync('../../../private.jsonl', join(snapshot, 'private.jsonl'))
  expect(resultFiles(snapshot).names).toEqual(['blob.jsonl', 'own.jsonl', 'real.jsonl'])
})
