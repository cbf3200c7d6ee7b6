import { describe, expect, test } from 'vitest'
import { registerOpenCompass } from '../../../compat/opencompass/register-opencompass.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { planRun } from '../plan-run.ts'
import { mayShowAnswer } from './answer-form.ts'
import { type Examined, examinePair, findingsOf } from './examine-pair.ts'

const model: ModelConfig = { abbr: 'm', type: 'openai', path: 'm', endpoint: 'completions', format: 'plain' }
const letters = ['A', 'B', 'C', 'D']
const option = { type: 'first_option_postprocess', options: 'ABCD' }

type Given = {
  gold: (index: number) => unknown
  count?: number
  evaluation?: object
  bot?: string
  infer?: object
  columns?: (index: number) => object
  dataset?: object
}

/** Multiple-choice questions with these gold answers. */
function datasetOf({ gold, count = 60, evaluation = {}, bot, infer = {}, columns = () => ({}), dataset = {} }: Given): DatasetConfig {
  const round = [
    { role: 'HUMAN', prompt: '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}' },
    ...(bot === undefined ? [] : [{ role: 'BOT', prompt: bot }]),
  ]
  return {
    abbr: 'mine',
    rows: Array.from({ length: count }, (_, index) => ({
      question: `Question ${index}?`,
      ...{ A: 'one', B: 'two', C: 'three', D: 'four' },
      answer: gold(index),
      ...columns(index),
    })),
    reader_cfg: { input_columns: ['question', 'A', 'B', 'C', 'D'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template: { round } }, ...infer },
    eval_cfg: evaluation,
    ...dataset,
  } as DatasetConfig
}

async function* chunksOf(rows: DatasetConfig['rows'] = []) {
  yield rows as never
}

async function examine(given: Given, now = () => 0): Promise<Examined> {
  const dataset = datasetOf(given)
  return examinePair(planRun([model], [dataset])[0]!, chunksOf(dataset.rows), now)
}

const letterOf = (index: number) => letters[index % 4]!

