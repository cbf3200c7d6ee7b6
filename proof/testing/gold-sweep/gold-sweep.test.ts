import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../folder-with.ts'
import { type GoldResult, sweepConfigs, sweepTasks } from './gold-sweep.ts'

async function all(sweep: AsyncGenerator<GoldResult>): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { name, outcome } of sweep) found[name] = outcome
  return found
}

test('configs of OpenCompass are tested with the rows that a vector has for their class and arguments', async () => {
  const dataset = (abbr: string, column: string, path: string) =>
    `dict(abbr='${abbr}', type='JsonlDataset', path='${path}', reader_cfg=dict(input_columns=['q'], output_column='${column}'),
    infer_cfg=dict(prompt_template=dict(template='{q}')), eval_cfg=dict(evaluator=dict(type='AccEvaluator')))`
  const vector = (path: string, a: readonly string[]) =>
    JSON.stringify({ loader: 'JsonlDataset', kind: 'ok', kwargs: { path }, expected: { test: a.map((one) => ({ q: 'Q?', a: one })) } })
  const checkout = folderWith({
    'opencompass/configs/datasets/d.py': `d_datasets = [${dataset('letters', 'a', 'x')}, ${dataset('gone', 'b', 'y')}]\n`,
    'vectors.jsonl': [vector('z', ['', '']), vector('x', ['A', 'B'])].join('\n'),
  })
  expect(await all(sweepConfigs(checkout, join(checkout, 'vectors.jsonl')))).toEqual({ 'd.py: letters': 'right', 'd.py: gone': 'no rows' })
})

test('tasks of the harness are tested with the documents of a vector, in the form that their filters read', async () => {
  const task = (name: string, more: string) =>
    `task: ${name}\ndataset_path: x\ntest_split: test\noutput_type: generate_until\ndoc_to_text: q\n${more}metric_list: [{metric: exact_match}]\n`
  const filter = (pattern: string) =>
    `filter_list: [{name: f, filter: [{function: regex, regex_pattern: '${pattern}'}, {function: take_first}]}]\n`
  const docs = [{ q: 'Q?', a: '18', label: 1, choices: ['no', 'yes'] }]
  const tasks = {
    sentence: `doc_to_target: a\n${filter('The answer is (-?[0-9.,]+).')}`,
    final: `doc_to_target: a\n${filter('The final answer is ([0-9]+)')}`,
    choice: 'doc_to_target: label\ndoc_to_choice: "{{choices}}"\n',
    unreadable: `doc_to_target: a\n${filter('<<([A-Z]+)>>')}`,
  }
  const checkout = folderWith({
    ...Object.fromEntries(Object.entries(tasks).map(([name, more]) => [`lm_eval/tasks/${name}.yaml`, task(name, more)])),
    'vectors.jsonl': Object.keys(tasks)
      .map((name) => JSON.stringify({ task: name, docs }))
      .join('\n'),
  })
  expect(await all(sweepTasks(checkout, join(checkout, 'vectors.jsonl')))).toEqual({
    choice: 'right',
    final: 'right',
    sentence: 'right',
    unreadable: 'all wrong',
  })
})
