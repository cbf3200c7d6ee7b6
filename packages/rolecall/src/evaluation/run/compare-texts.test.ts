import { expect, test } from 'vitest'
import { compactJson } from '../../../../core/src/base/python/index.ts'
import { registerOpenCompass } from '../../compat/opencompass/register-opencompass.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { compareTexts } from './compare-texts.ts'
import { planRun, runPairs } from './run-pairs.ts'

const environment = { hash: (text: string) => text.padEnd(32).slice(0, 32) }
/** Each word of an answer is compared with the gold answer. */
const embeds = {
  source: 'energetic-ai',
  pairs: (answer: string, reference: unknown) => answer.split(' ').map((word): [string, string] => [word, String(reference)]),
} as const

test('each text is embedded once; earlier similarities are reused', async () => {
  const embedded: string[] = []
  const embed = async (texts: readonly string[]) => {
    embedded.push(...texts)
    return texts.map((text) => (text === 'tea' ? [1, 0] : text === 'nothing' ? [0, 0] : [3, 4]))
  }
  const context = { embeds, embed, environment }
  const answer = { row: {}, prediction: ['tea milk', 'nothing tea'], reference: 'tea' }
  const { said, key } = await compareTexts(context, answer, undefined)
  expect(JSON.parse(compactJson(said!))).toEqual([
    [1, 0.6],
    [0, 1],
  ])
  expect(embedded).toEqual(['tea', 'milk', 'nothing'])
  expect(await compareTexts(context, answer, { details: { judge_key: key, judge_said: said } } as never)).toEqual({ said, key })
  expect(embedded).toHaveLength(3)
})

test('a run that cannot compute embeddings is refused, and scores nothing', async () => {
  registerOpenCompass()
  const model: ModelConfig = { abbr: 'm', type: 'openai', path: 'm', endpoint: 'completions', format: 'plain' }
  const dataset = {
    abbr: 'plans',
    reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: { prompt_template: { template: '{q}' } },
    eval_cfg: { evaluator: { type: 'TEvalEvaluator', subset: 'plan', embeddings: 'energetic-ai' } },
  } as DatasetConfig
  const running = runPairs(planRun([model], [dataset]), {
    hash: environment.hash,
    now: () => 0,
    openModel: () => Promise.reject(new Error('no model is opened')),
    openRows: async () => ({
      rows: (async function* () {
        yield [{ q: 'q', a: '{"ground_truth": []}' }]
      })(),
      total: 1,
      skipped: () => ({ count: 0, notes: [] }),
      examplesFor: () => [],
    }),
  })
  const ended = async () => {
    for await (const event of running) expect(event.kind).not.toBe('row')
  }
  await expect(ended()).rejects.toMatchObject({ code: 'no-embedder', where: 'plans › eval_cfg.evaluator' })
})
