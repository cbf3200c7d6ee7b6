import { describe, expect, test } from 'vitest'
import { compilePrompt } from '../../../../../core/src/prompt/compile/compile-prompt.ts'
import type { Row } from '../../../../../core/src/prompt/conversation/row.ts'
import { promptText } from '../../../../../core/src/prompt/format/prompt-text.ts'
import { dryRun } from '../../../cli/run/dry-run.ts'
import { nodeEnvironment } from '../../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import type { RowRecord } from '../record/run-record.ts'
import { planRun, runPairs } from '../run-pairs.ts'
import { compilePair } from './plan-requests.ts'
import { planPreview, rowPrompts } from './row-prompts.ts'

const model: ModelConfig = {
  abbr: 'm',
  type: 'openai',
  path: 'm',
  meta_template: {
    round: [
      { role: 'HUMAN', begin: '<H>', end: '\n' },
      { role: 'BOT', begin: '<B>', end: '\n', generate: true },
    ],
  },
}

const dataset = (more: Partial<DatasetConfig>, infer_mode?: 'last' | 'every' | 'every_with_gt'): DatasetConfig => ({
  abbr: 'chats',
  infer_cfg: { prompt_template: { template: '' }, inferencer: { type: 'ChatInferencer', ...(infer_mode ? { infer_mode } : {}) } },
  ...more,
})

/** A model that numbers its replies or gives scripted ones, and the requests it received. */
async function run(given: DatasetConfig, says: readonly string[] = []) {
  const prompts: string[] = []
  const records: RowRecord[] = []
  const environment = {
    ...nodeEnvironment('.'),
    openModel: async () => ({
      name: 'm',
      async generate(prompt: Parameters<typeof promptText>[0]) {
        prompts.push(promptText(prompt))
        return {
          text: says[prompts.length - 1] ?? `r${prompts.length}`,
          finish: 'stop' as const,
          tokens: { prompt: 3, reused: 0, reply: 1 },
          notes: [],
        }
      },
    }),
  }
  for await (const event of runPairs(planRun([model], [given]), environment, {})) if (event.kind === 'row') records.push(event.record)
  return { prompts, records }
}

const dialogue = [
  { role: 'user', content: 'a' },
  { role: 'assistant', content: 'A' },
  { role: 'user', content: 'b' },
  { role: 'assistant', content: 'B' },
]
const rows = [{ dialogue, topic: 'letters' }]
const reader_cfg = { input_columns: ['dialogue'] }

describe('a row that is a chat', () => {
  test('requests its last answer', async () => {
    const { prompts, records } = await run(dataset({ rows, reader_cfg }))
    expect(prompts).toEqual(['<H>a\n<B>A\n<H>b\n<B>'])
    expect(records[0]).toMatchObject({ prediction: 'r1' })
  })

  test("requests every answer, continuing from the model's replies", async () => {
    const { prompts, records } = await run(dataset({ rows, reader_cfg }, 'every'))
    expect(prompts).toEqual(['<H>a\n<B>', '<H>a\n<B>r1\n<H>b\n<B>'])
    expect(records[0]).toMatchObject({ prediction: ['r1', 'r2'], tokens: { prompt: 6, reply: 2 } })
  })

  test('requests every answer, continuing from the reference text', async () => {
    const { prompts } = await run(dataset({ rows, reader_cfg }, 'every_with_gt'))
    expect(prompts).toEqual(['<H>a\n<B>', '<H>a\n<B>A\n<H>b\n<B>'])
  })

  test('has no place for examples, which is reported', async () => {
    const given = dataset({ rows, reader_cfg, train_rows: [{ dialogue, answer: 'x' }] })
    const infer_cfg = { ...given.infer_cfg, retriever: { type: 'FixKRetriever', fix_id_list: [0] } }
    for (const infer_mode of ['last', 'every'] as const) {
      const { records } = await run({ ...given, infer_cfg: { ...infer_cfg, inferencer: { type: 'ChatInferencer', infer_mode } } })
      expect(records[0]).toMatchObject({
        examples: { used: 0, dropped: 0 },
        notes: [{ code: 'examples-unused', text: 'this chat has no place for examples: 1 example was left out' }],
      })
    }
    const plan = planPreview(compilePair(model, { ...given, infer_cfg }, { model: 'm', dataset: 'd' }), {})
    const looked = rowPrompts(plan, { row: rows[0]!, examples: [{ dialogue, answer: 'x' }] })
    expect(looked[0]).toMatchObject({ examples: { used: 0 }, rendered: { prompt: { notes: [{ code: 'examples-unused' }] } } })
  })

  test('is previewed with the expected answers, which is noted', () => {
    const notesFor = (messages: Row[]) => {
      const plan = planPreview(compilePair(model, dataset({ reader_cfg }, 'every'), { model: 'm', dataset: 'd' }), {})
      const shown = rowPrompts(plan, { row: { dialogue: messages }, examples: [] })
      return shown.map(({ rendered }) => rendered.prompt.notes.filter(({ code }) => code === 'stand-in').map(({ text }) => text))
    }
    const rest = "; a run continues from the model's reply"
    const long = [...dialogue, { role: 'user', content: 'c' }, { role: 'assistant', content: 'C' }]
    expect(notesFor(long)).toEqual([
      [],
      [`shown with the expected answer of round 1${rest}`],
      [`shown with the expected answer of rounds 1 to 2${rest}`],
    ])
    const empty = [dialogue[0]!, { role: 'assistant', content: '' }, ...dialogue.slice(2)]
    expect(notesFor(empty)).toEqual([[], [`shown without an answer in round 1, as none is written${rest}`]])
  })

  test('is found in the column "dialogue" among several', async () => {
    const { prompts } = await run(dataset({ rows, reader_cfg: { input_columns: ['topic', 'dialogue'] } }))
    expect(prompts).toEqual(['<H>a\n<B>A\n<H>b\n<B>'])
  })
})

