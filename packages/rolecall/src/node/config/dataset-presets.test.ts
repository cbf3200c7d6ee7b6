import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { compilePrompt } from '../../../../core/src/prompt/compile/compile-prompt.ts'
import type { Row } from '../../../../core/src/prompt/conversation/row.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { datasetPresets } from '../../compat/benchmarks/index.ts'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { generationOf } from '../../evaluation/run/ask/generation.ts'
import { planRun } from '../../evaluation/run/run-pairs.ts'
import { evaluateAnswers } from '../../evaluation/score/evaluate/evaluate-answers.ts'
import { allRows, openRows, takeRows } from '../rows/open-rows.ts'
import { nodeEnvironment } from '../runs/node-environment.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { openPreset } from './dataset-presets.ts'
import { loadConfig } from './load-config.ts'

registerScoringPlugIns()

const root = mkdtempSync(join(tmpdir(), 'rolecall-presets-'))
afterAll(() => rmSync(root, { recursive: true }))

/** Writes files into a new folder and returns its path. */
function folderWith(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(root, 'data-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const open = (folder: string, use: object) => openPreset({ path: folder, ...use }, root, 'datasets[0]')

/** The first prompt of a dataset, in a format with visible turns. */
async function promptOf(dataset: DatasetConfig, label?: string, asked?: ModelConfig): Promise<string> {
  const { test: rowsOf, train } = openRows(dataset, root)
  const [row] = await allRows(rowsOf)
  const ids = dataset.infer_cfg.retriever?.fix_id_list ?? []
  const { rows } = await takeRows(train, ids)
  const examples: Row[] = ids.map((id) => rows.get(id)!.row)
  const model = {
    meta_template: {
      round: [
        { role: 'HUMAN', begin: '[H]', end: '\n' },
        { role: 'BOT', begin: '[B]', end: '\n', generate: true },
      ],
    },
  }
  const maker = compilePrompt(asked ?? model, dataset)
  return promptText(
    maker.render({ row: row!, examples, mode: label === undefined ? 'gen' : 'ppl', ...(label === undefined ? {} : { label }) }).prompt,
  )
}

/** Scores an answer with a dataset's evaluator. */
function judgeOf(dataset: DatasetConfig): (prediction: string, reference: string) => number | undefined {
  const [pair] = planRun([{ abbr: 'm', type: 'embedded', format: 'internlm2' }], [dataset])
  const { evaluator, read } = pair!
  return (prediction, reference) =>
    evaluator.judge({ prediction: read.prediction(prediction).value, reference: read.reference(reference), row: {} }).score
}

const mmluFiles = {
  'dev/abstract_algebra_dev.csv': 'What is 1+1?,1,2,3,4,B\n',
  'test/abstract_algebra_test.csv': '"What is ""2+2"", then?",1,2,3,4,D\n',
  'dev/virology_dev.csv': 'A virus is,small,big,red,blue,A\n',
  'test/virology_test.csv': 'A cell is,small,big,red,blue,B\nA host is,w,x,y,z,C\n',
  'test/notes.txt': '',
}

describe('MMLU', () => {
  test('from Hendrycks’s folder: a dataset per subject, with examples, and their mean', async () => {
    const { datasets, groups } = open(folderWith(mmluFiles), { preset: 'mmlu', shots: 1 })
    expect(datasets.map(({ abbr }) => abbr)).toEqual(['mmlu_abstract_algebra', 'mmlu_virology'])
    expect(groups).toEqual([{ name: 'mmlu', subsets: ['mmlu_abstract_algebra', 'mmlu_virology'] }])
    expect(await promptOf(datasets[0]!)).toBe(
      [
        '[H]There is a single choice question about abstract algebra. Answer by replying with A, B, C or D.\n',
        '[H]Question: What is 1+1?\nA. 1\nB. 2\nC. 3\nD. 4\nAnswer: \n[B]B\n',
        '[H]Question: What is "2+2", then?\nA. 1\nB. 2\nC. 3\nD. 4\nAnswer: \n[B]',
      ].join(''),
    )
  })

  test('perplexity mode scores each letter after the same question', async () => {
    const folder = folderWith(mmluFiles)
    for (const use of [{ preset: 'mmlu', mode: 'ppl' }, { preset: 'mmlu_ppl' }]) {
      const { datasets, groups } = open(folder, { ...use, shots: 1, subjects: ['virology'] })
      expect(datasets.map(({ abbr }) => abbr)).toEqual(['mmlu_virology_ppl'])
      expect(groups).toEqual([])
      expect(await promptOf(datasets[0]!, 'C')).toMatch(
        /\[H\]Question: A virus is\nA\. small[^[]*\[B\]A\n\[H\]Question: A cell is\n[^[]*Answer: \n\[B\]C\n$/,
      )
    }
  })

  test('from Hugging Face’s Parquet files, ignoring the folder of all subjects', async () => {
    const parquet = readFileSync(fileURLToPath(new URL('../rows/fixtures/mmlu.parquet', import.meta.url)))
    const folder = folderWith({
      'anatomy/test-00000-of-00001.parquet': parquet,
      'anatomy/dev-00000-of-00001.parquet': parquet,
      'all/test-00000-of-00001.parquet': parquet,
    })
    const { datasets } = open(folder, { preset: 'mmlu', shots: 0 })
    expect(datasets.map(({ abbr }) => abbr)).toEqual(['mmlu_anatomy'])
    expect(await allRows(openRows(datasets[0]!, root).test)).toMatchObject([
      { question: 'Which bone is the longest?', C: 'femur', answer: 'C' },
    ])
  })

  test('complete groups are shown as well', () => {
    const { groups: known } = datasetPresets.find(({ name }) => name === 'mmlu')!
    const files = Object.fromEntries(known!['mmlu-humanities']!.map((subject) => [`test/${subject}_test.csv`, 'q,1,2,3,4,A\n']))
    const { groups } = open(folderWith(files), { preset: 'mmlu', shots: 0 })
    expect(groups.map(({ name, subsets }) => [name, subsets.length])).toEqual([
      ['mmlu-humanities', 13],
      ['mmlu', 13],
    ])
    expect(Object.values(known!).flat()).toHaveLength(57)
    expect(new Set(Object.values(known!).flat()).size).toBe(57)
  })
})

test('C-Eval uses the split with answers, and its Chinese subject names', async () => {
  const folder = folderWith({
    'dev/logic_dev.csv': 'id,question,A,B,C,D,answer,explanation\n0,一,甲,乙,丙,丁,A,因为\n',
    'val/logic_val.csv': 'id,question,A,B,C,D,answer\n0,二,甲,乙,丙,丁,B\n',
    'test/logic_test.csv': 'id,question,A,B,C,D\n0,三,甲,乙,丙,丁\n',
  })
  const { datasets } = open(folder, { preset: 'ceval', shots: 1 })
  expect(datasets.map(({ abbr }) => abbr)).toEqual(['ceval_logic'])
  expect(await promptOf(datasets[0]!)).toBe(
    '[H]以下是中国关于逻辑学考试的单项选择题，请选出其中的正确答案。\n[H]一\nA. 甲\nB. 乙\nC. 丙\nD. 丁\n答案: \n[B]A\n[H]二\nA. 甲\nB. 乙\nC. 丙\nD. 丁\n答案: \n[B]',
  )
})

test('CMMLU reads numbered rows with capitalised columns', async () => {
  const folder = folderWith({
    'dev/arts.csv': ',Question,A,B,C,D,Answer\n0,一,甲,乙,丙,丁,A\n',
    'test/arts.csv': ',Question,A,B,C,D,Answer\n0,二,甲,乙,丙,丁,B\n',
  })
  const { datasets } = open(folder, { preset: 'cmmlu', shots: 1 })
  expect(await promptOf(datasets[0]!)).toContain('[H]以下是关于艺术学的单项选择题，请直接给出正确答案的选项。\n[H]题目：一\n')
  expect(await allRows(openRows(datasets[0]!, root).test)).toMatchObject([{ question: '二', D: '丁', answer: 'B' }])
})

describe('ARC', () => {
  const row = (labels: string, answerKey: string) => ({
    id: 'x',
    question: { stem: 'Which?', choices: [...labels].map((label) => ({ text: `choice ${label}`, label })) },
    answerKey,
  })

  test('compares full answers by perplexity, and skips rows without four choices', async () => {
    const shown = { 'ARC-Challenge/ARC-Challenge-Train.jsonl': lines(row('ABCD', 'C')) }
    const folder = folderWith({
      ...shown,
      'ARC-Challenge/ARC-Challenge-Test.jsonl': lines(row('1234', '2'), row('ABC', 'A'), row('ABCD', 'D')),
    })
    const { datasets } = open(folder, { preset: 'arc_c', mode: 'ppl' })
    expect(datasets).toMatchObject([{ abbr: 'arc_c_ppl', on_bad_row: 'skip' }])
    expect(await promptOf(datasets[0]!, 'B')).toBe('[H]Question: Which?\nAnswer: \n[B]choice 2\n')
    const { datasets: one } = open(folder, { preset: 'arc_c', mode: 'ppl', shots: 1 })
    expect(await promptOf(one[0]!, 'B')).toBe('[H]Question: Which?\nAnswer: \n[B]choice C\n[H]Question: Which?\nAnswer: \n[B]choice 2\n')
    const { test: asked } = openRows(datasets[0]!, root)
    expect((await allRows(asked)).map((one) => (one as Record<string, unknown>).answer)).toEqual(['B', 'D'])
    expect(asked.skipped.count).toBe(1)
  })

  test('reads Hugging Face’s Parquet files', async () => {
    const parquet = readFileSync(fileURLToPath(new URL('../rows/fixtures/arc.parquet', import.meta.url)))
    const { datasets } = open(folderWith({ 'ARC-Easy/test-00000-of-00001.parquet': parquet }), { preset: 'arc_e' })
    expect(await promptOf(datasets[0]!)).toBe('[H]Question: Which is a planet?\nA. Mars\nB. Moon\nC. Sun\nD. Sirius\nAnswer: \n[B]')
  })
})

test('HellaSwag is read from OpenCompass’s archive', async () => {
  const rows = lines({ ind: 1, query: 'Sitting: She sat', choices: ['down.', 'up.', 'in.', 'out.'], gold: 0 })
  const { datasets } = open(folderWith({ 'hellaswag.jsonl': rows }), { preset: 'hellaswag' })
  expect(await allRows(openRows(datasets[0]!, root).test)).toMatchObject([{ question: 'Sitting: She sat', A: 'down.', answer: 'A' }])
})

test('HellaSwag compares endings', async () => {
  const rows = lines({ ind: 1, ctx: 'She sat', endings: ['down.', 'up.', 'in.', 'out.'], label: 2 })
  const folder = folderWith({ 'hellaswag_val.jsonl': rows })
  expect(await promptOf(open(folder, { preset: 'hellaswag_ppl' }).datasets[0]!, 'C')).toBe('[H]She sat\n[B]in.\n')
  expect(await promptOf(open(folder, { preset: 'hellaswag' }).datasets[0]!)).toContain('A. down.\nB. up.')
})

test('GSM8K has worked examples and compares the final number', async () => {
  const folder = folderWith({
    'train.jsonl': lines({ question: '1+1?', answer: 'One and one.\n#### 2' }),
    'test.jsonl': lines({ question: '2+2?', answer: 'Two and two.\n#### 4' }),
  })
  const { datasets } = open(folder, { preset: 'gsm8k', shots: 1 })
  expect(await promptOf(datasets[0]!)).toBe(
    "[H]Question: 1+1?\nLet's think step by step.\nAnswer:\n[B]One and one.\n#### 2\n[H]Question: 2+2?\nLet's think step by step.\nAnswer:\n[B]",
  )
  const judge = judgeOf(datasets[0]!)
  expect([judge('So it is 4.', 'Two and two.\n#### 4'), judge('So it is 5.', 'Two and two.\n#### 4')]).toEqual([1, 0])
  expect([judge('The answer is 1,005.', '#### 1,005'), judge('$1,005.00. Question: 7?', '#### 1005')]).toEqual([1, 1])
  expect([judge('#### 1{,}005\nThat is for 3 people.', '#### 1,005'), judge('#### 4 of 7', '#### 7')]).toEqual([1, 0])
})

test('GSM8K reports accuracy and how often the answer has the demonstrated format', () => {
  const made = datasetPresets.find(({ name }) => name === 'gsm8k')!.dataset({ mode: 'gen', shots: 0, subject: '' })
  const [pair] = planRun([{ abbr: 'm', type: 'embedded', format: 'internlm2' }], [{ abbr: 'sums', ...made }])
  const { evaluator, read } = pair!
  const replies = ['#### 4', '\\boxed{4}', 'The answer is 4.', 'So 2 + 2 = 4', '#### 5', 'I cannot say.']
  const { figures, details } = evaluateAnswers(
    evaluator,
    replies.map((reply) => read.prediction(reply).value),
    replies.map(() => read.reference('2 + 2 = 4\n#### 4')),
  )
  expect(figures).toEqual({ accuracy: (100 * 4) / 6, strict_accuracy: (100 * 2) / 6 })
  expect(details[0]).toEqual({ pred: '4', answer: '4', correct: true, strict: true })
})

describe('answers are extracted from real replies, never guessed', () => {
  const judged = (preset: string, subject: string, prediction: string, reference: string) =>
    judgeOf({ abbr: 'made', ...datasetPresets.find(({ name }) => name === preset)!.dataset({ mode: 'gen', shots: 0, subject }) })(
      prediction,
      reference,
    )
  const choices = [
    '\\boxed{B}',
    '**B)**',
    '### Answer\nB',
    'B. 0.01 C',
    'the answer is B',
    '故选B',
    '<think>(C)? Wait, no.</think>\n\nThe answer is (B).',
  ]
  test.each(choices.flatMap((said) => ['mmlu', 'ceval', 'cmmlu', 'arc_c', 'hellaswag'].map((preset) => [preset, said] as const)))(
    '%s: %j is B',
    (preset, said) => expect([judged(preset, 'logic', said, 'B'), judged(preset, 'logic', said, 'C')]).toEqual([1, 0]),
  )
  test.each(['As an AI language model, I cannot', 'could be A, B, C or D', '<think>A cut thought: the answer is A'])(
    '%j is no A',
    (said) => {
      expect(judged('mmlu', 'logic', said, 'A')).toBe(0)
    },
  )

  const bbh: [subject: string, said: string, gold: string][] = [
    ['snarks', '**Final answer:** (B)', '(B)'],
    ['snarks', '(A) is honest. So $\\boxed{B}$.', '(B)'],
    ['tracking_shuffled_objects_seven_objects', 'Alice holds (C). So the answer is (G).', '(G)'],
    ['navigate', 'Steps left: no.\n**Final answer:** Yes', 'Yes'],
    ['navigate', '\\boxed{\\text{No}}', 'No'],
    ['boolean_expressions', 'not True is False. So the answer is True.', 'True'],
    ['formal_fallacies', '**Final answer:** invalid', 'invalid'],
    ['object_counting', 'We have 3 + 5 = 8.\n\n**Final answer: 8** objects', '8'],
    ['multistep_arithmetic_two', '\\boxed{-1{,}005}', '-1005'],
    ['word_sorting', '**Final answer:** apple, bird, cat', 'apple bird cat'],
    ['dyck_languages', 'The stack is ] ).\nSo the answer is ] ).', '] )'],
  ]
  test.each(bbh)('%s: %j is %s', (subject, said, gold) => {
    expect([judged('bbh', subject, said, gold), judged('bbh', subject, 'As an AI language model, I cannot', gold)]).toEqual([1, 0])
  })
})

test('without a training file the first rows become examples and are not evaluated', async () => {
  const folder = folderWith({
    'test.jsonl': lines({ question: '1+1?', answer: '#### 2' }, { question: '2+2?', answer: '#### 4' }),
  })
  const { datasets } = open(folder, { preset: 'gsm8k', shots: 1 })
  expect(await promptOf(datasets[0]!)).toMatch(/^\[H\]Question: 1\+1\?.*\[H\]Question: 2\+2\?/s)
  expect(await allRows(openRows(datasets[0]!, root).test)).toHaveLength(1)
  const { datasets: alone } = open(folder, { preset: 'gsm8k', shots: 0 })
  expect(await allRows(openRows(alone[0]!, root).test)).toHaveLength(2)
})

test('a single benchmark file is read like the folder: subject, columns, examples', async () => {
  const folder = folderWith(mmluFiles)
  const [all] = [open(folder, { preset: 'mmlu', shots: 1, subjects: ['virology'] }).datasets]
  expect(open(join(folder, 'test/virology_test.csv'), { preset: 'mmlu', shots: 1 }).datasets).toEqual(all)
})

test('for base models a newline precedes every answer: in examples, in the question and in perplexity mode', async () => {
  const plain = { format: 'plain' }
  const folder = folderWith(mmluFiles)
  const [gen, ppl] = ['gen', 'ppl'].map((mode) => open(folder, { preset: 'mmlu', mode, shots: 1, subjects: ['virology'] }).datasets[0]!)
  const shown = [
    'There is a single choice question about virology. Answer by replying with A, B, C or D.\n',
    'Question: A virus is\nA. small\nB. big\nC. red\nD. blue\nAnswer: \nA\n',
    'Question: A cell is\nA. small\nB. big\nC. red\nD. blue\nAnswer: \n',
  ].join('')
  expect(await promptOf(gen!, undefined, plain)).toBe(shown)
  expect(await promptOf(ppl!, 'C', plain)).toBe(`${shown}C`)
})

test('base models stop at the next question or at text outside the function', () => {
  const stops = (preset: string, format: string) => {
    const made = datasetPresets.find(({ name }) => name === preset)!.dataset({ mode: 'gen', shots: 0, subject: 'x' })
    return generationOf({ format }, { abbr: preset, ...made }).stopTexts
  }
  expect(stops('mmlu', 'plain')).toEqual(['\nQuestion'])
  expect(stops('mmlu', 'chatml')).toEqual([])
  expect(stops('cmmlu', 'plain')).toEqual(['\n题目'])
  expect(stops('bbh', 'plain')).toEqual(['\nQ:'])
  expect(stops('humaneval', 'plain')).toEqual(['\nclass', '\ndef', '\n#', '\nif', '\nprint'])
})

describe('BIG-Bench Hard', () => {
  const examples = [1, 2, 3, 4].map((number) => ({ input: `question ${number}`, target: `(${'ABCD'[number - 1]})` }))
  const json = JSON.stringify({ canary: 'x', examples })

  test('uses the worked examples next to it', async () => {
    const folder = folderWith({
      'bbh/snarks.json': json,
      'cot-prompts/snarks.txt': 'BIG-bench canary GUID 1\n-----\nQ: worked\nA: so (A).\n',
    })
    const { datasets } = open(folder, { preset: 'bbh', shots: 1 })
    expect(await promptOf(datasets[0]!)).toBe(
      "[H]Follow the given examples and answer the question.\nQ: worked\nA: so (A).\n\nQ: question 1\nA: Let's think step by step.\n[B]",
    )
    expect(datasets).toMatchObject([{ abbr: 'bbh_snarks', eval_cfg: { evaluator: { type: 'BBHEvaluator_mcq' } } }])
  })

  test('uses as many as requested, and does not treat their text as a template', async () => {
    const folder = folderWith({
      'bbh/snarks.json': json,
      'cot-prompts/snarks.txt': 'Find {input}.\n\nQ: one {target}\nA: so (A).\n\nQ: two\nA: so (B).\n',
    })
    const asked = "Q: question 1\nA: Let's think step by step.\n[B]"
    const told = '[H]Follow the given examples and answer the question.\nFind {input}.\n\nQ: one {target}\nA: so (A).'
    const promptWith = async (shots: number) => promptOf(open(folder, { preset: 'bbh', shots }).datasets[0]!)
    expect(await promptWith(0)).toBe(`[H]${asked}`)
    expect(await promptWith(1)).toBe(`${told}\n\n${asked}`)
    expect(await promptWith(2)).toBe(`${told}\n\nQ: two\nA: so (B).\n\n${asked}`)
    const { datasets } = open(folder, { preset: 'bbh' })
    await expect(nodeEnvironment(folder).openRows(datasets[0]!)).rejects.toThrow('Show 2 examples: `--shots 2` with a preset')
    expect(await allRows(openRows(open(folder, { preset: 'bbh', shots: 2 }).datasets[0]!, root).test)).toHaveLength(4)
  })

  test('without them uses the first rows as examples and does not evaluate those', async () => {
    const { datasets } = open(folderWith({ 'word_sorting.json': json }), { preset: 'bbh' })
    expect(await allRows(openRows(datasets[0]!, root).test)).toHaveLength(1)
    expect(await promptOf(datasets[0]!)).toContain('[H]Q: question 3\nA: \n[B](C)\n[H]Q: question 4\nA: \n[B]')
    expect(datasets).toMatchObject([{ eval_cfg: { evaluator: { type: 'BBHEvaluator' } } }])
  })
})

test('HumanEval requests functions and tests them', async () => {
  const row = {
    task_id: 'HumanEval/0',
    prompt: 'def one():\n',
    canonical_solution: '    return 1\n',
    test: 'def check(f):\n    assert f() == 1\n',
    entry_point: 'one',
  }
  const { datasets } = open(folderWith({ 'HumanEval.jsonl.gz': gzipSync(lines(row)) }), { preset: 'humaneval' })
  expect(await promptOf(datasets[0]!)).toBe('[H]Complete the following Python function.\ndef one():\n\n[B]')
  expect(datasets).toMatchObject([{ abbr: 'humaneval', eval_cfg: { evaluator: { type: 'HumanEvalEvaluator' } } }])
})

test('all chats of a folder form one dataset', async () => {
  const chat = (question: string) => ({
    conversations: [
      { from: 'human', value: question },
      { from: 'gpt', value: '2' },
    ],
  })
  const folder = folderWith({ 'a.jsonl': lines(chat('1+1=?')), 'b.json': JSON.stringify([chat('4-2=?')]) })
  const { datasets } = open(folder, { preset: 'sharegpt' })
  expect(await allRows(openRows(datasets[0]!, root).test)).toHaveLength(2)
  expect(await promptOf(datasets[0]!)).toBe('[H]1+1=?\n[B]')
})

test('chat answers are compared as whole texts', () => {
  const chat = datasetPresets.find(({ name }) => name === 'messages')!.dataset({ mode: 'gen', shots: 0, subject: '' })
  const judge = judgeOf({ abbr: 'chats', ...chat })
  expect([judge('Yes, I mean no.', 'Yes, because it rains.'), judge('3.5', '3.6'), judge(' Two\nlines. ', 'Two\nlines.')]).toEqual([
    0, 0, 1,
  ])
})

describe('in a config', () => {
  test('a preset expands to its datasets and groups', async () => {
    const folder = folderWith(mmluFiles)
    const file = join(folder, 'rolecall.config.json')
    const own = { abbr: 'own', rows: [{ q: '1' }], infer_cfg: { prompt_template: { template: '{q}' } } }
    writeFileSync(file, JSON.stringify({ models: [{ format: 'chatml' }], datasets: [own, { preset: 'mmlu', path: '.', shots: 1 }] }))
    const { config } = await loadConfig(file)
    expect(config.datasets.map(({ abbr }) => abbr)).toEqual(['own', 'mmlu_abstract_algebra', 'mmlu_virology'])
    expect(config.summarizer?.summary_groups).toMatchObject([{ name: 'mmlu' }])
  })

  test('errors name their location', async () => {
    const folder = folderWith(mmluFiles)
    expect(() => open(folder, { preset: 'mlmu' })).toThrow('datasets[0].preset: there is no preset "mlmu". Did you mean "mmlu"?')
    expect(() => open(folder, { preset: 'gsm8k', mode: 'ppl' })).toThrow('"gsm8k" does not support perplexity')
    expect(() => open(folder, { preset: 'gsm8k' })).toThrow('has none of the files of "gsm8k". It should have test.jsonl, or')
    expect(() => open(folder, { preset: 'mmlu', subjects: ['virolog'] })).toThrow(
      'there are no files for "virolog". Did you mean "virology"?',
    )
    expect(() => open(join(folder, 'none'), { preset: 'mmlu' })).toThrow('there is no folder')
    expect(() => open(folder, { preset: 'mmlu', shot: 1 })).toThrow('shot')
  })
})

test('every preset can be planned in each mode', () => {
  for (const preset of datasetPresets) {
    for (const mode of preset.modes) {
      const dataset = { abbr: preset.name, rows: [], ...preset.dataset({ mode, shots: preset.shots, subject: 'x' }) }
      expect(planRun([{ abbr: 'm', type: 'embedded', format: 'internlm2' }], [dataset])).toHaveLength(1)
    }
  }
})

describe('bfcl', () => {
  const functions = [
    {
      name: 'map.go',
      description: 'Go.',
      parameters: { type: 'dict', properties: { to: { type: 'string', description: 'Where.' } }, required: ['to'] },
    },
  ]
  const asked = (id: string) => ({ id, question: [[{ role: 'user', content: 'Off to Rome!' }]], function: functions })
  const files = {
    'BFCL_v4_simple_python.json': lines(asked('simple_python_0')),
    'BFCL_v4_irrelevance.json': lines(asked('irrelevance_0')),
    'possible_answer/BFCL_v4_simple_python.json': lines({ id: 'simple_python_0', ground_truth: [{ 'map.go': { to: ['Rome'] } }] }),
  }

  test('reads the published layout, passes the functions to the model, and scores by category', async () => {
    const { datasets, notes } = open(folderWith(files), { preset: 'bfcl' })
    expect(datasets.map(({ abbr }) => abbr)).toEqual(['bfcl_irrelevance', 'bfcl_simple_python'])
    expect(notes).toEqual([])
    const [irrelevance, simple] = datasets
    const [row] = await allRows(openRows(simple!, root).test)
    expect(row).toMatchObject({ category: 'simple_python', ground_truth: [{ 'map.go': { to: ['Rome'] } }] })
    const prompt = compilePrompt({ format: 'internlm2' }, simple!).render({ row: row!, mode: 'gen' }).prompt
    expect(promptText(prompt)).toContain('[{"name": "map_go", "description": "Go. Note that the provided function is in Python 3 syntax."')
    const [pair] = planRun([{ type: 'embedded', format: 'internlm2' }], [simple!])
    const judge = (calls: object[]) =>
      pair!.evaluator.judge({ prediction: calls as never, reference: [{ 'map.go': { to: ['Rome'] } }], row: row! }).detail
    expect(judge([{ name: 'map_go', arguments: { to: 'rome' } }])).toMatchObject({ correct: true })
    expect(judge([{ name: 'map_go', arguments: { to: 3 } }])).toMatchObject({
      correct: false,
      error: 'type_error:simple',
      reason: 'to: its value has another type than documented',
    })
    const [unanswered] = await allRows(openRows(irrelevance!, root).test)
    expect(unanswered).toMatchObject({ ground_truth: null })
  })

  test('reports what cannot be scored and what is missing', () => {
    const more = { ...files, 'BFCL_v4_multi_turn_base.json': lines({ id: 'multi_turn_base_0' }) }
    expect(open(folderWith(more), { preset: 'bfcl' }).notes[0]!.text).toContain(
      'multi_turn_base (its calls are run there, and not compared)',
    )
    expect(() => open(folderWith(more), { preset: 'bfcl', subjects: ['multi_turn_base'] })).toThrow('cannot be scored')
    const { 'possible_answer/BFCL_v4_simple_python.json': _, ...without } = files
    expect(() => open(folderWith(without), { preset: 'bfcl' })).toThrow('there is no possible_answer/BFCL_v4_simple_python.json')
  })
})
