import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { taskRequests } from '../../compat/lm-eval/dataset/task-prompts.ts'
import { readTaskSpec, taskRows } from '../../compat/lm-eval/dataset/task-spec.ts'
import { taskDatasets } from './task-datasets.ts'

const yaml = (name: string, split: string) => `task: ${name}
dataset_path: zoo/owls
test_split: ${split}
process_docs: !function mix.process_docs
doc_to_text: "{{bird}} {{letters}}"
doc_to_target: bird
`

const folder = folderWith({
  'tasks/first.yaml': yaml('first', 'test'),
  'tasks/second.yaml': yaml('second', 'train'),
  'tasks/drawn.yaml': `task: drawn
dataset_path: zoo/owls
output_type: multiple_choice
test_split: test
doc_to_text: !function mix.question
doc_to_choice: !function mix.choices
doc_to_target: 0
`,
  'tasks/mix.py': `
import random

def process_docs(dataset):
    def mix(doc):
        letters = list("abcdef")
        random.shuffle(letters)
        return {"letters": "".join(letters)}
    return dataset.map(mix)

def choices(doc):
    return [doc["bird"], *random.sample(["kea", "jay", "rook", "wren", "swan", "duck", "ibis"], 2)]

def question(doc):
    return f"Which? {' '.join(choices(doc))}:"
`,
  'tasks/imported.yaml': yaml('imported', 'test')
    .replaceAll('mix.', 'early.')
    .replace('"{{bird}} {{letters}}"', '!function early.question'),
  'tasks/early.py': `
import random

LETTERS = "".join(random.sample(list("ABCDEFGH"), 8))

def process_docs(dataset):
    return dataset.map(lambda doc: {"letters": LETTERS})

def question(doc):
    return f"{doc['letters']} {LETTERS}"
`,
  'tasks/loading.yaml': yaml('loading', 'test').replace('mix.', 'loading.'),
  'tasks/loading.py': `
import random
import datasets

def process_docs(dataset):
    first = random.randint(0, 10**6)
    datasets.load_dataset("zoo/owls", split="train")
    return dataset.map(lambda doc: {"letters": f"{first} {random.randint(0, 10**6)}"})
`,
  'data/zoo/owls/test.jsonl': '{"bird": "owl"}\n{"bird": "tit"}\n',
  'data/zoo/owls/train.jsonl': '{"bird": "emu"}\n{"bird": "tern"}\n{"bird": "rhea"}\n',
})

async function specs(...names: string[]) {
  const tasks = names.map((name) => join(folder, `tasks/${name}.yaml`)).join(',')
  const { datasets } = await taskDatasets({ tasks, dataDir: join(folder, 'data') })
  return datasets.map((dataset) => readTaskSpec((dataset as { lm_eval: unknown }).lm_eval, 'a task'))
}

async function letters(...names: string[]) {
  return (await specs(...names)).map(({ rows }) => taskRows(rows).map((row) => (row as { letters?: string }).letters))
}

/** What lm-evaluation-harness shuffles for these files, before its dataset cache has them. */
test('the random numbers of a task follow those of the task before, also those that its functions draw for its first document', async () => {
  const [first, , second] = await letters('first', 'drawn', 'second')
  expect(first).toEqual(['ecbafd', 'eabfcd'])
  expect(second).toEqual(['bfdcea', 'dbfeac', 'fcbaed'])
})

test('a task that runs alone begins with the seed', async () => {
  const [alone] = await letters('second')
  expect(alone).toEqual((await letters('second', 'first'))[0])
  expect(alone!.slice(0, 2)).toEqual((await letters('first'))[0])
})

test('a module that draws as it is imported has the same values in documents and prompts, after another task, too', async () => {
  for (const names of [['imported'], ['first', 'imported']]) {
    const spec = (await specs(...names)).at(-1)!
    const [request] = taskRequests(spec, taskRows(spec.rows)[0]!)
    const [stored, shown] = (request?.kind === 'generate' ? request.prompt.text : '').split(' ')
    expect(stored).toMatch(/^[A-H]{8}$/)
    expect(shown).toBe(stored)
  }
})

test('what is drawn before a function loads data is not drawn again', async () => {
  const [drawn] = await letters('loading')
  expect(drawn![0]).toBe('885440 403958')
})
