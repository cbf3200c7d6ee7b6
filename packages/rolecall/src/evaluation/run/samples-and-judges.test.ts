import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { registerOpenCompass } from '../../compat/opencompass/register-opencompass.ts'
import { replySeed, rowSeeds } from '../../model/language-model/draw-seed.ts'
import type { GenerateOptions } from '../../model/language-model/language-model.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { verdictsTable } from './record/judge-verdicts.ts'
import type { PairResult, RowAnswer, RowRecord } from './record/run-record.ts'
import { planRun, type RunOptions, runPairs } from './run-pairs.ts'

registerOpenCompass()

const model: ModelConfig = { abbr: 'm', type: 'openai', path: 'm', temperature: 0.7, format: 'plain' }
const sums = (more: Partial<DatasetConfig> = {}): DatasetConfig => ({
  abbr: 'sums',
  rows: [
    { question: '1+1=?', answer: '2' },
    { question: '2+2=?', answer: '4' },
  ],
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}' } },
  ...more,
})

type Reply = (prompt: string, options: GenerateOptions, who: string) => string

async function run(dataset: DatasetConfig, reply: Reply, options: RunOptions = {}, asked: ModelConfig = model, more: object = {}) {
  const records: RowRecord[] = []
  const results: PairResult[] = []
  const prompts: string[] = []
  const environment = {
    ...nodeEnvironment('.'),
    openModel: async (config: ModelConfig) => ({
      name: config.abbr ?? '',
      generate: async (prompt: Parameters<typeof promptText>[0], options: GenerateOptions) => {
        prompts.push(promptText(prompt))
        const text = reply(promptText(prompt), options, config.abbr ?? '')
        return { text, finish: 'stop' as const, tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
      },
    }),
    ...more,
  }
  for await (const event of runPairs(planRun([asked], [dataset]), environment, options)) {
    if (event.kind === 'row') records.push(event.record)
    if (event.kind === 'end') results.push(event.result)
  }
  return { records: records.sort((a, b) => a.id - b.id), result: results[0]!, prompts }
}

describe('several answers for each row', () => {
  // The first and third seeds are right for the first row, none for the second.
  const seedOf = rowSeeds(0, 'sums')
  const right = [0, 2].map((sample) => replySeed(seedOf(0), sample))
  const reply: Reply = (prompt, { sampling }) => (prompt === '1+1=?' && right.includes(sampling!.seed!) ? ' 2 ' : '7')
  const dataset = sums({
    n: 4,
    k: [1, 2, 4],
    eval_cfg: { pred_postprocessor: { type: 'first_number_postprocess' }, evaluator: { type: 'Gsm8kEvaluator' } },
  })

  test('have separate seeds and are all recorded', async () => {
    const { records, prompts } = await run(sums({ n: 4, k: [1, 2, 4] }), (prompt, options) => reply(prompt, options, '').trim())
    expect(prompts).toHaveLength(8)
    expect(records[0]).toMatchObject({ prediction: ['2', '7', '2', '7'], score: 0.5, tokens: { prompt: 12, reply: 4 } })
    expect(records[0]!.details!.samples).toHaveLength(4)
    expect(records[1]).toMatchObject({ prediction: ['7', '7', '7', '7'], score: 0 })
  })

  test('are scored by their mean, pass@k and G-Pass@k', async () => {
    const { result } = await run(dataset, reply)
    expect(result).toMatchObject({ metric: 'accuracy (4 runs average)', value: 25 })
    expect(result.figures!['pass@1']).toBeCloseTo(25, 6)
    // Two draws from four answers, two of them right: at least one is right with probability 5/6.
    expect(result.figures!['pass@2']).toBeCloseTo((100 * 5) / 12, 6)
    expect(result.figures!['pass@4']).toBeCloseTo(50, 6)
    expect(result.figures!['G-Pass@2_1.0']).toBeCloseTo(100 / 12, 6)
    expect(result.interval).toBeDefined()
  })

  test('vote with the answer that was read, except those without one', async () => {
    const says = ['4', 'I think: #### 4', 'no idea', 'no idea', 'no idea']
    const sample = (row: number, { sampling }: GenerateOptions) => says.findIndex((_, at) => replySeed(seedOf(row), at) === sampling!.seed)
    const { records, result } = await run(
      sums({
        n: 5,
        k: [1, 5],
        eval_cfg: { pred_postprocessor: { type: 'final_number' }, evaluator: { type: 'Gsm8kEvaluator' } },
      }),
      (prompt, options) => (prompt === '1+1=?' ? '3' : says[sample(1, options)]!),
    )
    expect(records[1]!.outcome).toEqual(['answered', 'answered', 'not-found', 'not-found', 'not-found'])
    expect(records[1]!.details).toMatchObject({ majority: { answers: ['4'], votes: 2, score: 1 } })
    expect(result.beside!.map(({ metric, value }) => [metric, Math.round(value)])).toEqual([
      ['pass@1', 20],
      ['pass@5', 50],
      ['majority@5', 50],
    ])
  })

  test("vote with the model's answer, not the judge's reply", async () => {
    const says = ['two', 'two', 'deux', 'zwei']
    const sample = ({ sampling }: GenerateOptions) => says.findIndex((_, at) => replySeed(seedOf(0), at) === sampling!.seed)
    const { records, result } = await run(
      sums({
        rows: [{ question: '1+1=?', answer: '2' }],
        n: 4,
        k: [4],
        eval_cfg: {
          evaluator: {
            type: 'GenericLLMEvaluator',
            prompt_template: { template: 'Is {prediction} right? A or B?' },
            judge_cfg: { abbr: 'judge', type: 'openai', path: 'judge', format: 'plain' },
          },
        },
      }),
      (prompt, options, who) => (who === 'judge' ? (prompt.includes('two') ? 'A' : 'B') : says[sample(options)]!),
    )
    // In the judge's replies, A and B have two votes each.
    expect(records[0]!.details).toMatchObject({ majority: { answers: ['two'], votes: 2, score: 1 } })
    expect(result.figures!['majority@4']).toBe(100)
  })

  test('do not vote if they are programs, which are never equal', () => {
    const { evaluator } = planRun([model], [sums({ n: 4, eval_cfg: { evaluator: { type: 'HumanEvalEvaluator' } } })])[0]!
    expect(evaluator.beside!.map(({ metric }) => metric)).toEqual(['pass@1', 'pass@4'])
  })

  test('need a temperature', () => {
    const greedy = { abbr: 'tiny', type: 'embedded', format: 'internlm2' }
    expect(() => planRun([greedy], [sums({ n: 2 })])).toThrow(
      'sums › n: n asks for 2 answers per row, but tiny always takes the likeliest token',
    )
    expect(planRun([{ ...greedy, temperature: 1 }], [sums({ n: 2 })])).toHaveLength(1)
  })
})

describe('a judge model', () => {
  const judged = (more: object = {}) =>
    sums({
      eval_cfg: {
        evaluator: {
          type: 'GenericLLMEvaluator',
          prompt_template: {
            template: { round: [{ role: 'HUMAN', prompt: 'Is {prediction} right for {question}? It is {answer}. A or B?' }] },
          },
          judge_cfg: { abbr: 'judge', type: 'openai', path: 'judge', format: 'plain' },
          ...more,
        },
      },
    })
  const reply: Reply = (prompt, _, who) => {
    if (who !== 'judge') return prompt === '1+1=?' ? 'two' : 'five'
    return prompt.includes('Is two right') ? 'It is A.' : 'B'
  }

  test('receives the answer and the row, and its reply is in the details', async () => {
    const { records, result, prompts } = await run(judged(), reply)
    expect(prompts).toContain('Is two right for 1+1=?? It is 2. A or B?')
    expect(records[0]).toMatchObject({
      prediction: 'two',
      score: 1,
      details: { pred: 'two', answer: '2', judge: 'It is A.', grade: 'A', correct: true },
    })
    expect(records[1]).toMatchObject({ score: 0, details: { grade: 'B' } })
    expect(result).toMatchObject({ metric: 'accuracy', value: 50, figures: { accuracy: 50, attempted_ratio: 100, correct_count: 1 } })
  })

  test('is read from the end of its reply; an undecided verdict is not wrong', async () => {
    const says = (first: string, second: string): Reply => {
      return (prompt, options, who) => (who === 'judge' ? (prompt.includes('Is two') ? first : second) : reply(prompt, options, who))
    }
    const reasoned = 'B is what I would say of "three". But two is right.\n\nVerdict: A'
    const { records, result } = await run(judged(), says(reasoned, 'I cannot tell whether it is A or B.'))
    expect(records[0]).toMatchObject({ score: 1, details: { grade: 'A' } })
    expect(records[1]).toMatchObject({ outcome: 'not-decided', details: { grade: 'unknown' } })
    expect(records[1]!.score).toBeUndefined()
    expect(result).toMatchObject({
      value: 100,
      answers: { answered: 1, notDecided: 1 },
      figures: { accuracy_given_attempted: 100, attempted_ratio: 50, not_attempted_count: 1 },
      verdicts: { right: 1, unreadable: 1 },
    })
    expect(verdictsTable([result])).toEqual([
      ['judges', 'right', 'unreadable'],
      ['m · sums', '1', '1'],
    ])
    const { result: none } = await run(judged(), says('?', '?'))
    expect(none.value).toBeUndefined()
    expect(none.notes[0]!.text).toContain('there is no accuracy; the judge: it gave no verdict on any answer')
    const { records: there, result: as } = await run({ ...judged(), compat: 'opencompass' }, says(reasoned, 'cannot tell'))
    expect([there[0]!.score, there[1]!.score, as.value]).toEqual([0, 0, 0])
    // The reference counts it as wrong; the table still says that it could not be read.
    expect(as.verdicts).toEqual({ wrong: 1, unreadable: 1 })
  })

  test('has its replies read by its own postprocessor before its verdict is', async () => {
    const dataset = judged()
    const { evaluator } = dataset.eval_cfg as { evaluator: { judge_cfg: object } }
    const judge_cfg = { ...evaluator.judge_cfg, pred_postprocessor: { type: 'first_option_postprocess', options: 'AB' } }
    const says: Reply = (prompt, options, who) => (who === 'judge' ? 'The answer is A. B is not.' : reply(prompt, options, who))
    const { records } = await run({ ...dataset, eval_cfg: { evaluator: { ...evaluator, judge_cfg } } } as DatasetConfig, says)
    expect(records[0]).toMatchObject({ score: 1, details: { judge: 'A', judge_said: 'The answer is A. B is not.' } })
    const wrong = { ...judge_cfg, pred_postprocessor: 'no such reader' }
    await expect(run({ ...dataset, eval_cfg: { evaluator: { ...evaluator, judge_cfg: wrong } } } as DatasetConfig, says)).rejects.toThrow(
      'sums › eval_cfg.evaluator.judge_cfg.pred_postprocessor',
    )
  })

  test('has its reasoning separated from its verdict; with `compat` it is read with it, as in OpenCompass', async () => {
    const thinks: Reply = (prompt, options, who) => (who === 'judge' ? '<think>B?</think>A' : reply(prompt, options, who))
    const { records } = await run(judged(), thinks)
    expect(records[0]).toMatchObject({ score: 1, details: { judge: 'A', judge_reasoning: 'B?' } })
    const { records: there } = await run({ ...judged(), compat: 'opencompass' }, thinks)
    expect(there[0]).toMatchObject({ score: 0, details: { judge: '<think>B?</think>A', grade: 'B' } })
  })

  test('that follows a rule is asked about the answers that the rule rejects, also among several of a row', async () => {
    const dataset = sums({
      n: 2,
      eval_cfg: {
        evaluator: {
          type: 'CascadeEvaluator',
          parallel: false,
          rule_evaluator: { type: 'AccEvaluator' },
          llm_evaluator: judged().eval_cfg!.evaluator as never,
        },
      },
    })
    const asked: string[] = []
    let answers = 0
    const says: Reply = (prompt, _, who) => {
      if (who !== 'judge') return prompt === '2+2=?' ? '4' : answers++ === 0 ? 'two' : '2'
      asked.push(prompt)
      return ''
    }
    const { records, result } = await run(dataset, says)
    expect(asked).toEqual(['Is two right for 1+1=?? It is 2. A or B?'])
    // An empty reply is a reply: the judge was asked about this answer, and about no other.
    expect(records.map(({ details }) => details!.judge_said)).toEqual([
      ['', null],
      [null, null],
    ])
    expect(result.figures!['llm_evaluated (2 runs average)']).toBe(0.5)
    expect(result.verdicts).toEqual({ unreadable: 1, not_asked: 3 })
    const before = new Map(records.map((record) => [record.id, record]))
    const storeFor = () => ({ find: (id: number) => before.get(id), add: () => {} })
    const again = await run(dataset, says, { storeFor })
    expect([asked.length, again.records.map(({ details }) => details!.judge_said)]).toEqual([
      1,
      [
        ['', null],
        [null, null],
      ],
    ])
  })

  test("receives the right answer under OpenCompass's names, postprocessed, unless the row has a column with that name", async () => {
    const dataset = judged({ prompt_template: { template: 'gold={obj_gold} ref={reference} pred={prediction} A' } })
    const cleaned = { ...dataset, eval_cfg: { ...dataset.eval_cfg, dataset_postprocessor: { type: 'gsm8k_dataset' } } }
    const rows = [
      { question: '1+1=?', answer: 'One and one.\n#### 2' },
      { question: '2+2=?', answer: '#### 4', reference: 'four' },
    ]
    const { prompts } = await run({ ...cleaned, rows }, reply)
    expect(prompts).toContain('gold=2 ref=2 pred=two A')
    expect(prompts).toContain('gold=4 ref=four pred=five A')
  })

  test('is not queried about a row whose right answer cannot be read', async () => {
    const dataset = judged()
    const cleaned = { ...dataset, eval_cfg: { ...dataset.eval_cfg, dataset_postprocessor: { type: 'gsm8k_dataset' } } }
    await expect(run(cleaned, reply)).rejects.toThrow('the gold answer: it has no "#### ". Use this for rows of GSM8K.')
    const rows = [...dataset.rows!, { question: '1+2=?', answer: '#### 3' }]
    const { records, result } = await run({ ...cleaned, rows }, reply)
    expect(records[0]).toMatchObject({ prediction: 'two', error: 'the gold answer: it has no "#### ". Use this for rows of GSM8K.' })
    expect(result).toMatchObject({ failed: 2 })
  })

  test('is not queried with a field that silently stays unfilled', async () => {
    const stored = new Map<number, RowRecord>()
    const storeFor = () => ({
      find: (id: number, key: string) => (stored.get(id)?.key === key ? stored.get(id) : undefined),
      add: (record: RowRecord) => void stored.set(record.id, record),
    })
    await expect(run(judged({ prompt_template: { template: '{predicton}' } }), reply, { storeFor })).rejects.toThrow(
      'sums › eval_cfg.evaluator.prompt_template.template: no row has a column "predicton" (they have: question, answer). Did you mean {prediction}?',
    )
    const misspelt = judged({ prompt_template: { template: '{prediction} \\boxed{LETTER}' } })
    const text = 'the judge\'s prompt: the row has no field "LETTER", so {LETTER} stays as it is'
    const first = await run(misspelt, reply, { storeFor })
    expect(first.result.notes).toEqual([{ code: 'judge-unknown-field', text, rows: 2 }])
    expect((await run(misspelt, reply, { storeFor })).result.notes).toEqual(first.result.notes)
    expect((await run(judged(), reply, { storeFor })).result.notes).toEqual([])
  })

  test('is not queried again for a recorded or cached reply', async () => {
    const stored = new Map<number, RowRecord>()
    const storeFor = () => ({
      find: (id: number, key: string) => (stored.get(id)?.key === key ? stored.get(id) : undefined),
      add: (record: RowRecord) => void stored.set(record.id, record),
    })
    expect((await run(judged(), reply, { storeFor })).prompts).toHaveLength(4)
    const again = await run(judged(), reply, { storeFor })
    expect(again.prompts).toEqual([])
    expect(again.result.value).toBe(50)
    const other = judged({ prompt_template: { template: 'Right, {prediction}?' } })
    expect((await run(other, reply, { storeFor })).prompts).toEqual(['Right, two?', 'Right, five?'])

    const caches = new Map<string, RowAnswer>()
    const cacheFor = (settings: string) => ({
      find: (question: string) => caches.get(settings + question),
      add: (question: string, answer: RowAnswer) => void caches.set(settings + question, answer),
    })
    const asked = { ...model, temperature: 0 }
    expect((await run(judged(), reply, { cacheFor }, asked)).prompts).toHaveLength(4)
    expect((await run(judged(), reply, { cacheFor }, asked)).prompts).toEqual([])
  })

  test('runs after the answer is recorded, so that a killed run sends no request twice', async () => {
    const stored = new Map<number, RowRecord>()
    const storeFor = () => ({
      find: (id: number, key: string) => (stored.get(id)?.key === key ? stored.get(id) : undefined),
      add: (record: RowRecord) => void stored.set(record.id, record),
    })
    const killed: Reply = (prompt, options, who) => {
      if (who === 'judge') throw new Error('killed')
      return reply(prompt, options, who)
    }
    await expect(run(judged(), killed, { storeFor })).rejects.toThrow('killed')
    expect(stored.get(0)).toMatchObject({ prediction: 'two', score: undefined, error: undefined })
    stored.delete(1)
    const { prompts, result } = await run(judged(), reply, { storeFor })
    expect(prompts.filter((prompt) => prompt === '1+1=?')).toEqual([])
    expect(prompts.filter((prompt) => prompt.startsWith('Is '))).toHaveLength(2)
    expect(result.value).toBe(50)
  })

  test('that fails leaves the answer without a score', async () => {
    const { records, result } = await run(judged(), (prompt, options, who) => {
      if (who !== 'judge') return reply(prompt, options, who)
      throw new PromptError('bad-reply', { where: 'judge', problem: 'it said nothing', fix: 'ask again' })
    })
    expect(records[0]).toMatchObject({ prediction: 'two', error: 'the judge: judge: it said nothing. Ask again.' })
    expect(result).toMatchObject({ failed: 2 })
    expect(result.value).toBeUndefined()
  })

  test('that fails for some rows leaves a metric over the others, and its value if those were wrong', async () => {
    const { result } = await run(judged(), (prompt, options, who) => {
      if (who !== 'judge' || prompt.includes('Is two right')) return reply(prompt, options, who)
      throw new PromptError('bad-reply', { where: 'judge', problem: 'it said nothing', fix: 'ask again' })
    })
    expect(result).toMatchObject({ failed: 1, value: 100, valueIfFailedAreWrong: 50 })
  })

  test('is not blamed if a program fails', async () => {
    const dataset = sums({ eval_cfg: { evaluator: { type: 'HumanEvalEvaluator' } } })
    const openInterpreter = () => Promise.reject(new PromptError('closed', { where: 'Python', problem: 'it is gone', fix: 'install it' }))
    const { records } = await run(dataset, () => '2', {}, model, { openInterpreter })
    expect(records[0]).toMatchObject({ prediction: '2', error: 'the tests of the answer: Python: it is gone. Install it.' })
  })

  test('may give grades', async () => {
    const { records, result } = await run(judged({ type: 'LMEvaluator' }), (prompt, options, who) =>
      who === 'judge' ? (prompt.includes('two') ? 'Rating: [[8]]' : 'no idea') : reply(prompt, options, who),
    )
    expect(records.map(({ score }) => score)).toEqual([0.8, undefined])
    expect(records[1]).toMatchObject({
      error: expect.stringContaining('the judge: it has given no mark that can be read'),
      details: { judge_said: 'no idea' },
    })
    expect(result).toMatchObject({ metric: 'score', value: 80, failed: 1, verdicts: { graded: 1, unreadable: 1 } })
  })

  test('is read by the tags in its instructions', async () => {
    const dict_postprocessor = { type: 'generic_llmjudge_postprocess', true_tag: 'CORRECT', false_tag: 'INCORRECT' }
    const { records, result } = await run(judged({ dict_postprocessor }), (prompt, options, who) =>
      who === 'judge' ? (prompt.includes('two') ? 'It is CORRECT.' : 'INCORRECT') : reply(prompt, options, who),
    )
    expect(records.map(({ score, details }) => [score, details!.grade])).toEqual([
      [1, 'CORRECT'],
      [0, 'INCORRECT'],
    ])
    expect(result.figures).toMatchObject({ accuracy: 50, correct_count: 1, incorrect_count: 1, not_attempted_count: 0 })
  })

  test("sees answers after the dataset's postprocessors and its own, in this order", async () => {
    const { eval_cfg } = judged({ pred_postprocessor: { type: 'first-capital' }, prompt_template: { template: 'Is it {prediction}?' } })
    const dataset = sums({ eval_cfg: { ...eval_cfg, pred_postprocessor: { type: 'regex', pattern: 'so (.*)' } } })
    const { prompts, records } = await run(dataset, (_, __, who) => (who === 'judge' ? 'A' : 'A or B, so B or C'))
    expect(prompts).toContain('Is it B?')
    expect(records[0]!.details).toMatchObject({ pred: 'B' })
  })

  test('judges each of several answers', async () => {
    const dataset = { ...judged(), n: 2 }
    const first = [0, 1].map((row) => replySeed(rowSeeds(0, 'sums')(row), 0))
    const { records, result } = await run(dataset, (prompt, options, who) =>
      who === 'judge' ? reply(prompt, options, who) : first.includes(options.sampling!.seed!) ? 'two' : 'five',
    )
    expect(records[0]).toMatchObject({ prediction: ['two', 'five'], score: 0.5 })
    expect(result.figures!['pass@2']).toBe(100)
  })

  test('samples with a separate seed for each question', async () => {
    const judge_cfg = { abbr: 'judge', type: 'openai', path: 'judge', format: 'plain', temperature: 1, seed: 4 }
    const seeds: (number | undefined)[] = []
    const note: Reply = (prompt, options, who) => {
      if (who === 'judge') seeds.push(options.sampling?.seed)
      return reply(prompt, options, who)
    }
    await run(judged({ judge_cfg }), note)
    await run(judged({ judge_cfg }), note)
    expect(seeds).toHaveLength(4)
    expect(seeds[0]).not.toBe(seeds[1])
    expect(seeds.slice(2)).toEqual(seeds.slice(0, 2))
  })

  test('that cannot be opened stops the run before anything is sent', async () => {
    const asked: string[] = []
    const openModel = async ({ abbr = '' }: ModelConfig) => {
      if (abbr === 'judge') throw new PromptError('missing', { where: 'judge › path', problem: 'there is none', fix: 'write it' })
      return { name: abbr, generate: async () => void asked.push(abbr) as never }
    }
    await expect(run(judged(), reply, {}, model, { openModel })).rejects.toThrow('judge › path: there is none')
    expect(asked).toEqual([])
  })

  test('needs a template', () => {
    expect(() => planRun([model], [judged({ prompt_template: undefined })])).toThrow(
      'eval_cfg.evaluator.prompt_template: the judge has no prompt',
    )
  })
})
