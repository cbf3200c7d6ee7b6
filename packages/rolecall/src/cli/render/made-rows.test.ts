import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../../../../docs/run-command.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-made-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'snippet.py'),
  'infer_cfg=dict(ice_template=dict(template=dict(round=[dict(role="HUMAN", prompt="Q: {question}"), dict(role="BOT", prompt="{answer}")])))\n',
)

test('a template without rows is rendered with field names, and without a model as plain text; both are noted', async () => {
  const shown = await runCommand(['render', 'snippet.py'], folder)
  expect(shown).toContain('Q: ⟨question⟩')
  expect(shown).toMatch(/no model is named: its text is shown without any format/)
  expect(shown).toMatch(/the dataset has no rows: fields show their names/)
  expect(await runCommand(['render', 'snippet.py', '--format', 'chatml', '--text'], folder)).toContain(
    '<|im_start|>user\nQ: ⟨question⟩<|im_end|>',
  )
})

test('the snippets of documents 000 and 002 that have no rows are rendered, their tokens and examples included', async () => {
  const snippets = fileURLToPath(new URL('../../compat/opencompass/import/snippets/', import.meta.url))
  const mapped = await runCommand(['render', '000-02.py'], snippets)
  expect(mapped).toContain('│ ⟨input⟩\n│ A. ⟨A⟩')
  const examples = await runCommand(['render', '002-01.py'], snippets)
  expect(examples).toContain(
    '│ Solve the following questions.\n│ ⟨question 0⟩\n│ ⟨answer 0⟩\n│ ⟨question 1⟩\n│ ⟨answer 1⟩\n│ ⟨question⟩\n╰─',
  )
  expect(examples).toContain('"answer" is taken as its output_column')
  expect(examples).not.toContain('is the row being asked')
})

test('a dataset without rows is not run', async () => {
  expect(await runCommand(['run', 'snippet.py', '--format', 'internlm2'], folder)).toMatch(/error/)
})

const dataset = (abbr: string, evaluator: string, data: object) => ({
  abbr,
  ...data,
  reader_cfg: { input_columns: ['input'], output_column: 'target' },
  infer_cfg: { prompt_template: { template: 'Q: {input}' } },
  eval_cfg: { evaluator: { type: evaluator } },
})

test('render says what run would do: ready, not checked or cannot run, from the same preparation', async () => {
  const rows = [{ input: '1+1', target: '2' }]
  const datasets = [
    dataset('here', 'AccEvaluator', { rows }),
    dataset('gone', 'AccEvaluator', { type: 'MMLUDataset', path: './nothing', name: 'x' }),
    dataset('bad', 'NoSuchEvaluator', { rows }),
  ]
  const models = [
    { abbr: 'tiny', type: 'embedded', format: 'internlm2' },
    { abbr: 'shape', format: 'chatml' },
  ]
  writeFileSync(join(folder, 'words.json'), JSON.stringify({ models, datasets }))
  const noType = 'shape › type: the model has no type, so nothing can run it'
  const shown = await runCommand(['render', 'words.json', '--datasets', 'here,gone'], folder)
  expect(shown).toContain('Q: ⟨input⟩')
  expect(shown).toMatch(/\nready: tiny on here\nnot checked: tiny on gone, shape on gone: MMLUDataset › .\/nothing: /)
  const bad = await runCommand(['render', 'words.json', '--datasets', 'bad', '--models', 'tiny'], folder)
  expect(bad).toMatch(/cannot run: tiny on bad: .*NoSuchEvaluator/)
  const views = JSON.parse((await rolecall(['render', 'words.json', '--datasets', 'here', '--json'], folder)).stdout)
  expect(views.map((view: { readiness: unknown }) => view.readiness)).toEqual([{ word: 'ready' }, undefined])
  expect((await rolecall(['render', 'words.json', '--datasets', 'here', '--models', 'tiny', '--text'], folder)).stdout).toBe('Q: 1+1')
  const planned = await runCommand(['run', 'words.json', '--datasets', 'here', '--dry-run'], folder)
  expect(planned).toContain(`ready: tiny on here\ncannot run: shape on here: ${noType}`)
})

test('files that only describe a format run as the embedded model, and are ready', async () => {
  const entry =
    "dict(abbr='d', rows=[dict(q='1+1', a='2')], reader_cfg=dict(output_column='a'), infer_cfg=dict(prompt_template=dict(template='{q}')))"
  writeFileSync(join(folder, 'described.py'), `models=[dict(abbr='shape', format='chatml')]\ndatasets=[${entry}]\n`)
  // Whether everything is ready is only said where something is not.
  for (const command of [
    ['render', 'described.py'],
    ['run', 'described.py', '--dry-run'],
  ]) {
    const shown = await runCommand(command, folder)
    expect(shown).toContain('shape')
    expect(shown).not.toMatch(/ready|cannot run/)
  }
})
