import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a dataset without rows is not run', async () => {
  expect(await runCommand(['run', 'snippet.py', '--format', 'internlm2'], folder)).toMatch(/error/)
})