describe('a row of lists', () => {
  const lists = [{ question: ['1+1=?', '2+2=?'], answer: ['2', '4'] }]
  const asks = { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question}' }] } } }
  const given = (infer_mode: 'last' | 'every' | 'every_with_gt') => ({
    ...dataset({ rows: lists, reader_cfg: { input_columns: ['question'], output_column: 'answer' } }),
    infer_cfg: { ...asks, inferencer: { type: 'ChatInferencer', infer_mode } },
  })

  test('is one round per entry, each but the last with its answer', async () => {
    expect((await run(given('last'))).prompts).toEqual(['<H>Q: 1+1=?\n<B>2\n<H>Q: 2+2=?\n<B>'])
    expect((await run(given('every'))).prompts).toEqual(['<H>Q: 1+1=?\n<B>', '<H>Q: 1+1=?\n<B>r1\n<H>Q: 2+2=?\n<B>'])
  })

  test('is compared as a list', async () => {
    const { records } = await run(given('every'))
    expect(records[0]).toMatchObject({ gold: ['2', '4'], prediction: ['r1', 'r2'], score: 0 })
    expect((await run(given('every'), ['2', '4'])).records[0]).toMatchObject({ score: 1 })
  })

  test('is compared with the last of its answers if only that is requested', async () => {
    expect((await run(given('last'), ['4'])).records[0]).toMatchObject({ gold: '4', prediction: '4', score: 1 })
    expect((await run(given('last'), ['2'])).records[0]).toMatchObject({ gold: '4', prediction: '2', score: 0 })
  })

  test('has its replies and its answers postprocessed one by one', async () => {
    const clean = { pred_postprocessor: 'first-capital', dataset_postprocessor: 'first-capital' }
    const letters = [{ question: ['one?', 'two?'], answer: ['it is A', 'it is B'] }]
    const { records } = await run({ ...given('every'), rows: letters, eval_cfg: clean }, ['A.', 'so B'])
    expect(records[0]).toMatchObject({ gold: ['it is A', 'it is B'], prediction: ['A.', 'so B'], score: 1 })
    expect((await run({ ...given('every'), rows: letters, eval_cfg: clean }, ['A.', 'so C'])).records[0]).toMatchObject({ score: 0 })
  })

  const render = (row: Row, more: Partial<DatasetConfig> = {}, examples: Row[] = []) =>
    compilePrompt(model, { ...given('last'), ...more }).render({ row, examples, mode: 'gen' }).prompt

  test('of different lengths is an error that names them, and so is an empty list', () => {
    expect(() => render({ question: ['a', 'b', 'c'], answer: ['x', 'y'] })).toThrow(
      'question, answer: a chat has a round for each entry of its lists, and they differ in length: question has 3, answer has 2',
    )
    expect(() => render({ question: ['a', 'b', 'c'], answer: [] })).toThrow('there is an empty one: question has 3, answer has 0')
    expect(() => render({ question: ['a'], answer: [] }, { compat: 'opencompass' })).toThrow('there is an empty one')
  })

  test('of different lengths is truncated under compat, with a note', async () => {
    const uneven = { question: ['a', 'b', 'c'], answer: ['x', 'y'] }
    const prompt = render(uneven, { compat: 'opencompass' })
    expect(promptText(prompt)).toBe('<H>Q: a\n<B>x\n<H>Q: b\n<B>')
    expect(prompt.notes).toMatchObject([{ code: 'rounds-cut', where: 'question, answer' }])
    expect((await run({ ...given('last'), rows: [uneven], compat: 'opencompass' })).records[0]).toMatchObject({ gold: 'y' })
  })

  const hinted = { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{hint}: {question}' }] } } }

  test('shows its other columns in every round, under compat only those that the reader declares', () => {
    const row = { hint: 'Add', question: ['1+1', '2+2'], answer: ['2', '4'] }
    const infer_cfg = { ...hinted, inferencer: { type: 'ChatInferencer' } }
    expect(promptText(render(row, { infer_cfg }))).toBe('<H>Add: 1+1\n<B>2\n<H>Add: 2+2\n<B>')
    const compat = render(row, { infer_cfg, compat: 'opencompass' })
    expect(promptText(compat)).toBe('<H>{hint}: 1+1\n<B>2\n<H>{hint}: 2+2\n<B>')
    expect(compat.notes).toMatchObject([{ code: 'unknown-field' }])
  })

  test('has examples before its first round, under compat none', () => {
    const infer_cfg = {
      ice_template: {
        template: {
          round: [
            { role: 'HUMAN', prompt: 'E: {question}' },
            { role: 'BOT', prompt: '{answer}' },
          ],
        },
      },
      prompt_template: { ice_token: '</E>', template: { begin: ['</E>'], round: [{ role: 'HUMAN', prompt: 'Q: {question}' }] } },
      inferencer: { type: 'ChatInferencer' },
    }
    const row = { question: ['a', 'b'], answer: ['A', 'B'] }
    const examples = [{ question: 'e', answer: 'x' }]
    expect(promptText(render(row, { infer_cfg }, examples))).toBe('<H>E: e\n<B>x\n<H>Q: a\n<B>A\n<H>Q: b\n<B>')
    const compat = render(row, { infer_cfg, compat: 'opencompass' }, examples)
    expect(promptText(compat)).toBe('<H>Q: a\n<B>A\n<H>Q: b\n<B>')
    expect(compat.notes).toMatchObject([{ code: 'examples-unused' }])
  })

  test('with questions only is sent one by one', async () => {
    const alone = { ...given('every'), rows: [{ question: ['a', 'b'] }], reader_cfg: { input_columns: ['question'] } }
    const { prompts } = await run({ ...alone, eval_cfg: { evaluator: () => 1 } } as DatasetConfig)
    expect(prompts).toEqual(['<H>Q: a\n<B>', '<H>Q: a\n<B>r1\n<H>Q: b\n<B>'])
  })
})

test('a template is a chat turn by turn, and the answer column stays hidden', () => {
  const { prompt } = compilePrompt(model, {
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: {
        template: {
          round: [
            { role: 'HUMAN', prompt: '{question} ({answer})' },
            { role: 'BOT', prompt: 'Hm.' },
            { role: 'HUMAN', prompt: 'Well?' },
            { role: 'BOT', prompt: '{answer}' },
          ],
        },
      },
      inferencer: { type: 'ChatInferencer' },
    },
  }).render({ row: { question: '1+1=?', answer: '2' }, mode: 'gen' })
  expect(promptText(prompt)).toBe('<H>1+1=? ()\n<B>Hm.\n<H>Well?\n<B>')
})

