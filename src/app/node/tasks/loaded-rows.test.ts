import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
import type { TaskSpec } from '../../../compat/lm-eval/dataset/task-spec.ts'
import { taskDatasets } from './task-datasets.ts'

const yaml = (name: string, more = '') =>
  `task: ${name}\ndataset_path: zoo/owls\ncustom_dataset: !function utils.${name}\ntest_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: a\nmetadata: {size: small}\ndataset_kwargs: {word: hoot}\n${more}`

const folder = folderWith({
  'tasks/made.yaml': yaml('made'),
  'tasks/loaded.yaml': yaml('loaded'),
  'tasks/files.yaml': yaml('files'),
  'tasks/tokens.yaml': yaml('tokens'),
  'tasks/nothing.yaml': yaml('nothing'),
  'tasks/utils.py': `
import datasets
from transformers import AutoTokenizer

def made(**kwargs):
    rows = [{"q": f"{kwargs['word']} {kwargs['size']} {kwargs.get('model', '')}", "a": "x"}]
    return {"test": datasets.Dataset.from_list(rows)}

def loaded(**kwargs):
    columns = list(datasets.load_dataset("zoo/owls", "night", token=None)["test"].features.keys())
    assert "q" in columns
    kept = datasets.load_dataset("zoo/owls", "night")["test"].filter(lambda doc: doc["n"] > 1)
    return {"test": kept}

def files(**kwargs):
    return {"test": datasets.load_dataset("zoo/owls", data_files="more.jsonl", split="train")}

def tokenizer():
    return AutoTokenizer.from_pretrained("x")

def tokens(**kwargs):
    return {"test": tokenizer()}

def nothing(**kwargs):
    return 1
`,
  'data/zoo/owls/night/test.jsonl': '{"q": "one", "a": "x", "n": 1}\n{"q": "two", "a": "x", "n": 2}\n',
  'data/zoo/owls/more.jsonl': '{"q": "three", "a": "x"}\n',
})

async function rowsOf(
  name: string,
  flags: { dataDir?: string; metadata?: string; modelArgs?: string } = { dataDir: join(folder, 'data') },
) {
  const { datasets } = await taskDatasets({ tasks: join(folder, `tasks/${name}.yaml`), ...flags })
  return (datasets as { lm_eval: TaskSpec }[])[0]!.lm_eval.rows.map((row) => (JSON.parse(row) as { q: string }).q)
}

describe('custom_dataset', () => {
  test('is called with the metadata of the task, the arguments of the model and dataset_kwargs', async () => {
    expect(await rowsOf('made')).toEqual(['hoot small '])
    expect(await rowsOf('made', { metadata: '{"size": "large"}', modelArgs: 'model=m' })).toEqual(['hoot large m'])
  })

  test('may load datasets, whole or by file, and filter them', async () => {
    expect(await rowsOf('loaded')).toEqual(['two'])
    expect(await rowsOf('files')).toEqual(['three'])
  })

  test('that lacks its data, needs a tokenizer or makes nothing is refused', async () => {
    await expect(rowsOf('files', { dataDir: join(folder, 'tasks') })).rejects.toMatchObject({ code: 'no-data' })
    await expect(rowsOf('tokens')).rejects.toThrow('it needs transformers.AutoTokenizer.from_pretrained')
    await expect(rowsOf('nothing')).rejects.toThrow('returns no datasets')
  })
})
