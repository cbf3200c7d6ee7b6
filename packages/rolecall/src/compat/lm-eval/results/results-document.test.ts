import { expect, test } from 'vitest'
import { stringifyJson } from '../../../../../core/src/base/python/index.ts'
import { resultsDocument } from './results-document.ts'

const utils = `
import evaluate as hf_evaluate

compute_ = hf_evaluate.load("code_eval")

def pass_at_k(references, predictions, k=None):
    return compute_.compute(references=references, predictions=predictions, k=k)[0]

def prompt_of(doc):
    return doc["prompt"]

to_text = prompt_of

class Clean:
    def apply(self, resps, docs):
        return resps
`

const spec = {
  file: 'harness/lm_eval/tasks/owls/owls.yaml',
  task: {
    task: 'owls',
    test_split: 'test',
    doc_to_text: { $python: 'utils.to_text', file: 'harness/lm_eval/tasks/owls/owls.yaml' },
    doc_to_target: '{{test}}',
    metric_list: [
      { metric: { $python: 'utils.pass_at_k', file: 'harness/lm_eval/tasks/owls/owls.yaml' }, aggregation: 'mean', higher_is_better: true },
    ],
    filter_list: [{ name: 'code', filter: [{ function: { $python: 'utils.Clean', file: 'harness/lm_eval/tasks/owls/owls.yaml' } }] }],
  },
  files: { 'harness/lm_eval/tasks/owls/utils.py': utils },
  rows: [JSON.stringify({ prompt: 'def one():\n', test: 'assert one() == 1' })],
  pool: [],
  apply_chat_template: false,
  fewshot_as_multiturn: false,
}

const run = { source: 'local-completions', model: 'm', modelArguments: new Map(), generation: new Map(), metadata: new Map(), batchSize: 1 }

test('figures that a metric returns have its direction; classes are written as Python shows them, and functions by their source', () => {
  const figures = { sample_len: 1, 'pass@1,code': 1, 'pass@1_stderr,code': 0 }
  const document = resultsDocument([{ name: 'owls', spec, figures } as never], [], { ...run, date: 0, seconds: 1 } as never, String)
  const { higher_is_better, configs } = JSON.parse(stringifyJson(document)) as Record<string, { owls: Record<string, unknown> }>
  expect(higher_is_better!.owls).toEqual({ pass_at_k: true, 'pass@1': true })
  expect(configs!.owls.filter_list).toEqual([{ name: 'code', filter: [{ function: "<class 'lm_eval.tasks.owls.utils.Clean'>" }] }])
  expect(configs!.owls.doc_to_text).toBe('def prompt_of(doc):\n    return doc["prompt"]\n')
})

test('a function that is named in a circle and has no source at the margin is written by its name', () => {
  const files = Object.fromEntries(
    Object.entries(spec.files).map(([path, text]) => [
      path,
      text.replace(
        /def prompt_of[\s\S]*?to_text = prompt_of/,
        'if True:\n    def to_text(doc): return doc["prompt"]\n\nother = to_text\nto_text = other',
      ),
    ]),
  )
  const document = resultsDocument(
    [{ name: 'owls', spec: { ...spec, files }, figures: {} } as never],
    [],
    { ...run, date: 0, seconds: 1 } as never,
    String,
  )
  const { configs } = JSON.parse(stringifyJson(document)) as Record<string, { owls: Record<string, unknown> }>
  expect(configs!.owls.doc_to_text).toBe('!function utils.to_text')
})

test('generation settings of a task that generates nothing are recorded with the default stop', () => {
  const task = {
    task: 'owls',
    test_split: 'test',
    output_type: 'multiple_choice',
    doc_to_text: 'q',
    doc_to_target: 0,
    doc_to_choice: ['a', 'b'],
  }
  const choice = { ...spec, task: { ...task, generation_kwargs: { do_sample: false } }, rows: ['{"q": "x"}'] }
  const document = resultsDocument(
    [{ name: 'owls', spec: choice, figures: {} } as never],
    [],
    { ...run, date: 0, seconds: 1 } as never,
    String,
  )
  const { configs } = JSON.parse(stringifyJson(document)) as Record<string, { owls: Record<string, unknown> }>
  expect(configs!.owls.generation_kwargs).toEqual({ do_sample: false, until: ['\n\n'] })
})
