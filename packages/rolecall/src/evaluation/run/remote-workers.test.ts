import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { pairAskers } from './ask-pair.ts'
import type { RowRecord } from './record/run-record.ts'
import { planRun, type RunEnvironment, type RunOptions, runPairs } from './run-pairs.ts'

const models: ModelConfig[] = ['one', 'two'].map((abbr) => ({ abbr, type: 'mine' }))
const sums: DatasetConfig = {
  abbr: 'sums',
  rows: Array.from({ length: 9 }, (_, id) => ({ question: `${id}+1=?`, answer: `${id + 1}` })),
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { type: 'GenInferencer', max_out_len: 4 } },
}
const adder: LanguageModel = {
  name: 'adder',
  concurrency: 3,
  async generate(prompt) {
    const [first, second] = promptText(prompt).split(/[+=]/).map(Number)
    if (first === 4) throw new PromptError('request-failed', { where: 'adder', problem: 'it knows no 4', fix: 'ask another' })
    return { text: String(first! + second!), finish: 'stop', tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
  },
}
const environment: RunEnvironment = { ...nodeEnvironment('.'), openModel: async () => adder }

async function run(options: RunOptions = {}) {
  const records: (RowRecord & { model: string })[] = []
  for await (const event of runPairs(planRun(models, [sums]), environment, options)) {
    if (event.kind === 'row') records.push({ ...event.record, milliseconds: 0, model: event.pair.name.model })
  }
  return records.sort((one, other) => (one.model < other.model ? -1 : one.model > other.model ? 1 : one.id - other.id))
}

/** Like real workers, with rows and answers serialized as JSON. */
function elsewhere(settings: Partial<ModelConfig> = {}): RunOptions['remote'] & { under: number; most: number } {
  const pairs = planRun(
    models.map((model) => ({ ...model, ...settings })),
    [sums],
  )
  const askers = pairAskers(pairs, environment, {})
  const over = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value
  return {
    under: 0,
    most: 0,
    async ask({ name }, task) {
      this.most = Math.max(this.most, ++this.under)
      try {
        return over(await askers[pairs.findIndex((pair) => pair.name.model === name.model)]!.ask(over(task)))
      } finally {
        this.under--
      }
    },
    room: () => 2,
    onRoom: () => {},
    begin: () => {},
    read: () => {},
  }
}

test('a worker reports the tokens of replies before a failure', async () => {
  const model: LanguageModel = {
    ...adder,
    async generate(prompt, { sampling }) {
      replies++
      if (replies === 3) throw new PromptError('request-failed', { where: 'adder', problem: 'no', fix: 'no' })
      return adder.generate(prompt, { maxTokens: 4, sampling })
    },
  }
  let replies = 0
  const [pair] = planRun([{ abbr: 'one', type: 'mine', temperature: 1, seed: 1 }], [{ ...sums, n: 5 }])
  const [asker] = pairAskers([pair!], { ...environment, openModel: async () => model }, {})
  let failure: unknown
  const seen: number[] = []
  const remote: RunOptions['remote'] = {
    ask: (_, task) =>
      asker!
        .ask(task, ({ prompt }) => void seen.push(prompt))
        .catch((error: unknown) => {
          failure ??= error
          throw error
        }),
    room: () => 1,
    onRoom: () => {},
    begin: () => {},
    read: () => {},
  }
  for await (const _ of runPairs([pair!], environment, { remote, limit: 1 }));
  expect(failure).toMatchObject({ code: 'request-failed' })
  expect(seen).toEqual([3, 3])
})

describe('rows sent by remote workers', () => {
  test('have the same records as local ones, including errors', async () => {
    const records = await run({ remote: elsewhere() })
    expect(records).toHaveLength(18)
    expect(records.filter(({ error }) => error?.includes('it knows no 4'))).toHaveLength(2)
    expect(records).toEqual(await run())
  })

  test('run for all models concurrently, up to the available slots', async () => {
    const there = elsewhere()
    await run({ remote: there })
    expect(there.most).toBe(4)
  })

  test("are refused, and end the run, if the worker's model differs", async () => {
    await expect(run({ remote: elsewhere({ path: 'another' }) })).rejects.toMatchObject({
      code: 'other-key',
      problem: expect.stringContaining('the model or its settings'),
    })
  })
})
