import { expect, test } from 'vitest'
import type { RunOptions } from './run-options.ts'
import { nameOfTasks, resumeCommand, runName } from './run-words.ts'

const none: RunOptions = { retryErrors: false, cache: true, dryRun: false, score: true, prompts: false, json: false, github: false }

test('a run goes on with the words that say what it asks', () => {
  expect(resumeCommand('eval.yaml', { ...none, limit: 3, workDir: 'my runs' }, false)('outputs/x/20260101_000000')).toBe(
    "rolecall run eval.yaml -w 'my runs' -r 20260101_000000",
  )
  const tasks = { tasks: 'mmlu', includePath: ['a', 'b'], numFewshot: 5, applyChatTemplate: true, dataDir: 'd' }
  expect(resumeCommand(undefined, { ...none, ...tasks }, false)('20260101_000000')).toBe(
    'rolecall run --tasks mmlu --num-fewshot 5 --apply-chat-template --data-dir d --include-path a --include-path b -r 20260101_000000',
  )
})

test('runs are called after what is run', () => {
  expect(nameOfTasks('mmlu, tasks/my owls.yaml')).toBe('mmlu+my-owls')
  expect(runName('/x/rolecall.config.ts')).toBe('x')
  expect(runName('/x/eval.yaml')).toBe('eval')
})
