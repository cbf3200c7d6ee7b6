import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { compareRuns } from '../../node/runs/compare-run-folders.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { openRun } from '../../node/runs/run-reader.ts'
import { changedLines, withPrompts } from './show-comparison.ts'

const shown = (first: string, second: string) => changedLines(first, second).map(({ sign, text }) => `${sign}${text}`)

test('common lines at the start and end are omitted, except one line of context on each side', () => {
  expect(shown('a\nb\nc\nd', 'a\nb\nX\nY\nd')).toEqual([' b', '-c', '+X', '+Y', ' d'])
  expect(shown('a', 'a')).toEqual([])
  expect(shown('a\na', 'a')).toEqual([' a', '-a'])
  expect(shown('', 'new')).toEqual(['-', '+new'])
})

test('prompts are shown as they were sent, or not at all', async () => {
  const rows = (...questions: readonly string[]) =>
    questions.map((question, id) => `${JSON.stringify({ id, question, answer: '4' })}\n`).join('')
  const home = folderWith({ 'rows.jsonl': rows('2+2=?') })
  const runOf = async (prompt: string) => {
    const { folder } = await runEvaluation(
      {
        models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 2 }],
        datasets: [
          {
            abbr: 'sums',
            path: join(home, 'rows.jsonl'),
            reader_cfg: { input_columns: ['question'], output_column: 'answer' },
            infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt }] } } },
          },
        ],
      },
      { workDir: join(home, 'runs'), cache: false },
    )
    return openRun(folder)
  }
  const runs = [await runOf('{question}'), await runOf('Solve {question}')] as const
  const shownPrompts = async () => {
    const { shown, notes } = await withPrompts(compareRuns(...runs, 3), runs)
    return { prompts: shown.flatMap(({ examples }) => examples.map(({ prompts }) => prompts)), notes: notes.map(({ text }) => text) }
  }
  const sent = (question: string) => `<s><|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`
  expect(await shownPrompts()).toEqual({ prompts: [{ first: sent('2+2=?'), second: sent('Solve 2+2=?') }], notes: [] })
  writeFileSync(join(home, 'rows.jsonl'), rows('9+9=?'))
  const note = expect.stringContaining('1 rows without their prompts, which cannot be rendered again as they were sent')
  expect(await shownPrompts()).toEqual({ prompts: [undefined], notes: [note, note] })
})
