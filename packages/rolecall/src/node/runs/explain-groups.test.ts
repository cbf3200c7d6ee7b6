import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { explainGroups, haveGroups } from './explain-groups.ts'

const before = process.env.ROLECALL_CACHE
beforeAll(() => {
  process.env.ROLECALL_CACHE = folderWith({})
})
afterAll(() => {
  if (before === undefined) delete process.env.ROLECALL_CACHE
  else process.env.ROLECALL_CACHE = before
})

const sizes = { law: 6, art: 2 } as const
const question = (subject: string, row: number) => `Which ${subject} has the number ${row}?`
const isRight = (subject: string, row: number) => (subject === 'law' ? row < 5 : row < 1)
const mean = (subject: 'law' | 'art') => (subject === 'law' ? 5 / 6 : 1 / 2)

/** lm-eval averages by rows. */
function lmEval(): Record<string, string> {
  const time = '2026-01-01T10-00-00.1'
  const config = (task: string) => ({ task, output_type: 'generate_until', metric_list: [{ metric: 'exact_match' }] })
  const results = (value: number) => ({ 'exact_match,none': value })
  const sample = (subject: 'law' | 'art', row: number) => ({
    doc_id: row,
    doc: { question: question(subject, row) },
    target: 'A',
    arguments: { gen_args_0: { arg_0: question(subject, row), arg_1: {} } },
    resps: [[isRight(subject, row) ? 'A' : 'B']],
    filtered_resps: [isRight(subject, row) ? 'A' : 'B'],
    filter: 'none',
    metrics: ['exact_match'],
    exact_match: Number(isRight(subject, row)),
  })
  return {
    [`m/results_${time}.json`]: JSON.stringify({
      results: { mmlu: results(6 / 8), mmlu_law: results(mean('law')), mmlu_art: results(mean('art')) },
      groups: { mmlu: results(6 / 8) },
      group_subtasks: { mmlu: ['mmlu_all'], mmlu_all: ['mmlu_law', 'mmlu_art'] },
      configs: { mmlu_law: config('mmlu_law'), mmlu_art: config('mmlu_art') },
      config: { model: 'local-completions' },
      model_name: 'm',
    }),
    ...Object.fromEntries(
      (['law', 'art'] as const).map((subject) => [
        `m/samples_mmlu_${subject}_${time}.jsonl`,
        Array.from({ length: sizes[subject] }, (_, row) => `${JSON.stringify(sample(subject, row))}\n`).join(''),
      ]),
    ),
  }
}

/** OpenCompass averages datasets. */
function openCompass(): Record<string, string> {
  const row = (subject: 'law' | 'art', row: number) => ({
    prompt: [{ role: 'HUMAN', prompt: `${question(subject, row)}\nA:` }],
    origin_prediction: isRight(subject, row) ? 'A' : 'B',
    predictions: isRight(subject, row) ? 'A' : 'B',
    references: 'A',
  })
  const results = (subject: 'law' | 'art') =>
    JSON.stringify({
      accuracy: 100 * mean(subject),
      details: { type: 'GEN', ...Object.fromEntries(Array.from({ length: sizes[subject] }, (_, at) => [at, row(subject, at)])) },
    })
  const dataset = (name: string) =>
    `dict(abbr='lukaemon_mmlu_${name}', eval_cfg=dict(evaluator=dict(type='AccEvaluator')), infer_cfg=dict())`
  return {
    '20260101_100000/results/m/lukaemon_mmlu_law.json': results('law'),
    '20260101_100000/results/m/lukaemon_mmlu_art.json': results('art'),
    '20260101_100000/configs/c.py': `models=[dict(abbr='m', type='OpenAISDK', path='m')]
datasets=[${dataset('law')}, ${dataset('art')}]
summarizer=dict(summary_groups=[dict(name='mmlu', subsets=['lukaemon_mmlu_law', 'lukaemon_mmlu_art'])])
`,
    '20260101_100000/summary/summary_1.csv': 'dataset,version,metric,mode,m\nmmlu,-,naive_average,gen,66.67\n',
  }
}

test('a mean of rows in lm-eval and a mean of datasets in OpenCompass: nothing but the weighting differs', async () => {
  const [first, second] = [folderWith(lmEval()), folderWith(openCompass())]
  expect(await haveGroups(first, second, {})).toBe(true)
  expect(await haveGroups(first, second, { dataset: 'mmlu_law' })).toBe(false)
  const report = await explainGroups(first, second, {})
  expect(report).toMatchObject({
    first: { group: 'mmlu', datasets: 2, rows: 8, score: 0.75, weighting: 'rows' },
    second: { group: 'mmlu', datasets: 2, rows: 8, weighting: 'datasets' },
    datasets: [{ scores: [5 / 6, 5 / 6] }, { scores: [1 / 2, 1 / 2] }],
    onlyFirst: [],
  })
  expect(report.second.score).toBeCloseTo(2 / 3, 9)
  const moved = report.causes.filter(({ effect }) => Math.abs(effect) > 1e-9)
  expect(moved).toMatchObject([{ step: 'gold and metric', cause: 'weighting', detail: 'mean of rows → mean of datasets' }])
  expect(report.causes.reduce((sum, { effect }) => sum + effect, 0)).toBeCloseTo(report.difference, 9)
})

test('a dataset without common rows counts as one of each run, and the others are explained', async () => {
  const other = Object.entries(lmEval()).map(([name, text]) => [name, text.replaceAll('Which art has the number', 'Painters born before')])
  const report = await explainGroups(folderWith(lmEval()), folderWith(Object.fromEntries(other)), {})
  expect(report).toMatchObject({ datasets: [{ first: 'mmlu_law' }], onlyFirst: ['mmlu_art'], onlySecond: ['mmlu_art'] })
  expect(report.notes.join()).toContain('mmlu_art: no row of it is in both runs')
  expect(report.causes.reduce((sum, { effect }) => sum + effect, 0)).toBeCloseTo(report.difference, 9)
})

test('an unknown group or model is an error that lists the known ones', async () => {
  const folder = folderWith(lmEval())
  await expect(explainGroups(folder, folder, { group: 'none' })).rejects.toMatchObject({
    code: 'no-group',
    fix: 'choose one of mmlu, mmlu_all',
  })
  await expect(explainGroups(folder, folder, { model: 'gpt' })).rejects.toMatchObject({
    code: 'several-models',
    fix: 'choose with --model: m',
  })
  await expect(explainGroups(join(folder, 'gone'), folder, {})).rejects.toThrow()
})
