import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const config = (dataset: object) =>
  JSON.stringify({
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 4 }],
    datasets: [
      {
        abbr: 'gsm8k',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: {
          prompt_template: {
            template: {
              round: [
                { role: 'HUMAN', prompt: 'Q: {question}' },
                { role: 'BOT', prompt: '{answer}' },
              ],
            },
          },
        },
        eval_cfg: { evaluator: { type: 'AccEvaluator' } },
        ...dataset,
      },
    ],
  })

const rows = {
  'data/gsm8k/train.jsonl': '{"question": "t", "answer": "0"}\n',
  'data/gsm8k/test.jsonl': '{"question": "1+1", "answer": "2"}\n',
}

describe('datasets of an OpenCompass class', () => {
  test('are rendered with the columns of the class', async () => {
    const folder = folderWith({ 'rolecall.config.json': config({ type: 'GSM8KDataset', path: 'opencompass/gsm8k' }), ...rows })
    const { code, stdout, stderr } = await rolecall(['render', '--text'], folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Q: 1+1')
  })

  test('are rejected before the first request if data is missing: loader, folder, expected files', async () => {
    const folder = folderWith({ 'rolecall.config.json': config({ type: 'GSM8KDataset', path: 'opencompass/gsm8k' }) })
    const { code, stderr } = await rolecall(['run'], folder)
    expect(code).toBe(2)
    expect(stderr).toMatch(/GSM8KDataset › \.\/data\/gsm8k\/[\s\S]*a folder with train\.jsonl, test\.jsonl/)
  })

  test('are rejected by `run` if the class is unknown, and rendered with field names', async () => {
    const folder = folderWith({ 'rolecall.config.json': config({ type: 'MyDataset', path: 'data/gsm8k/test.jsonl' }), ...rows })
    const run = await rolecall(['run'], folder)
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(/"MyDataset" is not known[\s\S]*"rows"/)
    const render = await rolecall(['render'], folder)
    expect(render.stdout).toContain('Q: ⟨question⟩')
    expect(render.stdout).toContain('"MyDataset" is not known')
  })

  test('are rejected if the class lacks the column with the right answers; an input column that nothing shows is a warning', async () => {
    const of = (reader_cfg: object) => ({ type: 'GSM8KDataset', path: 'opencompass/gsm8k', reader_cfg })
    const run = (dataset: object) => rolecall(['run'], folderWith({ 'rolecall.config.json': config(dataset), ...rows }))
    const { code, stderr } = await run(of({ input_columns: ['question'], output_column: 'gold' }))
    expect(code).toBe(2)
    expect(stderr).toContain('no row has a column "gold" (they have: question, answer, subdivision, idx)')
    const warned = await run(of({ input_columns: ['question', 'choices'], output_column: 'answer' }))
    expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining('no row has a column "choices", and no template shows it') })
  })
})
