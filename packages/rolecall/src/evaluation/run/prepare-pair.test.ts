import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { registerOpenCompass } from '../../compat/opencompass/register-opencompass.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { planRun } from './plan-run.ts'
import { preparePair } from './prepare-pair.ts'

registerOpenCompass()

const model: ModelConfig = { abbr: 'm', type: 'openai', format: 'plain' }
const sums: DatasetConfig = {
  abbr: 'sums',
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}' } },
}
const rows = [
  { question: '1+1=?', answer: '2' },
  { question: '2+2=?', answer: '4' },
]

const prepare = (dataset: object, given: readonly object[] | PromptError = rows, more: object = {}) =>
  preparePair(() => planRun([model], [{ ...sums, ...dataset } as DatasetConfig])[0]!, {
    firstRows: async () => {
      if (given instanceof PromptError) throw given
      return { asked: given as never, ...more }
    },
    hash: (text) => text,
    now: () => 0,
  })

describe('a run is prepared before the first request', () => {
  test('ready: its first prompt is rendered, and a made-up reply scored', async () => {
    expect(await prepare({})).toMatchObject({ word: 'ready', notes: [], columns: new Set(['question', 'answer']) })
  })

  test('not checked: only the data is missing', async () => {
    for (const code of ['no-file', 'no-data', 'missing-data'])
      expect(await prepare({}, new PromptError(code, { where: 'sums', problem: 'gone', fix: 'bring it' }))).toMatchObject({
        word: 'not checked',
        cause: { problem: 'gone' },
      })
  })

  test('cannot run: bad data, an unknown evaluator, a retriever without embeddings', async () => {
    const bad = new PromptError('bad-data', { where: 'sums', problem: 'no JSON', fix: 'correct it' })
    expect(await prepare({}, bad)).toMatchObject({ word: 'cannot run', cause: bad })
    const evaluator = { eval_cfg: { evaluator: { type: 'NoEvaluator' } } }
    expect(await prepare(evaluator)).toMatchObject({ word: 'cannot run', cause: { problem: expect.stringContaining('NoEvaluator') } })
    const retriever = { infer_cfg: { ...sums.infer_cfg, retriever: { type: 'TopkRetriever' } } }
    const missing = new PromptError('no-file', { where: 'sums', problem: 'gone', fix: 'bring it' })
    expect(await prepare(retriever, missing)).toMatchObject({
      word: 'cannot run',
      cause: { where: 'sums › infer_cfg.retriever.embeddings' },
    })
    const entropy = { infer_cfg: { ...sums.infer_cfg, retriever: { type: 'MDLRetriever', embeddings: 'energetic-ai' } } }
    expect(await prepare(entropy, missing)).toMatchObject({ word: 'cannot run', cause: { where: 'sums › infer_cfg.retriever.ce_model' } })
  })

  test('cannot run: every row would fail when it is scored', async () => {
    const cleaned = { eval_cfg: { evaluator: { type: 'AccEvaluator' }, dataset_postprocessor: { type: 'gsm8k_dataset' } } }
    expect(await prepare(cleaned)).toMatchObject({ word: 'cannot run', cause: { problem: 'it has no "#### "' } })
    expect(await prepare(cleaned, [...rows, { question: '3+3=?', answer: '#### 6' }])).toMatchObject({ word: 'ready' })
  })

  test('cannot run: every prompt is longer than the context of the model, as far as it is known', async () => {
    const long = { question: 'a '.repeat(2000), answer: '2' }
    const tiny: ModelConfig = { abbr: 'tiny', type: 'embedded', format: 'plain' }
    const tried = (asked: readonly object[], model: ModelConfig = tiny) =>
      preparePair(() => planRun([model], [sums])[0]!, {
        ...nodeEnvironment('.'),
        firstRows: async () => ({ asked: asked as never }),
        async *testRows() {
          yield asked as never
        },
      })
    expect(await tried([long])).toMatchObject({
      word: 'cannot run',
      cause: { where: 'tiny', problem: expect.stringMatching(/^the prompt has \d+ tokens, but the model's context is 1024$/) },
    })
    expect(await tried([long, rows[0]!])).toMatchObject({ word: 'ready' })
    expect(await tried([long], model)).toMatchObject({ word: 'ready' })
  })

  test("a user's own function is not called with made-up replies", async () => {
    let calls = 0
    const evaluator = () => {
      calls++
      return 1
    }
    expect(await prepare({ eval_cfg: { evaluator } })).toMatchObject({ word: 'ready' })
    expect(calls).toBe(0)
  })

  test('an input column that no row has and no template shows is a note', async () => {
    const columns = { reader_cfg: { input_columns: ['question', 'choices'], output_column: 'answer' } }
    expect(await prepare(columns)).toMatchObject({
      word: 'ready',
      notes: [{ code: 'unused-column', where: 'sums › reader_cfg.input_columns[1]' }],
    })
    const shown = { ...columns, infer_cfg: { prompt_template: { template: '{question} {choices}' } } }
    expect(await prepare(shown)).toMatchObject({ word: 'cannot run', cause: { code: 'no-column' } })
  })
})

test('cannot run: token ids are compared, but the model names no tokenizer', async () => {
  const inferencer = { type: 'CLPInferencer', choices: ['A', 'B'] }
  const dataset = { infer_cfg: { ...sums.infer_cfg, inferencer } }
  expect(await prepare(dataset)).toMatchObject({ word: 'cannot run', cause: { code: 'no-tokenizer' } })
})