test('a dry run counts every answer of every row', async () => {
  const greedy: ModelConfig = { abbr: 'm', format: 'plain', max_out_len: 8 }
  const count = async (given: DatasetConfig, config = greedy) =>
    (await dryRun(planRun([config], [given]), nodeEnvironment('.'), '.', {}))[0]!.mostGenerated
  expect(await count(dataset({ rows, reader_cfg }))).toBe(8)
  expect(await count(dataset({ rows, reader_cfg }, 'every'))).toBe(16)
  expect(await count(dataset({ rows, reader_cfg, n: 3 }), { ...greedy, temperature: 1 })).toBe(24)
})

test('several answers for every turn are refused before anything is sent', () => {
  const given = dataset({ rows, reader_cfg, n: 2 }, 'every')
  expect(() => planRun([{ ...model, temperature: 1 }], [given])).toThrow('with infer_mode every an answer is a list already')
})

describe('the same inferencer by other names', () => {
  const template = {
    round: [
      { role: 'HUMAN', prompt: '{first}' },
      { role: 'BOT', prompt: '' },
      { role: 'HUMAN', prompt: '{second}' },
      { role: 'BOT', prompt: '' },
    ],
  }
  const asked = (inferencer: DatasetConfig['infer_cfg']['inferencer'], round = template.round) =>
    dataset({ rows: [{ first: 'a', second: 'b' }], infer_cfg: { prompt_template: { template: { round } }, inferencer } })
  const prompts = ['<H>a\n<B>', '<H>a\n<B>r1\n<H>b\n<B>']

  test("AISBench's MultiTurnGenInferencer, with its infer_mode", async () => {
    for (const type of ['MultiTurnGenInferencer', 'ais_bench.benchmark.openicl.icl_inferencer.MultiTurnGenInferencer']) {
      const { records, ...sent } = await run(asked({ type, infer_mode: 'every' }))
      expect(sent.prompts).toEqual(prompts)
      expect(records[0]).toMatchObject({ prediction: ['r1', 'r2'] })
    }
  })

  test("OpenCompass's GenInferencer with multiround: each empty answer, after its own; a written one stays", async () => {
    const { records, ...sent } = await run(asked({ type: 'GenInferencer', multiround: true }))
    expect(sent.prompts).toEqual(prompts)
    expect(records[0]).toMatchObject({ prediction: ['r1', 'r2'] })
    const written = template.round.with(1, { role: 'BOT', prompt: 'A' })
    const partly = await run(asked({ multiround: true }, written))
    expect(partly.prompts).toEqual(['<H>a\n<B>A\n<H>b\n<B>'])
    expect(partly.records[0]).toMatchObject({ prediction: ['A', 'r1'] })
    expect((await run(asked({ type: 'GenInferencer', multiround: false }))).prompts).toHaveLength(1)
  })
})
