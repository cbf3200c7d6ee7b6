import { describe, expect, test } from 'vitest'
import type { ModelReply } from '../../model/language-model/language-model.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { answersTable } from './record/answers-table.ts'
import type { PairResult, RowAnswer, RowRecord } from './record/run-record.ts'
import { planRun, type RunOptions, runPairs } from './run-pairs.ts'

const server: ModelConfig = { abbr: 'm', type: 'openai', path: 'm' }
const choices = (more: Partial<DatasetConfig> = {}): DatasetConfig => ({
  abbr: 'choices',
  rows: [{ question: 'A, B, C or D?', answer: 'B' }],
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }, { role: 'BOT' }] } } },
  eval_cfg: { pred_postprocessor: { type: 'first_option_postprocess', options: 'ABCD', cushion: false } },
  ...more,
})

type Said = Partial<ModelReply> | string

async function run(said: Said | Said[], dataset = choices(), model: ModelConfig = server, options: RunOptions = {}) {
  const replies = [said].flat()
  const records: RowRecord[] = []
  let result: PairResult | undefined
  let asked = 0
  const generate = async (): Promise<ModelReply> => {
    const one = replies[asked++ % replies.length]!
    return {
      text: '',
      finish: 'stop',
      tokens: { prompt: 1, reused: 0, reply: 1 },
      notes: [],
      ...(typeof one === 'string' ? { text: one } : one),
    }
  }
  const environment = { ...nodeEnvironment('.'), openModel: async () => ({ name: 'fake', generate }) }
  for await (const event of runPairs(planRun([model], [dataset]), environment, options)) {
    if (event.kind === 'row') records.push(event.record)
    if (event.kind === 'end') result = event.result
  }
  return { records, record: records[0]!, result: result!, asked }
}

const thinking = '<think>I believe the answer is (C). Wait, no.</think>\n\nThe answer is (B).'

describe('the reasoning of a model', () => {
  test('is separated from its answer and never scored', async () => {
    const { record, result } = await run(thinking)
    expect(record).toMatchObject({ prediction: 'The answer is (B).', reasoning: 'I believe the answer is (C). Wait, no.', score: 1 })
    expect(record.outcome).toBeUndefined()
    expect(result).toMatchObject({ value: 100, reasoned: 1, answers: { answered: 1 } })
    expect(answersTable([result])[1]!.at(-1)).toBe('1 of 1 rows')
  })

  test('may be separated by the server', async () => {
    const { record } = await run({ text: 'The answer is (B).', reasoning: 'C? No.' })
    expect(record).toMatchObject({ prediction: 'The answer is (B).', reasoning: 'C? No.', score: 1 })
  })

  test('may begin in the prompt', async () => {
    const template =
      '{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}{% if add_generation_prompt %}[assistant]<think>\n{% endif %}'
    const model = { ...server, type: 'openai-completions', chat_template: template } as ModelConfig
    const { record } = await run('The answer is C? No.\n</think>\n\nThe answer is (B).', choices(), model)
    expect(record).toMatchObject({ prediction: 'The answer is (B).', reasoning: 'The answer is C? No.', score: 1 })
    const cut = await run({ text: 'The answer is (B)? Let me see', finish: 'length' }, choices(), model)
    expect(cut.record).toMatchObject({ prediction: '', reasoning: 'The answer is (B)? Let me see', score: 0, outcome: 'cut' })
  })

  test('follows `reply_syntax`', async () => {
    const { record } = await run('[THINK]The answer is C?[/THINK]The answer is (B).', choices(), { ...server, reply_syntax: 'mistral' })
    expect(record).toMatchObject({ prediction: 'The answer is (B).', reasoning: 'The answer is C?', score: 1 })
  })

  test('is not an answer if the reply was cut inside it', async () => {
    const { record, result } = await run({ text: '<think>I believe the answer is B', finish: 'length' })
    expect(record).toMatchObject({ prediction: '', reasoning: 'I believe the answer is B', score: 0, outcome: 'cut' })
    expect(result.answers).toMatchObject({ answered: 0, cut: 1 })
  })

  test('is separated in each of several answers', async () => {
    const { record, result } = await run([thinking, 'The answer is (B).'], choices({ n: 2 }), { ...server, temperature: 1 })
    expect(record).toMatchObject({
      prediction: ['The answer is (B).', 'The answer is (B).'],
      reasoning: ['I believe the answer is (C). Wait, no.', ''],
      score: 1,
    })
    expect(result).toMatchObject({ reasoned: 1, answers: { answered: 2 } })
  })

  test('is scored as OpenCompass scores it with `compat`', async () => {
    const { record } = await run(thinking, choices({ compat: 'opencompass' }))
    expect(record).toMatchObject({ prediction: thinking, score: 0 })
    const told = await run({ text: 'The answer is (B).', reasoning: 'The answer is C?' }, choices({ compat: 'opencompass' }))
    expect(told.record).toMatchObject({ prediction: 'The answer is C?</think>The answer is (B).', score: 0 })
    const configured = { ...server, pred_postprocessor: { type: 'extract_non_reasoning_content' } } as ModelConfig
    expect((await run(thinking, choices({ compat: 'opencompass' }), configured)).record).toMatchObject({ prediction: thinking, score: 1 })
  })

  test('is separated once in answers that an earlier version stored whole', async () => {
    const fresh = await run(thinking)
    const earlier: RowRecord = { ...fresh.record, prediction: thinking, reasoning: undefined, score: 0 }
    const stored = (record: RowRecord): RunOptions => ({ storeFor: () => ({ find: () => record, add() {} }) })
    const again = await run('not asked', choices(), server, stored(earlier))
    expect(again).toMatchObject({ asked: 0, record: { prediction: 'The answer is (B).', score: 1 } })
    const written = { ...fresh.record, prediction: 'The answer is (B). </think> is a mark.' }
    expect((await run('not asked', choices(), server, stored(written))).record.prediction).toBe(written.prediction)
  })

  test('stays in the cache as the model wrote it', async () => {
    const kept: RowAnswer[] = []
    const cacheFor = () => ({ find: () => undefined, add: (_: string, answer: RowAnswer) => void kept.push(answer) })
    await run(thinking, choices(), server, { cacheFor })
    expect(kept[0]!.prediction).toBe(thinking)
  })

  test('does not change answers without reasoning', async () => {
    const { record } = await run(' The answer is (B). \n')
    expect(record.prediction).toBe(' The answer is (B). \n')
    expect(record.reasoning).toBeUndefined()
  })

  test("is not part of a judge's verdict", async () => {
    const judge = { abbr: 'judge', type: 'openai', path: 'j' }
    const dataset = choices({
      eval_cfg: { evaluator: { type: 'GenericLLMEvaluator', judge_cfg: judge, prompt_template: { template: '{prediction}' } } },
    })
    const { record } = await run(['The answer is (B).', '<think>Is it B, wrong?</think>\n\nA'], dataset)
    expect(record).toMatchObject({ score: 1, details: { judge_said: 'A', judge_reasoning: 'Is it B, wrong?' } })
  })
})

