import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import { explain } from './explain.ts'
import type { WhyRow, WhyRule, WhySide } from './why-row.ts'

const plainSetup: PairSetup = { harness: 'tool', rows: {}, prompt: {}, sampling: {}, scoring: { acc: {} } }

type Given = {
  rows: readonly Partial<WhyRow>[]
  setup?: Partial<PairSetup>
  model?: string
  metric?: string
  rule?: WhyRule
  reported?: number
}

function side({ rows, setup, model = 'm', metric = 'acc', rule, reported }: Given): WhySide {
  const row = (place: number): WhyRow => ({
    id: place,
    keys: { doc_hash: `row ${place}` },
    isExtracted: false,
    prompt: `Q${place}`,
    reply: 'A',
    gold: 'A',
    score: 1,
    ...rows[place],
  })
  return { name: 'run', model, dataset: 'd', metric, setup: { ...plainSetup, ...setup }, count: rows.length, row, rule, reported }
}

const why = (first: Given, second: Given) => explain(side(first), side(second))
const found = (first: Given, second: Given) =>
  why(first, second).causes.map(({ step, cause, effect }) => `${step}: ${cause} ${effect.toFixed(2)}`)

describe('causes', () => {
  test('nothing differs', () => {
    expect(why({ rows: [{}, {}] }, { rows: [{}, {}], model: 'other name' })).toMatchObject({
      difference: 0,
      causes: [],
      join: { matched: 2 },
    })
  })

  test('rows: a subset, a failed request, a stopped run', () => {
    const all = [{ score: 1 }, { score: 0 }, { score: 0 }, { score: 1 }]
    expect(found({ rows: all }, { rows: all.slice(0, 1), setup: { rows: { limit: 1 } } })).toEqual(['rows: row subset 0.50'])
    const failed = [{ score: 1 }, { score: undefined, reply: undefined, error: 'HTTP 500' }, { score: 0 }, { score: 1 }]
    expect(found({ rows: all }, { rows: failed })).toEqual(['rows: request error 0.17'])
    expect(found({ rows: all }, { rows: failed.slice(0, 2), setup: { rows: { status: 'error' } } })).toEqual(['rows: stopped run 0.50'])
  })

  test('rows: twice in one run, or with another question', () => {
    const [one, two] = [
      { score: 1, question: 'one?', keys: {} },
      { score: 0, question: 'two?', keys: {} },
    ]
    expect(found({ rows: [one, two] }, { rows: [one, two, one, one] })).toEqual(['rows: duplicate rows 0.25'])
    expect(found({ rows: [one, two, two] }, { rows: [one], setup: { rows: { limit: 1 } } })).toEqual(['rows: row subset 0.67'])
    const asked = (question: string): Partial<WhyRow> => ({ question, prompt: `Q: ${question}`, keys: { id: '7' } })
    const revised = { ...asked('how many legs does a spider have?'), reply: 'B', score: 0 }
    expect(found({ rows: [asked('how many legs has a spider?')] }, { rows: [revised] })).toEqual(['rows: dataset revision -1.00'])
  })

  test('prompts that are not recorded: settings that differ, else unknown and not noise', () => {
    const first = { rows: [{ prompt: undefined }], setup: { prompt: { shots: 0 } } }
    const second = { rows: [{ prompt: undefined, reply: 'B', score: 0 }], setup: { prompt: { shots: 3, multiturn: true } } }
    expect(found(first, second)).toEqual(['prompt: shots -1.00'])
    const other = side({ ...second, setup: first.setup })
    expect(explain(side(first), { ...other, name: 'other' })).toMatchObject({
      causes: [{ step: 'prompt', cause: 'prompt not recorded' }],
      samePromptOtherAnswer: [],
    })
    // Two metrics of one run: the prompt is the same.
    expect(explain(side(first), other)).toMatchObject({ causes: [{ step: 'noise' }], samePromptOtherAnswer: [0] })
  })

  test('another precision of the model', () => {
    const setup = (dtype: string) => ({ setup: { model: { dtype } } })
    const second = { rows: [{ reply: 'B', score: 0 }], ...setup('int4') }
    expect(why({ rows: [{}], ...setup('bfloat16') }, second).causes).toMatchObject([
      { step: 'replies', cause: 'model', detail: 'dtype bfloat16 → int4' },
    ])
  })

  test('only extracted answers: those of the metric are compared', () => {
    const row = (pred: string, score: number) => ({ rows: [{ isExtracted: true, reply: '[invalid]', pred, score }] })
    const cut = { ...row('C', 1), setup: { sampling: { max_tokens: 9 } } }
    expect(found({ ...row('D', 0), setup: { sampling: { max_tokens: 2 } } }, cut)).toEqual(['sampling: max tokens 1.00'])
  })

  test('settings of generation, and what the records cannot separate', () => {
    const cut = { rows: [{ reply: 'The answer is A' }], setup: { sampling: { max_tokens: 9, temperature: 0 } } }
    expect(found(cut, { rows: [{ reply: 'The ans', score: 0 }], setup: { sampling: { max_tokens: 2, temperature: 0 } } })).toEqual([
      'sampling: max tokens -1.00',
    ])
    const other = { rows: [{ reply: 'No', score: 0 }], setup: { sampling: { max_tokens: 2, temperature: 1 } } }
    expect(found(cut, other)).toEqual(['sampling: max tokens + temperature -1.00'])
    expect(why(cut, other).causes[0]).toMatchObject({
      parts: ['max tokens', 'temperature'],
      detail: 'the records cannot separate these: max tokens: max_tokens 9 → 2; temperature: temperature 0 → 1',
    })
  })

  test('a reply that ended at a stop string of its side, though the other tool did not record any', () => {
    const first = { rows: [{ reply: '<think>x</think>', score: 0 }], setup: { harness: 'one', sampling: { stop: ['\n\n'] } } }
    expect(found(first, { rows: [{ reply: '<think>x</think>\n\nA' }], setup: { harness: 'other' } })[0]).toContain('stop strings')
  })

  test('the same prompt and settings, another answer: noise, or another model', () => {
    const [first, second] = [{ rows: [{}, {}] }, { rows: [{}, { reply: 'B', score: 0 }] }]
    expect(why(first, second)).toMatchObject({
      samePromptOtherAnswer: [1],
      causes: [{ step: 'noise', cause: 'sampling', lost: [1], changed: [1] }],
    })
    expect(found(first, { ...second, model: 'n' })).toEqual(['replies: model -0.50'])
  })

  test('something special about the reply of one side: empty, refused, cut, its reasoning unfinished', () => {
    const reply = (text: string, finish?: string) => found({ rows: [{}] }, { rows: [{ reply: text, finish, score: 0 }], model: 'n' })
    expect(reply('')).toEqual(['replies: empty replies -1.00'])
    expect(reply("I'm sorry, but I can't help.")).toEqual(['replies: refusals -1.00'])
    expect(reply('It may be', 'length')).toEqual(['replies: cut replies -1.00'])
    expect(reply('<think>It may be')).toEqual(['replies: unfinished reasoning -1.00'])
    const prompt = { rows: [{ prompt: 'Q0 Be safe.', reply: "I'm sorry, but I can't help.", score: 0 }] }
    expect(found({ rows: [{}] }, prompt)).toEqual(['prompt: instruction -1.00'])
  })

  test('a stop at the end of reasoning, which the other tool separates', () => {
    const rule: WhyRule = (reply) => ({ score: Number(reply === 'A') })
    const stop = { rows: [{ reply: '<think>x</think>', score: 0 }], setup: { harness: 'one', sampling: { stop: ['\n\n'] } }, rule }
    const separated = { rows: [{ reply: 'A', reasoning: 'x', reasoningIn: 'text' }], setup: { harness: 'other' }, rule }
    expect(found(stop, separated)).toEqual(['sampling: stop strings 1.00'])
    expect(found(separated, stop)).toEqual(['sampling: stop strings -1.00'])
  })

  test('two repeats of one run are scored alike, even if the rule cannot be executed', () => {
    const repeat = (number: number, reply: string, score: number) => ({ rows: [{ reply, score }], metric: `form epoch ${number}` })
    expect(found(repeat(1, 'A', 1), repeat(2, 'B', 0))).toEqual(['noise: sampling -1.00'])
  })

  test('settings that prompts do not show: BOS of the tokenizer; the order of options and seeds of greedy replies are none', () => {
    const changed = { rows: [{ reply: 'B', score: 0 }] }
    expect(found({ rows: [{}] }, { ...changed, setup: { prompt: { bos: true } } })).toEqual(['prompt: BOS -1.00'])
    expect(found({ rows: [{}] }, { ...changed, setup: { prompt: { thinking: false } } })).toEqual(['prompt: chat template -1.00'])
    const setup = (extraction: PairSetup['scoring'][string]['extraction']) => ({ setup: { scoring: { acc: { extraction } } } })
    expect(found({ rows: [{}], ...setup([{ a: 1, b: 2 }]) }, { rows: [{}], ...setup([{ b: 2, a: 1 }]) })).toEqual([])
    const sampled = { ...changed, setup: { sampling: { temperature: 1, default_seed: 1234 } } }
    expect(found({ rows: [{}], setup: { sampling: { temperature: 0 } } }, sampled)).toEqual(['sampling: temperature -1.00'])
    const other = { ...changed, setup: { sampling: { temperature: 1, default_seed: 5 } } }
    expect(found({ ...sampled, rows: [{}] }, other)).toEqual(['sampling: seed -1.00'])
  })

  test('settings that are unknown on one side do not differ', () => {
    const known = { rows: [{}], setup: { sampling: { max_tokens: 9 }, scoring: { acc: { extraction: 'last' } } } }
    const unknown: Given = { rows: [{ reply: 'B', score: 0 }], setup: { isUnknown: true } }
    expect(found(known, unknown)).toEqual(['sampling: settings not recorded -1.00'])
  })

  test('the rule of one side reads another answer from the reply than the other side: extraction', () => {
    const first = { rows: [{ reply: 'ANSWER: A', pred: 'A', score: 1 }], setup: { harness: 'one' } }
    const rule: WhyRule = () => ({ pred: '[invalid]', score: 0 })
    const second = { rows: [{ reply: 'The answer is (A)', pred: 'A', score: 1 }], setup: { harness: 'other' }, rule }
    expect(found(first, second)).toContain('extraction: extraction -1.00')
  })

  test('the same answer, another verdict', () => {
    const first = { rows: [{ pred: 'A' }, { pred: 'A' }], setup: { scoring: { acc: { extraction: 'first' } } } }
    const second = { rows: [{ pred: 'A' }, { pred: 'B', score: 0 }], setup: { scoring: { acc: { extraction: 'last' } } } }
    expect(why(first, second)).toMatchObject({
      sameAnswerOtherVerdict: [1],
      causes: [{ step: 'extraction', cause: 'extraction', detail: 'first → last', lost: [1] }],
    })
  })

  test('a rule executed on the other reply splits the change between reply and scoring', () => {
    const setup = (extraction: string) => ({ scoring: { acc: { extraction } }, sampling: { max_tokens: extraction.length } })
    const first = { rows: [{ reply: 'A!' }], setup: setup('strict') }
    const second = { rows: [{ reply: 'A', score: 0 }], setup: setup('last') }
    expect(found({ ...first, rule: () => ({ score: 1 }) }, second)[0]).toBe('extraction: extraction -1.00')
    expect(found({ ...first, rule: () => ({ score: 0 }) }, second)[0]).toBe('sampling: max tokens -1.00')
    expect(found(first, { ...second, rule: () => ({ score: 0 }) })[0]).toBe('extraction: extraction -1.00')
    expect(found(first, second)[0]).toBe('sampling: max tokens + extraction -1.00')
  })

  test('a reported score that is not the mean of the rows: weighting', () => {
    const rows = [{ score: 1 }, { score: 0 }]
    expect(found({ rows, reported: 0.75 }, { rows })).toEqual(['gold and metric: weighting -0.25'])
    expect(why({ rows, reported: 0.75 }, { rows })).toMatchObject({ first: { score: 0.75 }, second: { score: 0.5 }, difference: -0.25 })
    expect(found({ rows, reported: 0.5001 }, { rows })).toEqual([])
    expect(found({ rows }, { rows: [{ score: undefined }, { score: undefined }], reported: 1 })[0]).toContain('unscored row')
  })

  test('rows of different tools are joined by the question inside the prompt', () => {
    const first = {
      rows: [
        { keys: {}, question: 'What is 2?', choices: ['two', 'one'], prompt: 'x' },
        { keys: {}, question: 'What is 2?', choices: ['one', 'two'], prompt: 'x' },
      ],
      setup: { harness: 'one' },
    }
    const second = {
      rows: [
        { keys: {}, prompt: 'Question: What is 2?\nA. one\nB. two\nAnswer:', id: 7 },
        { keys: {}, prompt: 'Question: What is 2?\nA. two\nB. one\nAnswer:' },
      ],
      setup: { harness: 'other' },
    }
    expect(why(first, second).join).toMatchObject({ matched: 2, ambiguous: [], by: { 'question in prompt': 2 } })
    const unclear = { ...first, rows: first.rows.map(({ choices: _, ...row }) => row) }
    expect(why(unclear, second).join).toMatchObject({ matched: 2, ambiguous: [0] })
  })
})

