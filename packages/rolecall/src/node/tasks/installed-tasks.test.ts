import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { installedTasks } from './installed-tasks.ts'
import { taskDatasets } from './task-datasets.ts'
import { TaskIndex } from './task-index.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-installed-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const task = (name: string, text: string) =>
  `task: ${name}\ntag: birds\ndataset_path: json\ndataset_kwargs: {data_files: {test: rows.jsonl}}\ntest_split: test\ndoc_to_text: "${text}"\ndoc_to_target: a\n`
const packages = 'venv/lib/python3.12/site-packages/lm_eval/tasks'
write(`${packages}/zoo/owls.yaml`, task('owls', 'installed {{q}}'))
write(`${packages}/zoo/larks.yaml`, task('larks', 'installed {{q}}'))
write(`${packages}/zoo/zoo.yaml`, 'group: zoo\ntask: [owls, larks]\n')
write(`${packages}/zoo/rows.jsonl`, '{"q": "1", "a": "2"}\n')
write('venv/lib/python3.9/site-packages/lm_eval/tasks/old.yaml', task('old', '{{q}}'))
write('conda/Lib/site-packages/lm_eval/tasks/finches.yaml', task('finches', '{{q}}'))
write('empty/lib/python3.12/site-packages/other/__init__.py', '')
write('own/owls.yaml', task('owls', 'own {{q}}'))
write('own/rows.jsonl', '{"q": "1", "a": "2"}\n')

const at = (path: string) => join(folder, path)

function setEnvironment(venv: string | undefined, conda?: string): void {
  vi.stubEnv('VIRTUAL_ENV', venv === undefined ? undefined : at(venv))
  vi.stubEnv('CONDA_PREFIX', conda === undefined ? undefined : at(conda))
}

describe('installedTasks', () => {
  test('looks in VIRTUAL_ENV, newest Python first, then in CONDA_PREFIX', () => {
    expect(installedTasks({ VIRTUAL_ENV: at('venv'), CONDA_PREFIX: at('conda') }).folder).toBe(at(packages))
    expect(installedTasks({ VIRTUAL_ENV: at('empty'), CONDA_PREFIX: at('conda') }).folder).toBe(at('conda/Lib/site-packages/lm_eval/tasks'))
  })

  test('finds an editable install by what pip and setuptools write', () => {
    const tasks = dirname(write('clone/lm_eval/tasks/owls.yaml', task('owls', '{{q}}')))
    const found = (name: string, files: Readonly<Record<string, string>>) => {
      for (const [path, text] of Object.entries(files)) write(`${name}/lib/python3.12/site-packages/${path}`, text)
      return installedTasks({ VIRTUAL_ENV: at(name) }).folder
    }
    const url = pathToFileURL(at('clone')).href
    expect(found('pip', { 'lm_eval-0.4.13.dist-info/direct_url.json': JSON.stringify({ url, dir_info: { editable: true } }) })).toBe(tasks)
    expect(found('pth', { '__editable__.lm_eval-0.4.13.pth': `${at('clone')}\n` })).toBe(tasks)
    expect(found('finder', { '__editable___lm_eval_0_4_13_finder.py': `MAPPING = {'lm_eval': '${at('clone/lm_eval')}'}\n` })).toBe(tasks)
    expect(found('egg', { 'lm-eval.egg-link': `${at('clone')}\n.` })).toBe(tasks)
    expect(found('odd', { 'lm_eval-0.4.13.dist-info/direct_url.json': '{', 'x.pth': 'import os; os.system("x")\n' })).toBeUndefined()
  })

  test('reports where it looked', () => {
    expect(installedTasks({})).toEqual({
      folder: undefined,
      searched: 'VIRTUAL_ENV (not set) or CONDA_PREFIX (not set)',
    })
    expect(installedTasks({ VIRTUAL_ENV: at('nowhere') }).searched).toContain(`VIRTUAL_ENV (${at('nowhere')})`)
  })
})

describe('tasks of an installed lm_eval', () => {
  test('are found by name, with a note that names the folder', async () => {
    setEnvironment('venv')
    const { datasets, notes } = await taskDatasets({ tasks: 'owls' })
    expect(JSON.stringify(datasets)).toContain('installed {{q}}')
    expect(notes).toContainEqual({ code: 'installed-tasks', text: `owls: task files of the installed lm_eval in ${at(packages)}` })
  })

  test('give way to those of --include-path, also inside a group', async () => {
    setEnvironment('venv')
    const own = await taskDatasets({ tasks: 'owls', includePath: [at('own')] })
    expect(JSON.stringify(own.datasets)).toContain('own {{q}}')
    expect(own.notes.map(({ code }) => code)).not.toContain('installed-tasks')
    const tagged = await taskDatasets({ tasks: 'birds', includePath: [at('own')] })
    expect(tagged.datasets).toHaveLength(1)
    const [owls, larks] = new TaskIndex([at('own')], installedTasks()).find('zoo').tasks
    expect([owls?.file, larks?.file]).toEqual([at('own/owls.yaml').slice(1), at(`${packages}/zoo/larks.yaml`).slice(1)])
  })

  test('an unknown name is reported with the folders that were searched', async () => {
    setEnvironment('venv')
    await expect(taskDatasets({ tasks: 'owlz', includePath: [at('own')] })).rejects.toMatchObject({
      problem: `there is no task, group or tag "owlz" in ${at('own')}, nor in the installed lm_eval (${at(packages)})`,
      fix: 'did you mean "owls"?',
    })
    setEnvironment('empty')
    await expect(taskDatasets({ tasks: 'owls' })).rejects.toMatchObject({
      problem: `there is no task, group or tag "owls": no task folder was given, and there is no lm_eval in VIRTUAL_ENV (${at('empty')}) or CONDA_PREFIX (not set)`,
      fix: 'pass the folder with --include-path, or name the YAML file itself',
    })
  })
})

test('a tag is found in the file or in what it includes; a longer name is not it', () => {
  write('tags/_base', 'tag: birds\ndataset_path: json\noutput_type: generate_until\n')
  write('tags/one.yaml', 'include: _base\ntask: one\n')
  write('tags/two.yaml', 'include:\n  - "_base"\ntask: two\n')
  write('tags/three.yaml', 'task: three\ntag: birds_of_prey\n')
  expect(new TaskIndex([at('tags')]).find('birds').tasks.map(({ name }) => name)).toEqual(['one', 'two'])
})

test('a task that runs code by its own means is refused before its data is read', async () => {
  write('code/utils.py', 'import subprocess\ndef passes(references, predictions):\n    return subprocess.run(predictions[0]) is None\n')
  const file = write(
    'code/t.yaml',
    `${task('code', '{{q}}')}unsafe_code: true\nmetric_list:\n  - metric: !function utils.passes\n    aggregation: mean\n`,
  )
  await expect(taskDatasets({ tasks: file })).rejects.toThrow('by means other than code_eval')
})