describe('gold answers that no reply can match', () => {
  test.each<[string, Given, string]>([
    [
      'texts against letters',
      { gold: (index) => ['Paris', 'Rome', 'Oslo'][index % 3], evaluation: { pred_postprocessor: option } },
      "gold 'Paris' is compared as ''",
    ],
    ['indices against letters', { gold: (index) => index % 4, evaluation: { pred_postprocessor: option } }, "gold 0 is compared as ''"],
    [
      'lower case',
      { gold: (index) => letterOf(index).toLowerCase(), evaluation: { pred_postprocessor: option } },
      "gold 'a' is compared as ''",
    ],
    [
      'trailing blanks',
      { gold: (index) => `${letterOf(index)} `, evaluation: { pred_postprocessor: option } },
      "gold 'A ' is compared as 'A'",
    ],
    ['trailing blanks without a postprocessor', { gold: (index) => `${letterOf(index)} ` }, "gold 'A ' is compared as 'A'"],
  ])('%s: an error with count and example', async (_, given, example) => {
    const { refusal } = await examine(given)
    expect(refusal).toEqual({
      code: 'unscorable-gold',
      where: 'mine › eval_cfg',
      rows: 60,
      text: `60 of 60 gold answers cannot be scored right: ${example} (row 0)`,
    })
  })

  test('BLEU of single letters is 0 even if every answer is right', async () => {
    const { refusal } = await examine({ gold: letterOf, evaluation: { evaluator: { type: 'BleuEvaluator' } } })
    expect(refusal?.text).toBe('score is 0 even if every answer is the gold answer')
  })

  test('empty cells: no row has a gold answer', async () => {
    const { refusal } = await examine({ gold: () => '', evaluation: { pred_postprocessor: option } })
    expect(refusal).toMatchObject({ code: 'no-gold', rows: 60, text: 'none of 60 rows has a gold answer' })
  })

  test('answers in the form of the examples are never right', async () => {
    const turns = (bot: string) => ({
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt: bot },
      ],
    })
    const infer = {
      ice_template: { template: turns('The answer is {answer}.') },
      prompt_template: { template: { begin: ['</E>'], ...turns('{answer}') }, ice_token: '</E>' },
      retriever: { type: 'FixKRetriever', fix_id_list: [0] },
    }
    const { refusal } = await examine({ gold: letterOf, infer })
    expect(refusal).toMatchObject({
      code: 'unscorable-form',
      text: "60 of 60 gold answers are scored wrong as the template writes them: 'The answer is A.' is compared as 'The answer is A.', gold is 'A' (row 0)",
    })
    expect((await examine({ gold: letterOf, infer, evaluation: { pred_postprocessor: option } })).refusal).toBeUndefined()
  })

  test('some of them: a warning', async () => {
    const { refusal, notes } = await examine({
      gold: (index) => `${letterOf(index)}${index < 41 ? ' ' : ''}`,
      evaluation: { pred_postprocessor: option },
    })
    expect(refusal).toBeUndefined()
    expect(notes.map(({ text }) => text)).toEqual(["41 of 60 gold answers cannot be scored right: gold 'A ' is compared as 'A' (row 0)"])
  })

  test('an option that does not exist, in generation and in perplexity', async () => {
    const gold = (index: number) => (index === 7 ? 'E' : letterOf(index))
    expect(findingsOf(await examine({ gold, evaluation: { pred_postprocessor: option } })).map(({ text }) => text)).toEqual([
      "1 of 60 gold answers cannot be scored right: gold 'E' is compared as '' (row 7)",
    ])
    const template = Object.fromEntries(letters.map((one) => [one, `{question} ${one}`]))
    const infer = { prompt_template: { template }, inferencer: { type: 'PPLInferencer' } }
    expect(findingsOf(await examine({ gold, infer })).map(({ text }) => text)).toEqual([
      "1 of 60 gold answers cannot be scored right: gold 'E' is none of the labels A, B, C, D (row 7)",
    ])
  })

  test('sentences compared with letters: a warning about the form of the template, or about any sentence', async () => {
    const codes = async (given: Given) => (await examine(given)).notes.map(({ code }) => code)
    expect(await codes({ gold: letterOf, bot: 'The answer is {answer}.' })).toEqual(['unscorable-form'])
    expect(await codes({ gold: letterOf, bot: '{answer}' })).toEqual(['bare-letters'])
    expect(await codes({ gold: letterOf })).toEqual(['bare-letters'])
    expect(await codes({ gold: letterOf, evaluation: { pred_postprocessor: option }, bot: 'The answer is {answer}.' })).toEqual([])
  })

  test('templates whose text has no name of the gold column cannot show it; others may, in any form', () => {
    const mayShow = (infer: object) => mayShowAnswer({ dataset: datasetOf({ gold: letterOf, infer }) })
    const turns = (prompt: string) => ({
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt },
      ],
    })
    expect(mayShow({})).toBe(false)
    expect(mayShow({ prompt_template: { template: turns('{answer}') } })).toBe(true)
    const byNumber = { 0: turns('{answer}'), 1: turns('no') }
    expect(mayShow({ prompt_template: { template: byNumber }, inferencer: { type: 'PPLInferencer' } })).toBe(true)
    expect(mayShow({ ice_template: { template: 'Q: </Q> A: </A>', column_token_map: { answer: '</A>', question: '</Q>' } } })).toBe(true)
  })

  test('an evaluator that only reads announced answers is fine', async () => {
    const evaluation = { pred_postprocessor: { type: 'regex', pattern: 'ANSWER: (\\w)', otherwise: '' } }
    expect(findingsOf(await examine({ gold: letterOf, evaluation }))).toEqual([])
  })

  test('several accepted answers are tried one by one, and objects are not tested', async () => {
    const evaluation = { evaluator: { type: 'EMEvaluator' } }
    expect(findingsOf(await examine({ gold: () => ['cat', 'dog'], evaluation }))).toEqual([])
    expect(findingsOf(await examine({ gold: () => ({ a: 1 }), evaluation: { evaluator: { type: 'FieldsEvaluator' } } }))).toEqual([])
  })

  test('what cannot be tested says why', async () => {
    const why = async (given: Partial<Given>) => (await examine({ gold: letterOf, ...given })).untested
    expect(await why({})).toBeUndefined()
    expect(await why({ evaluation: { evaluator: () => 1 } })).toMatch('own functions only see real replies')
    expect(await why({ dataset: { reader_cfg: {}, eval_cfg: {} } })).toBe('answers are not scored')
  })

  test('many rows are tested in part, within a time limit, and the text says so', async () => {
    const evaluation = { pred_postprocessor: option }
    const given = { gold: (index: number) => `${letterOf(index)} `, count: 8000, evaluation }
    expect((await examine(given)).refusal?.text).toMatch('5150 of 5150 tested (of 8000) gold answers')
    let clock = 0
    expect((await examine(given, () => (clock += 100))).refusal?.text).toMatch(/^11 of 11 tested \(of 8000\)/)
  })
})

