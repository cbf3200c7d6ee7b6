import { expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { examinePair } from '../../evaluation/run/examine/examine-pair.ts'
import { planRun } from '../../evaluation/run/plan-run.ts'
import { registerOpenCompass } from './register-opencompass.ts'

registerOpenCompass()

const model: ModelConfig = { abbr: 'm', type: 'openai', path: 'm', endpoint: 'completions', format: 'plain' }

async function* chunksOf(rows: DatasetConfig['rows'] = []) {
  yield rows as never
}

/** Why gold answers cannot be scored right. */
async function refusalOf(type: string, golds: readonly string[]): Promise<string | undefined> {
  const dataset: DatasetConfig = {
    abbr: 'mine',
    rows: golds.map((answer, index) => ({ question: `Question ${index}?`, answer })),
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template: '{question}' } },
    eval_cfg: { evaluator: { type } },
  }
  const { refusal } = await examinePair(planRun([model], [dataset])[0]!, chunksOf(dataset.rows), () => 0)
  return refusal?.text
}

test('a correlation of rows of one class, and a drop of accuracy, are 0 for right answers', async () => {
  expect(await refusalOf('MccEvaluator', ['1', '1', '1'])).toBeUndefined()
  expect(await refusalOf('AccDropEvaluator', ['A', 'B', 'A', 'B'])).toBeUndefined()
})

test('gold answers that the evaluator itself scores wrong are refused', async () => {
  expect(await refusalOf('RougeEvaluator', ['?!', '…'])).toMatch(/^2 of 2 gold answers cannot be scored right/)
})
