import { expect, test } from 'vitest'
import type { TaskSpec } from '../dataset/task-spec.ts'
import { taskOf, taskRows } from '../dataset/task-spec.ts'
import { metricValues } from '../evaluate-task.ts'
import { metricsOfTask } from '../metric/task-metrics.ts'
import { logSamples } from './log-samples.ts'

const utils = `
import numpy as np

def score(doc, results):
    isNight = np.array(doc["n"] > 1, dtype=bool)
    return {"acc": (1.0 if results[0] == "hoot" else 0.0, isNight), "night": isNight == True, "known": doc["n"] > 1}

def at_night(items):
    hits, mask = zip(*items)
    return np.array(hits)[np.array(mask, dtype=bool)].mean()
`
const mark = (name: string) => ({ $python: `utils.${name}`, file: 'owls/owls.yaml' })

const spec: TaskSpec = {
  file: 'owls/owls.yaml',
  task: {
    task: 'owls',
    test_split: 'test',
    doc_to_text: 'q',
    doc_to_target: 'a',
    process_results: mark('score'),
    metric_list: [{ metric: 'acc', aggregation: mark('at_night'), higher_is_better: true }],
  },
  files: { 'owls/utils.py': utils },
  rows: ['{"q": "one", "a": "x", "n": 1}', '{"q": "two", "a": "x", "n": 2}'],
  pool: [],
  apply_chat_template: false,
  fewshot_as_multiturn: false,
}

test('booleans of numpy are logged as texts, as lm-evaluation-harness writes them, and count as booleans', () => {
  const answered = () => taskRows(spec.rows).map((row, id) => ({ id, row, prompts: () => [], prediction: 'hoot', choices: undefined }))
  const logged = [...logSamples(spec, answered, String)]
  const lines = logged.map(({ line }) => JSON.parse(line().text) as Record<string, unknown>)
  expect(lines.map(({ acc, night, known }) => [acc, night, known])).toEqual([
    [[1, 'False'], 'False', false],
    [[1, 'True'], 'True', true],
  ])
  const { config, find } = taskOf(spec)
  const samples = logged.map(({ sample }) => sample)
  expect(metricValues(samples, metricsOfTask(config, find), 10)).toMatchObject({ 'acc,none': 1, 'night,none': 0.5, 'known,none': 0.5 })
})