describe('unreadable answers are counted', () => {
  const cases: [name: string, said: Said, outcome: string | undefined][] = [
    ['read', 'The answer is (B).', undefined],
    ['without an option', 'Maybe the second one.', 'not-found'],
    ['cut before it says', { text: 'Let me think about', finish: 'length' }, 'cut'],
    ['cut after it says', { text: 'The answer is (B). Let me explain', finish: 'length' }, undefined],
    ['refused', 'As an AI language model, I cannot help with that.', 'refused'],
    ['refused in Chinese', '抱歉，我无法回答这个问题。', 'refused'],
    ['refused in a separate field', { text: 'No.', notes: [{ code: 'refusal', text: '' }] }, 'refused'],
    ['empty', ' \n', 'empty'],
    ['thought, and then nothing', '<think>Hm.</think>', 'cut'],
  ]
  test.each(cases)('%s', async (_, said, outcome) => {
    const { record } = await run(said)
    expect(record.outcome).toBe(outcome)
  })

  test('per dataset', async () => {
    const rows = cases.map(([name]) => ({ question: name, answer: 'B' }))
    const { result } = await run(
      cases.map(([, said]) => said),
      choices({ rows }),
    )
    expect(result.answers).toEqual({ answered: 2, notFound: 1, cut: 2, refused: 3, empty: 1, notDecided: 0, failed: 0 })
    expect(answersTable([result])[1]!.slice(1)).toEqual(['2', '1', '2', '3', '1', '–', '–', '–', '1 of 9 rows'])
  })
})

test('the model’s postprocessors run before the dataset’s', async () => {
  const model = { ...server, pred_postprocessor: [{ type: 'regex', pattern: '<final>(.*)</final>' }] } as ModelConfig
  const { record } = await run('The answer is (C). <final>The answer is (B).</final>', choices(), model)
  expect(record.score).toBe(1)
  const wrong = { ...server, pred_postprocessor: ['general', 'genral'] } as ModelConfig
  expect(() => planRun([wrong], [choices()])).toThrow(/m › pred_postprocessor\[1\]: "genral" is not available/)
})

test('the text of an option is read as its letter, since the postprocessor sees the row', async () => {
  const reads = (n?: number) =>
    choices({
      rows: [{ question: 'Which vitamin?', A: 'Vitamin C', B: 'Vitamin A', answer: 'B' }],
      eval_cfg: { pred_postprocessor: { type: 'choice_answer', options: 'AB', choices: ['A', 'B'] } },
      ...(n ? { n } : {}),
    })
  expect((await run('The answer is vitamin A.', reads())).record).toMatchObject({ score: 1, details: { pred: 'B' } })
  const sampled = await run(['Vitamin A', 'Vitamin C'], reads(2), { ...server, temperature: 1 })
  expect(sampled.record).toMatchObject({ score: 0.5, details: { samples: [{ pred: 'B' }, { pred: 'A' }] } })
})