describe('faults of rows', () => {
  const evaluation = { pred_postprocessor: option }
  const found = async (given: Partial<Given>) =>
    Object.fromEntries((await examine({ gold: letterOf, evaluation, ...given })).notes.map(({ code, text }) => [code, text]))

  test('rows without gold are counted', async () => {
    expect(await found({ gold: (index) => (index % 3 === 0 ? ' ' : letterOf(index)) })).toEqual({
      'no-gold': '20 of 60 rows have no gold answer, first row 0: not scored',
    })
  })

  test('duplicates, with the same gold and with another', async () => {
    const question = (index: number) => ({ question: index === 36 ? 'Question 32?' : index === 8 ? 'Question 4?' : `Question ${index}?` })
    expect(await found({ columns: question, gold: (index) => (index === 36 ? 'B' : letterOf(index)) })).toEqual({
      'duplicate-rows': '1 of 60 rows repeat an earlier one: row 8 is row 4',
      'conflicting-gold': "1 of 60 rows ask what an earlier one asks, with another gold answer: rows 32 and 36: 'A' and 'B'",
    })
  })

  test('the same option twice', async () => {
    expect(await found({ columns: (index) => (index === 5 ? { C: 'one ' } : {}) })).toEqual({
      'duplicate-options': "1 of 60 rows have an option twice: row 5 ('one')",
    })
    expect(await found({ columns: (index) => ({ choices: index === 9 ? ['x', 'x'] : ['x', 'y'] }) })).toEqual({
      'duplicate-options': "1 of 60 rows have an option twice: row 9 ('x')",
    })
  })

  test.each(['cafÃ© au lait', 'Itâ€™s', 'broken \uFFFD text', 'ä½\u00A0å¥½', '锟斤拷', 'Â°C'])('wrong decoding: %s', async (question) => {
    const texts = await found({ columns: (index) => (index === 3 ? { question } : {}) })
    expect(texts['broken-characters']).toMatch(/^1 of 60 rows have text that was decoded with the wrong encoding: row 3 \(question: /)
  })

  test.each(['«\u00A0café\u00A0»', 'fatigué…” dit-il', 'naïve – über', '你好，世界', 'NÃO', '€ 5 — 10 °C', 'ÉTÉ»'])(
    'right decoding: %s',
    async (question) => {
      expect(await found({ columns: (index) => (index === 3 ? { question } : {}) })).toEqual({})
    },
  )

  test('a stop sequence that ends right answers early', async () => {
    const inferencer = { type: 'GenInferencer', stopping_criteria: ['\n'] }
    const infer = { prompt_template: { template: '{question}' }, inferencer }
    expect(await found({ gold: (index) => `${index}\nis it`, infer, evaluation: {} })).toEqual({
      'stop-in-gold':
        "a stop sequence ('\\n') occurs in 60 of 60 gold answers, which are wrong without the rest: gold '0\\nis it' ends as '0' (row 0)",
    })
    expect(
      await found({ gold: (index) => `${letterOf(index)}\nbecause`, infer, evaluation: { ...evaluation, dataset_postprocessor: option } }),
    ).toEqual({})
  })

  test('a template that shows the gold answer in the question', async () => {
    const shown = (template: unknown) => found({ infer: { prompt_template: { template } } })
    const text = '{answer} is the gold answer, and the template shows it in the question: it is left blank there'
    expect(await shown('{question} Is it {answer}? Reply:')).toEqual({ 'answer-masked': text })
    expect(await shown({ round: [{ role: 'HUMAN', prompt: '{question} {answer}?' }] })).toEqual({ 'answer-masked': text })
    expect(await shown('{question} The answer is {answer}\n')).toEqual({})
    const copied = {
      infer: { prompt_template: { template: '{question} {hint}' } },
      columns: (index: number) => ({ hint: letterOf(index) }),
    }
    expect(await found(copied)).toEqual({
      'answer-in-prompt': '{hint} shows the gold answer: it equals the column "answer" in all 60 rows',
    })
  })

  test('a long text that rows share suggests cluster', async () => {
    const given = {
      infer: { prompt_template: { template: '{passage}\n{question}' } },
      columns: (index: number) => ({ passage: `${'word '.repeat(50)}${index % 6}` }),
    }
    expect((await found(given))['shared-passages']).toMatch(/^60 rows share 6 values of "passage".*cluster: passage accounts for that$/)
    expect(await found({ ...given, dataset: { cluster: 'passage' } })).toEqual({})
  })
})

test('with several answers per row, a gold answer that cannot be scored does not end the examination', async () => {
  registerOpenCompass()
  // GSM8K's gold answers end with "#### " and a number; the first has neither.
  const examined = await examine({
    gold: (index) => (index === 0 ? 'none' : '#### 1'),
    count: 3,
    evaluation: { evaluator: { type: 'Gsm8kEvaluator' }, dataset_postprocessor: { type: 'gsm8k_dataset_postprocess' } },
    dataset: { n: 2 },
  })
  expect(findingsOf(examined).map(({ code }) => code)).toEqual(['unscorable-gold'])
})
