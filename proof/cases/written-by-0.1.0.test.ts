import { chmodSync, cpSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openRun } from '../../packages/rolecall/src/node.ts'
import { folderWith } from '../testing/folder-with.ts'
import { rolecall } from '../testing/rolecall.ts'

// Formats are promises: what 0.1.0 wrote (a run, its replies in the cache, a saved conversation) is read by every later build. These files
// are never written again; where a layout changes, what the new one writes gets a folder of its own beside this one.

const frozen = fileURLToPath(new URL('written-by-0.1.0', import.meta.url))

/** A copy of what was written, as its user has it. */
function copy(): string {
  const folder = folderWith({})
  cpSync(frozen, folder, { recursive: true })
  return folder
}

/** Gives a JSON file another version. */
function setVersion(file: string, version: number): void {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }))
}

const predictions = 'run/predictions/embedded/qa-polite.jsonl'

test('a run is opened: its rows, replies and prompts', () => {
  const run = openRun(join(copy(), 'run'))
  expect([...run.pair({ dataset: 'qa-short' }).rows()].map(({ prediction, score }) => [prediction, score])).toEqual([
    ['5', 1],
    ['8', 1],
    ['5', 1],
    ['0', 1],
  ])
})

test('a run is scored again without asking a model', async () => {
  const folder = copy()
  const { code, stdout } = await rolecall(['score', 'run', '--config', 'eval.yaml'], folder)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/short .* 100\.0[\s\S]*polite .* 100\.0[\s\S]*no model asked/),
  })
})

test('an interrupted run is resumed: only the rows that it lacks are asked', async () => {
  const folder = copy()
  const text = readFileSync(join(folder, predictions), 'utf8')
  truncateSync(join(folder, predictions), text.split('\n').slice(0, 2).join('\n').length + 1)
  const { code, stdout } = await rolecall(['run', 'eval.yaml', '-r', 'run'], folder)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('8 rows, 6 kept, 2 in ') })
  const rows = readFileSync(join(folder, predictions), 'utf8').trimEnd().split('\n')
  expect(rows.slice(0, 2)).toEqual(text.split('\n').slice(0, 2))
  expect(rows).toHaveLength(4)
})

test('a new run of the same config is compared with it: the prompts are the same to the byte', async () => {
  const folder = copy()
  await rolecall(['run', 'eval.yaml', '-w', 'again'], folder)
  const { code } = await rolecall(['compare', 'run', 'again', '--fail-on', 'changed'], folder)
  expect(code).toBe(0)
  const [again] = readdirSync(join(folder, 'again'))
  const prompts = (run: string) =>
    readFileSync(join(folder, run, 'predictions/embedded/qa-polite.jsonl'), 'utf8').match(/"prompt_hash":"\w+"/g)
  expect(prompts(join('again', again ?? ''))).toEqual(prompts('run'))
})

test('replies in the cache are used: nothing is asked', async () => {
  const folder = copy()
  const answers = join(folder, 'cache', 'answers')
  cpSync(join(frozen, 'answers'), answers, { recursive: true })
  for (const [path, mode] of [
    [join(folder, 'cache'), 0o700],
    [answers, 0o700],
    [join(answers, '0c8f97cf27fad68e7e798ceef76b6ca5.jsonl'), 0o600],
  ] as const) {
    chmodSync(path, mode)
  }
  const before = statSync(join(answers, '0c8f97cf27fad68e7e798ceef76b6ca5.jsonl')).size
  const { code, stdout } = await rolecall(['run', 'eval.yaml', '-w', 'again'], folder, { ROLECALL_CACHE: join(folder, 'cache') })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('8 rows') })
  expect(statSync(join(answers, '0c8f97cf27fad68e7e798ceef76b6ca5.jsonl')).size).toBe(before)
})

test('a saved conversation is rendered again', async () => {
  const { code, stdout } = await rolecall(['render', 'chat.json'], copy())
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('What is 2 + 3?') })
})

test('what a newer version wrote is refused with a word on what to do', async () => {
  const folder = copy()
  setVersion(join(folder, 'run/configs/run.json'), 99)
  setVersion(join(folder, 'chat.json'), 99)
  for (const args of [
    ['score', 'run', '--config', 'eval.yaml'],
    ['compare', 'run', 'run'],
    ['run', 'eval.yaml', '-r', 'run'],
    ['render', 'chat.json'],
    ['chat', '--load', 'chat.json'],
  ]) {
    const { code, stderr } = await rolecall(args, folder)
    expect({ args, code, stderr }).toEqual({
      args,
      code: 2,
      stderr: expect.stringMatching(/a newer Rolecall[\s\S]*up to \d[\s\S]*update Rolecall/),
    })
  }
})
