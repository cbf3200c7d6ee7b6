import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { openRun } from '../run-reader.ts'
import { allResultsAt } from './open-run-or-results.ts'

const before = process.env.ROLECALL_CACHE

beforeAll(() => {
  process.env.ROLECALL_CACHE = folderWith({})
})

afterAll(() => {
  if (before === undefined) delete process.env.ROLECALL_CACHE
  else process.env.ROLECALL_CACHE = before
})

const details = (answers: readonly string[]) => ({
  type: 'GEN',
  ...Object.fromEntries(
    answers.map((answer, row) => [row, { prompt: `Q${row}?`, origin_prediction: answer, predictions: answer, references: 'A' }]),
  ),
})
const opencompass = (...answers: string[]) => JSON.stringify({ accuracy: 50, details: details(answers) })
const inspect = (created: string) =>
  JSON.stringify({
    version: 2,
    status: 'success',
    eval: { task: 't', model: 'x/m', created, config: {}, scorers: [{ name: 'match', options: {}, metrics: [] }] },
    samples: [
      {
        id: 1,
        epoch: 1,
        input: 'Q?',
        target: 'A',
        messages: [{ role: 'user', content: 'Q?' }],
        output: { choices: [{ message: { content: 'A' }, stop_reason: 'stop' }] },
        scores: { match: { value: 'C', answer: 'A' } },
      },
    ],
  })

const runsIn = async (path: string) =>
  (await allResultsAt(path)).map((imported) =>
    'folder' in imported
      ? [openRun(imported.folder).info.name, openRun(imported.folder).info.started]
      : [imported.source, imported.error.problem],
  )

test('every run of a tree is read, of whichever harness, the latest first; names are as short as they can be', async () => {
  const tree = folderWith({
    'oc/20260103_100000/results/m/d.json': opencompass('A', 'B'),
    'again/20260101_100000/results/m/d.json': opencompass('A'),
    'again/20260102_100000/results/m/d.json': opencompass('B'),
    'logs/a.json': inspect('2026-01-04T10:00:00+00:00'),
  })
  expect(await runsIn(tree)).toEqual([
    ['logs', '2026-01-04T10:00:00+00:00'],
    ['oc', '2026-01-03T10:00:00'],
    ['again/20260102_100000', '2026-01-02T10:00:00'],
    ['again/20260101_100000', '2026-01-01T10:00:00'],
  ])
})

test('a run without rows does not hide the others', async () => {
  const tree = folderWith({
    'm/results_2026-01-01T10-00-00.json': JSON.stringify({ results: { t: {} }, configs: { t: {} } }),
    'log.json': inspect('2026-01-04T10:00:00+00:00'),
  })
  expect(await runsIn(tree)).toMatchObject([
    ['log', '2026-01-04T10:00:00+00:00'],
    [expect.stringContaining('results_2026-01-01'), expect.stringMatching(/^these are results of lm-eval without rows/)],
  ])
})
