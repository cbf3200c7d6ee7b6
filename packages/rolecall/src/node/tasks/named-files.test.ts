import { expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { serveHub } from '../../../../../proof/testing/serve-hub.ts'
import { taskDatasets } from './task-datasets.ts'

const yaml = (file: string) =>
  `task: sums\ndataset_path: json\ndataset_kwargs: {data_files: {test: "${file}"}}\ntest_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\n`
const onHub = 'hf://datasets/acme/sums/data/two.jsonl'

serveHub({ 'datasets/acme/sums': { files: { 'data/two.jsonl': '{"q": "1+1?", "a": "2"}\n' } } })

const rowsOf = async (tasks: string, dataDir?: string) => {
  const { datasets } = await taskDatasets({ tasks, ...(dataDir === undefined ? {} : { dataDir }) })
  return JSON.stringify(datasets)
}

test('data_files of a dataset on the hub are downloaded once, and found in --data-dir without a network', async () => {
  const task = `${folderWith({ 'sums.yaml': yaml(onHub) })}/sums.yaml`
  expect(await rowsOf(task)).toContain('1+1?')
  vi.stubEnv('HF_HUB_OFFLINE', '1')
  expect(await rowsOf(task)).toContain('1+1?')
  vi.stubEnv('HF_HOME', folderWith({}))
  expect(await rowsOf(task, folderWith({ 'acme/sums/data/two.jsonl': '{"q": "3+3?", "a": "6"}\n' }))).toContain('3+3?')
  await expect(rowsOf(task, folderWith({}))).rejects.toThrow(/acme\/sums.*was not found/)
})

test('a file that the dataset does not have is an error that says where to put it', async () => {
  const task = `${folderWith({ 'sums.yaml': yaml('hf://datasets/acme/sums/none.jsonl') })}/sums.yaml`
  await expect(rowsOf(task)).rejects.toMatchObject({ code: 'no-data', fix: expect.stringContaining('DIR/acme/sums/none.jsonl') })
})

test('patterns find files and names, also names with hyphens', async () => {
  const folder = folderWith({
    'one.yaml': yaml('two.jsonl'),
    'more.yaml': yaml('two.jsonl').replace('sums', 'sums-more'),
    'two.jsonl': '{"q": "1+1?", "a": "2"}\n',
  })
  const found = async (tasks: string) =>
    (await taskDatasets({ tasks, includePath: [folder] })).datasets.map((one) => (one as { abbr: string }).abbr)
  expect(await found(`${folder}/*.yaml`)).toEqual(['sums-more', 'sums'])
  expect(await found(`${folder}/o?e.yaml`)).toEqual(['sums'])
  expect(await found('sums-*')).toEqual(['sums-more'])
  await expect(found(`${folder}/none_*.yaml`)).rejects.toThrow('no file matches')
  await expect(found('list')).rejects.toMatchObject({ fix: expect.stringContaining('rolecall import') })
})
