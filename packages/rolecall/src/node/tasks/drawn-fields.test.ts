import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { taskRequests } from '../../compat/lm-eval/dataset/task-prompts.ts'
import { readTaskSpec, taskRows } from '../../compat/lm-eval/dataset/task-spec.ts'
import { textOfFragments } from '../../compat/lm-eval/prompt/message.ts'
import { taskDatasets } from './task-datasets.ts'

const yaml = (name: string) => `task: ${name}
dataset_path: zoo/owls
output_type: multiple_choice
test_split: test
fewshot_split: train
doc_to_text: !function ${name}.question
doc_to_choice: !function ${name}.choices
doc_to_target: 0
`

const python = (choices: string) => `
import random

def choices(doc):
    return ${choices}

def question(doc):
    return f"Which? {' '.join(choices(doc))}:"
`

const folder = folderWith({
  'tasks/drawn.yaml': yaml('drawn'),
  'tasks/drawn.py': python('[doc["bird"], *random.sample(["kea", "jay", "rook", "wren", "swan", "duck", "ibis"], 2)]'),
  'tasks/fixed.yaml': yaml('fixed'),
  'tasks/fixed.py': python('[doc["bird"], random.Random(1).choice(["kea", "jay"])]'),
  'data/zoo/owls/test.jsonl': '{"bird": "owl"}\n{"bird": "tit"}\n',
  'data/zoo/owls/train.jsonl': '{"bird": "emu"}\n{"bird": "tern"}\n{"bird": "rhea"}\n',
})

async function prepared(name: string, numFewshot: number) {
  const { datasets, notes } = await taskDatasets({ tasks: join(folder, `tasks/${name}.yaml`), dataDir: join(folder, 'data'), numFewshot })
  const spec = readTaskSpec((datasets as { lm_eval: unknown }[])[0]!.lm_eval, name)
  const requestsOf = (number: number) =>
    taskRequests(spec, taskRows(spec.rows)[number]!).map((request) =>
      request.kind === 'loglikelihood' ? `${request.prompt?.text}|${textOfFragments(request.continuation)}` : request.kind,
    )
  const [last, first, again] = [requestsOf(1), requestsOf(0), requestsOf(1)]
  return { rows: spec.rows, notes: notes.map(({ code }) => code), first, last, again }
}

/** What lm-evaluation-harness 0.4.13 sends for these files. */
test('functions that draw random numbers give the prompts of lm-evaluation-harness, in whatever order and however often rows are asked', async () => {
  const { first, last, again, notes } = await prepared('drawn', 0)
  expect(first).toEqual(['owl', 'swan', 'wren'].map((choice) => `Which? owl rook swan:| ${choice}`))
  expect(last).toEqual(['tit', 'ibis', 'swan'].map((choice) => `Which? tit wren swan:| ${choice}`))
  expect(again).toEqual(last)
  expect(notes).toContain('prompts-vary')
})

test('their examples are drawn before the question', async () => {
  const { first, last } = await prepared('drawn', 1)
  expect(first).toEqual(['owl', 'rook', 'kea'].map((choice) => `Which? tern rook swan: tern\n\nWhich? owl swan wren:| ${choice}`))
  expect(last).toEqual(['tit', 'duck', 'kea'].map((choice) => `Which? emu ibis swan: emu\n\nWhich? tit duck wren:| ${choice}`))
})

test('a generator of their own, seeded at each call, needs no record', async () => {
  const { rows, notes, first } = await prepared('fixed', 0)
  expect(rows).toEqual(['{"bird": "owl"}', '{"bird": "tit"}'])
  expect(notes).not.toContain('prompts-vary')
  expect(first[0]).toBe('Which? owl kea:| owl')
})
