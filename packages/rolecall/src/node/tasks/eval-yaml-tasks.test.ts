import { expect, test, vi } from 'vitest'
import { serveHub } from '../../../../../proof/testing/serve-hub.ts'
import { taskDatasets } from './task-datasets.ts'

const task = (id: string) => `{id: ${id}, field_spec: {input: q, target: a}, solvers: [{name: generate}], scorers: [{name: match}]}`

serveHub({
  'datasets/acme/two': { files: { 'eval.yaml': `tasks: [${task('x')}, ${task('y')}]`, 'test.jsonl': '{"q": "1+1?", "a": "2"}\n' } },
  'datasets/acme/none': { files: { 'test.jsonl': '{}\n' } },
})

const named = async (tasks: string, flags = {}) => {
  const { datasets, notes } = await taskDatasets({ tasks, ...flags })
  return { names: datasets.map((one) => (one as { abbr: string }).abbr), notes: notes.map(({ text }) => text) }
}

test('hf/ORG/DATASET is every task of its eval.yaml, /TASK one of them, @REVISION at a revision', async () => {
  expect((await named('hf/acme/two')).names).toEqual(['hf/acme/two/x', 'hf/acme/two/y'])
  expect((await named('hf/acme/two/y, hf/acme/two@main/x')).names).toEqual(['hf/acme/two/y', 'hf/acme/two@main/x'])
  vi.stubEnv('HF_HUB_OFFLINE', '1')
  expect((await named('hf/acme/two/x')).names).toEqual(['hf/acme/two/x'])
})

test('flags of the harness that have no effect are noted', async () => {
  expect((await named('hf/acme/two/x', { numFewshot: 2, dataDir: '.', metadata: 'a=1' })).notes).toEqual([
    'no effect: --num-fewshot, --data-dir, --metadata; eval.yaml defines the prompt and the rows',
  ])
})

test.each([
  ['hf/acme', 'this is not the name of a task on the hub'],
  ['hf/../..', 'not the name of a repository'],
  ['hf/acme/none', 'has no eval.yaml'],
  ['hf/acme/two/z', 'there is no task "z"'],
  ['hf/acme/missing', 'there is no such dataset'],
])('%s is an error', async (name, problem) => {
  await expect(named(name)).rejects.toThrow(problem)
})
