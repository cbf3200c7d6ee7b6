import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const dataset = (abbr: string) =>
  `dict(abbr='${abbr}', rows=[dict(q='1+1=?', a='2')], reader_cfg=dict(input_columns=['q'], output_column='a'),
    infer_cfg=dict(prompt_template=dict(template='{q} '), inferencer=dict(type='GenInferencer', max_out_len=2)))`

const files = {
  'configs/datasets/quiz/quiz_gen.py': `quiz_datasets = [${['quiz_a', 'quiz_b', 'other'].map(dataset).join(', ')}]\n`,
  'configs/summarizers/groups/quiz.py': `quiz_summary_groups = [{'name': 'quiz', 'subsets': ['quiz_a', 'quiz_b']},
  {'name': 'elsewhere', 'subsets': ['quiz_a', 'gone']}, {'name': 'added', 'subsets': ['quiz_a', 'quiz_b'], 'sum': True}]\n`,
  'configs/summarizers/short.py': `from mmengine.config import read_base

with read_base():
    from .groups.quiz import quiz_summary_groups

summarizer = dict(dataset_abbrs=['--- Exam ---', 'gone', ['other', 'score'], 'quiz'], summary_groups=quiz_summary_groups)
second = dict(dataset_abbrs=['quiz_b'])\n`,
}
const run = (folder: string, ...flags: string[]) =>
  rolecall(['run', '--datasets', 'quiz_gen', '--models', 'embedded', '--no-cache', '-w', 'out', ...flags], folder)

/** The datasets and groups that the table shows, in its order. */
const namesIn = (stdout: string) => [...stdout.split('\n\n')[1]!.matchAll(/^\w+/gm)].map(([name]) => name)

test('datasets by name end with the averages of their groups', async () => {
  const { stdout, stderr, code } = await run(folderWith(files))
  expect(code, stderr).toBe(0)
  expect(namesIn(stdout)).toEqual(['quiz_a', 'quiz_b', 'other', 'quiz'])
  expect(stdout).toMatch(/^quiz .* [\d.]+ .* mean of 2 datasets +2 rows$/m)
  expect(stdout).not.toMatch(/elsewhere|added/)
  expect(stderr).toContain('summary_groups › added')
})

test('a broken file of groups is reported, and the run goes on with the other groups', async () => {
  const folder = folderWith({ ...files, 'configs/summarizers/groups/broken.py': 'broken_summary_groups = [\n' })
  const { stdout, stderr, code } = await run(folder)
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^quiz .* mean of 2 datasets /m)
  expect(stderr).toContain('the groups of broken.py are left out: the "[" is never closed (configs/summarizers/groups/broken.py:1:25)')
})

test('--summarizer chooses the groups and what the tables show, in its order', async () => {
  const folder = folderWith(files)
  const { stdout, stderr } = await run(folder, '--summarizer', 'short')
  expect(namesIn(stdout)).toEqual(['other', 'quiz'])
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'note 2 datasets that summarizer.dataset_abbrs does not list are in summary/summary.csv and .json',
  )
  expect(stderr).toContain('only averages are computed here, not "sum"')
  const [time] = readdirSync(join(folder, 'out'))
  const text = (name: string) => readFileSync(join(folder, 'out', time!, 'summary', name), 'utf8')
  expect(text('summary.md')).not.toContain('quiz\\_b')
  expect(text('summary.txt')).not.toContain('quiz_b')
  expect(text('summary.csv')).toContain('quiz_b')
  expect(JSON.parse(text('summary.json'))).toMatchObject({ shown: ['other', 'quiz'], groups: [{ group: 'quiz' }] })
  const second = await run(folder, '--summarizer', 'short/second')
  expect(second.stdout).toMatch(/^quiz_b · 1 row · /)
  expect(second.stdout).not.toMatch(/quiz_a|other/)
  expect((await run(folder, '--summarizer', 'shrt')).stderr).toMatch(/there is no config file shrt\.py[\s\S]*did you mean "short"\?/)
  expect((await run(folder, '--summarizer', 'short/third')).stderr).toContain('it has no "third" with groups or names of these datasets')
})

test('--summarizer replaces that of a config', async () => {
  const folder = folderWith({
    ...files,
    'eval.py': `models = [dict(abbr='tiny', type='embedded')]\n${files['configs/datasets/quiz/quiz_gen.py']}`,
  })
  const { stdout } = await rolecall(['run', 'eval.py', '--summarizer', 'configs/summarizers/short.py', '--no-cache'], folder)
  expect(namesIn(stdout)).toEqual(['other', 'quiz'])
})

test('of several files of one name, the first that OpenCompass finds is used, with a warning', async () => {
  const folder = folderWith({
    ...files,
    'configs/datasets/QUIZ_gen.py': `quiz_datasets = [${dataset('first')}]\n`,
    'opencompass/configs/datasets/quiz_gen.py': `quiz_datasets = [${dataset('last')}]\n`,
  })
  const { stdout, stderr } = await run(folder, '--dry-run')
  expect(stdout).toMatch(/^tiny-chat +first /m)
  expect(stderr).toContain(
    'warning 3 files are called quiz_gen.py: configs/datasets/QUIZ_gen.py is used, as in OpenCompass, and not configs/datasets/quiz/quiz_gen.py, opencompass/configs/datasets/quiz_gen.py',
  )
})

test('--compat opencompass applies to every dataset', async () => {
  const folder = folderWith(files)
  const { stdout } = await run(folder, '--compat', 'opencompass', '--json')
  expect(JSON.parse(stdout).results.map((one: { compat?: string }) => one.compat)).toEqual(Array(3).fill('opencompass'))
  const shown = await rolecall(['render', '--datasets', 'quiz_gen', '--models', 'embedded', '--compat', 'opencompass'], folder)
  expect(shown.stdout).toContain('compat opencompass')
  expect((await run(folder, '--compat', 'lm-eval')).stderr).toContain('Allowed choices are opencompass')
})
