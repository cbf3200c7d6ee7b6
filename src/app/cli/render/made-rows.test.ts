import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../../../docs/run-command.ts'

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
  const snippets = fileURLToPath(new URL('../../../compat/opencompass/import/snippets/', import.meta.url))
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
