import { describe, expect, test } from 'vitest'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import type { GenerateOptions } from '../../model/language-model/language-model.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { RowAnswer, RowRecord } from './record/run-record.ts'
import { planRun, type RunOptions, runPairs } from './run-pairs.ts'

const sampled: ModelConfig = { abbr: 'm', type: 'openai', path: 'm', temperature: 0.7, seed: 5, format: 'plain' }
const dataset = (more: Partial<DatasetConfig> = {}): DatasetConfig => ({
  abbr: 'sums',
  rows: ['1+1=?', '2+2=?', '1+1=?', '3+3=?'].map((question) => ({ question })),
  reader_cfg: { input_columns: ['question'] },
  infer_cfg: { prompt_template: { template: '{question}' } },
  ...more,
})

/** Runs, and returns the seeds sent for each prompt, in request order. */
async function run(model: ModelConfig, given = dataset(), options: RunOptions = {}) {
  const seeds: (number | undefined)[] = []
  const records: RowRecord[] = []
  const environment = {
    ...nodeEnvironment('.'),
    openModel: async () => ({
      name: 'm',
      generate: async (prompt: Parameters<typeof promptText>[0], { sampling }: GenerateOptions) => {
        seeds.push(sampling?.seed)
        const text = `${promptText(prompt)} ${sampling?.seed}`
        return { text, finish: 'stop' as const, tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
      },
    }),
  }
  for await (const event of runPairs(planRun([model], [given]), environment, options)) if (event.kind === 'row') records.push(event.record)
  return { seeds, records: records.sort((one, other) => one.id - other.id) }
}

describe('sampled answers', () => {
  test('have a seed for each row and sample, even if rows have the same prompt', async () => {
    const { seeds } = await run(sampled)
    expect(new Set(seeds).size).toBe(4)
    const several = await run(sampled, dataset({ n: 3, k: 1 }))
    expect(new Set(several.seeds).size).toBe(12)
    expect(seeds.every((seed) => Number.isInteger(seed) && seed! < 2 ** 31)).toBe(true)
  })

  test('do not depend on the order, the shard or the concurrency', async () => {
    const whole = (await run(sampled)).records.map(({ prediction }) => prediction)
    const parts = await Promise.all([0, 1].map((index) => run(sampled, dataset(), { shard: { index, count: 2 }, workers: 3 })))
    const joined = parts.flatMap(({ records }) => records).sort((one, other) => one.id - other.id)
    expect(joined.map(({ prediction }) => prediction)).toEqual(whole)
  })

  test('differ with the seed and with the dataset', async () => {
    const { seeds } = await run(sampled)
    for (const other of [await run({ ...sampled, seed: 6 }), await run(sampled, dataset({ abbr: 'others' }))]) {
      expect(seeds.filter((seed) => other.seeds.includes(seed))).toEqual([])
    }
  })

  test('are requested without a seed if none was chosen, and each row is sent separately', async () => {
    const { seed: _, ...unseeded } = sampled
    expect((await run(unseeded)).seeds).toEqual([undefined, undefined, undefined, undefined])
  })

  test('are cached between runs by row, and old ones, which shared a seed, are not used', async () => {
    const kept = new Map<string, RowAnswer>()
    const cacheFor = () => ({ find: (key: string) => kept.get(key), add: (key: string, answer: RowAnswer) => void kept.set(key, answer) })
    const first = await run(sampled, dataset(), { cacheFor })
    expect(kept.size).toBe(4)
    const again = await run(sampled, dataset(), { cacheFor })
    expect(again.seeds).toEqual([])
    expect(again.records.map(({ prediction }) => prediction)).toEqual(first.records.map(({ prediction }) => prediction))
    const greedy = await run({ ...sampled, temperature: 0 })
    // The first half of the key, the question, is the same; the second contains the seed.
    expect(first.records.map(({ key }) => key.slice(0, 32))).toEqual(greedy.records.map(({ key }) => key.slice(0, 32)))
    expect(first.records[0]!.key.slice(32)).not.toBe(first.records[2]!.key.slice(32))
    expect(greedy.records[0]!.key).toBe(greedy.records[2]!.key)
  })

  test('of the embedded model differ from greedy ones with the default seed', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({ question: `${index}+${index * 3}=?` }))
    const given = dataset({ rows })
    const model: ModelConfig = { abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 6 }
    const answers = async (more: ModelConfig) => {
      const records: RowRecord[] = []
      for await (const event of runPairs(planRun([{ ...model, ...more }], [given]), nodeEnvironment('.')))
        if (event.kind === 'row') records.push(event.record)
      return records.sort((one, other) => one.id - other.id).map(({ prediction }) => prediction)
    }
    const [likeliest, drawn, again] = [await answers({}), await answers({ temperature: 3 }), await answers({ temperature: 3 })]
    expect(drawn).toEqual(again)
    expect(drawn.filter((answer, index) => answer === likeliest[index]).length).toBeLessThan(6)
  })
})
