import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { TextSpool } from '../text-spool.ts'
import { runEvaluation } from './run-evaluation.ts'
import { openWhySide } from './why-side.ts'

test('prompts that a run did not record are rendered again; changed ones are unknown', async () => {
  const rows = (...questions: readonly string[]) => questions.map((question) => `${JSON.stringify({ question, answer: '4' })}\n`).join('')
  const home = folderWith({ 'rows.jsonl': rows('2+2=?', '1+3=?') })
  const config = {
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 2 }],
    datasets: [
      {
        abbr: 'sums',
        path: join(home, 'rows.jsonl'),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
      },
    ],
  }
  const { folder } = await runEvaluation(config, { workDir: join(home, 'runs'), cache: false })
  const promptsOf = async () => {
    const { side, notes, close } = await openWhySide({ folder, name: 'run' })
    const prompts = [0, 1].map((place) => side.row(place).prompt)
    close()
    return { prompts, notes }
  }
  const [first, second] = ['2+2=?', '1+3=?'].map((question) => `<s><|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`)
  expect(await promptsOf()).toEqual({ prompts: [first, second], notes: [] })
  writeFileSync(join(home, 'rows.jsonl'), rows('2+2=?', '3+1=?'))
  expect(await promptsOf()).toEqual({ prompts: [first, undefined], notes: [expect.stringContaining('1 rows without their prompts')] })
})

test('a spool returns texts by number', () => {
  const spool = new TextSpool()
  for (const text of ['a', '', undefined, 'é二']) spool.add(text)
  expect([0, 1, 2, 3, 4].map((number) => spool.read(number))).toEqual(['a', '', undefined, 'é二', undefined])
  spool.close()
})
