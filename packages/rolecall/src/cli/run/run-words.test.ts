import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { runName } from '../../node/runs/outputs-folder.ts'
import { nameOfTasks, resumeCommand } from './run-command.ts'
import type { RunFlags } from './run-flags.ts'

const none: RunFlags = {
  retryErrors: false,
  cache: true,
  dryRun: false,
  score: true,
  prompts: false,
  json: false,
  verbose: false,
  github: false,
}

test('the resume command repeats the arguments that select models and datasets', () => {
  expect(resumeCommand('eval.yaml', { ...none, limit: 3, workDir: 'my runs' }, false)('outputs/x/20260101_000000')).toBe(
    "rolecall run eval.yaml -w 'my runs' -r 20260101_000000",
  )
  const tasks = { tasks: 'mmlu', includePath: ['a', 'b'], numFewshot: 5, applyChatTemplate: true, dataDir: 'd' }
  expect(resumeCommand(undefined, { ...none, ...tasks }, false)('20260101_000000')).toBe(
    'rolecall run --tasks mmlu --num-fewshot 5 --apply-chat-template --data-dir d --include-path a --include-path b -r 20260101_000000',
  )
})

test('run folders are named after what they run', () => {
  expect(nameOfTasks('mmlu, tasks/my owls.yaml')).toBe('mmlu+my-owls')
  expect(runName('/x/rolecall.config.ts')).toBe('x')
  expect(runName('/x/eval.yaml')).toBe('eval')
})

test('a folder stands for the config in it, and -r without a run to resume is an error', async () => {
  const folder = folderWith({
    'sub/rolecall.config.yaml':
      'models: [{abbr: tiny, type: embedded, format: chatml, max_out_len: 2}]\ndatasets: [{abbr: d, path: d.jsonl, reader_cfg: {input_columns: [q], output_column: a}, infer_cfg: {prompt_template: {template: "{q}"}}}]\n',
    'sub/d.jsonl': '{"q": "1+1=", "a": "2"}\n',
  })
  const { code, stderr } = await rolecall(['run', 'sub', '-r', '--no-cache'], folder)
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('there is no earlier run in sub/outputs/sub or outputs/sub to resume: a new one starts'),
  ])
  expect((await rolecall(['run', 'sub', '-r', '--no-cache'], folder)).stderr).not.toContain('a new one begins')
}, 60_000)