test('the parts add up to the difference, whatever differs', () => {
  const score = fc.option(fc.constantFrom(0, 1, 0.25), { nil: undefined })
  const row = fc.record({
    key: fc.integer({ min: 0, max: 8 }),
    score,
    reply: fc.constantFrom('A', 'AB', 'B', '<think>x</think>A'),
    prompt: fc.constantFrom('Q', 'Q ', 'S\n\nQ'),
    pred: fc.constantFrom('A', 'B'),
  })
  const setup = fc.record({
    max: fc.constantFrom(1, 2),
    extraction: fc.constantFrom('x', 'y'),
    status: fc.constantFrom('success', 'error'),
    harness: fc.constantFrom('one', 'other'),
  })
  const rule = fc.option(
    fc.constantFrom<WhyRule>(
      () => ({ score: 0 }),
      () => ({ score: 1 }),
      () => undefined,
    ),
    { nil: undefined },
  )
  const reported = fc.option(fc.constantFrom(0, 0.3, 1), { nil: undefined })
  const run = fc.record({ rows: fc.array(row, { maxLength: 12 }), setup, rule, reported })
  const sideOf = ({
    rows,
    setup: { max, extraction, status, harness },
    rule,
    reported,
  }: {
    rows: { key: number }[]
    setup: { max: number; extraction: string; status: string; harness: string }
    rule: WhyRule | undefined
    reported: number | undefined
  }): WhySide =>
    side({
      rows: rows.map(({ key, ...rest }) => ({ keys: { doc_hash: String(key) }, ...rest })),
      setup: { harness, rows: { status }, sampling: { max_tokens: max }, scoring: { acc: { extraction } } },
      ...(rule ? { rule } : {}),
      ...(reported === undefined ? {} : { reported }),
    })
  fc.assert(
    fc.property(run, run, (first, second) => {
      const report = explain(sideOf(first as never), sideOf(second as never))
      const sum = report.causes.reduce((total, { effect }) => total + effect, 0)
      expect(sum).toBeCloseTo(report.difference, 9)
      const { matched, onlyFirst, onlySecond } = report.join
      expect(matched + onlyFirst.length).toBe(first.rows.length)
      expect(matched + onlySecond.length).toBe(second.rows.length)
    }),
  )
})
