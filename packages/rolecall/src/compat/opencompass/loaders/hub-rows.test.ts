import { describe, expect, test } from 'vitest'
import { dictFromEntries, type PyValue } from '../../../../../core/src/base/python/index.ts'
import { type Files, filesOf } from './files.ts'
import { isTable, load, loaders } from './index.ts'

type Split = { config?: string; split: string }

/** A hub on which every split has these rows, and what was read from it. */
function hubWith(rows: readonly object[], source = 'ModelScope'): Files & { read: string[]; notes: string[] } {
  const [read, notes]: [string[], string[]] = [[], []]
  const text = rows.map((row) => JSON.stringify(row)).join('\n')
  return {
    ...filesOf({ 'rows.jsonl': text, '/repo/names.json': '{}', 'data/svamp/SVAMP.jsonl': text }, { DATASET_SOURCE: source }),
    read,
    notes,
    async split(repository, { config, split }: Split) {
      read.push([repository, config, split].filter(Boolean).join(' '))
      return ['rows.jsonl']
    },
    async repository(id) {
      read.push(id)
      return '/repo'
    },
    note: ({ text }) => notes.push(text),
  }
}

const settings = (values: Record<string, PyValue>) => dictFromEntries(Object.entries(values))

async function rowsOf(type: string, values: Record<string, PyValue>, files: Files): Promise<Record<string, unknown>> {
  const loaded = await load(type, settings(values), files)
  const plain = (table: { rows: readonly unknown[] }) => JSON.parse(JSON.stringify(table.rows))
  return isTable(loaded)
    ? { all: plain(loaded) }
    : Object.fromEntries(Object.entries(loaded).map(([split, table]) => [split, plain(table)]))
}

const choices = { text: ['w', 'x', 'y', 'z'], label: ['A', 'B', 'C', 'D'] }
const four = { A: 'w', B: 'x', C: 'y', D: 'z' }

describe('DATASET_SOURCE: rows of a hub as OpenCompass reads them', () => {
  test.each([
    {
      type: 'GSM8KDataset',
      path: 'opencompass/gsm8k',
      row: { question: 'q', answer: '#### 1' },
      reads: ['ms://opencompass/gsm8k train', 'ms://opencompass/gsm8k test'],
      expected: { train: [{ question: 'q', answer: '#### 1' }], test: [{ question: 'q', answer: '#### 1' }] },
    },
    {
      type: 'MMLUDataset',
      path: 'opencompass/mmlu',
      more: { name: 'anatomy' },
      row: { question: 'q', choices: choices.text, answer: 2 },
      reads: ['ms://opencompass/mmlu anatomy dev', 'ms://opencompass/mmlu anatomy test'],
      expected: { dev: [{ input: 'q', ...four, target: 'C' }], test: [{ input: 'q', ...four, target: 'C' }] },
    },
    {
      type: 'CMMLUDataset',
      path: 'opencompass/cmmlu',
      more: { name: 'law' },
      row: { Question: 'q', ...four, Answer: 'B', more: 1 },
      reads: ['ms://opencompass/cmmlu law dev', 'ms://opencompass/cmmlu law test'],
      expected: { dev: [{ question: 'q', ...four, answer: 'B' }], test: [{ question: 'q', ...four, answer: 'B' }] },
    },
    {
      type: 'ARCDataset',
      path: 'opencompass/ai2_arc-dev',
      more: { name: 'ARC-Challenge' },
      row: { id: '1', question: 'q', choices: { text: choices.text, label: ['1', '2', '3', '4'] }, answerKey: '3' },
      reads: ['ms://opencompass/ai2_arc ARC-Challenge validation'],
      expected: { all: [{ question: 'q', answerKey: 'C', textA: 'w', textB: 'x', textC: 'y', textD: 'z' }] },
    },
    {
      type: 'OBQADataset',
      path: 'opencompass/openbookqa_fact',
      more: { name: 'additional' },
      row: { question_stem: 'q', choices, answerKey: 'A', fact1: 'f' },
      reads: ['ms://opencompass/openbookqa additional test'],
      expected: { all: [{ ...four, question_stem: 'q', answerKey: 'A', fact1: 'f' }] },
    },
    {
      type: 'HellaswagDatasetwithICE',
      path: 'opencompass/hellaswag_ice',
      row: { query: 'a: b: c', choices: choices.text, gold: 3 },
      reads: ['ms://opencompass/hellaswag train', 'ms://opencompass/hellaswag validation'],
      expected: { train: [{ ctx: 'b: c', ...four, label: 'D' }], val: [{ ctx: 'b: c', ...four, label: 'D' }] },
    },
    {
      type: 'SiqaDatasetV3',
      path: 'opencompass/siqa',
      row: { context: 'c', question: 'q', answerA: 'x', answerB: 'y', answerC: 'z', label: '2' },
      reads: ['ms://opencompass/siqa train', 'ms://opencompass/siqa validation'],
      expected: Object.fromEntries(
        ['train', 'validation'].map((split) => [split, [{ context: 'c', question: 'q', A: 'x', B: 'y', C: 'z', answer: 'B' }]]),
      ),
    },
    {
      type: 'PIQADatasetV2',
      path: 'opencompass/piqa',
      row: { goal: 'g', sol1: 's', sol2: 't', label: -1 },
      reads: ['ms://opencompass/piqa train', 'ms://opencompass/piqa validation'],
      expected: Object.fromEntries(['train', 'validation'].map((split) => [split, [{ goal: 'g', sol1: 's', sol2: 't', answer: 'NULL' }]])),
    },
    {
      type: 'NaturalQuestionDataset',
      path: 'opencompass/natural_question',
      row: { question: 'q', answer: "['a', 'b']" },
      reads: ['ms://opencompass/natural_question dev', 'ms://opencompass/natural_question test'],
      expected: { dev: [{ question: 'q', answer: 'a' }], test: [{ question: 'q', answer: ['a', 'b'] }] },
    },
    {
      type: 'FloresFirst100Dataset',
      path: 'opencompass/flores',
      more: { name: 'deu-eng' },
      row: { sentence: 's' },
      reads: ['dev', 'devtest'].flatMap((split) => ['deu', 'eng'].map((language) => `ms://opencompass/flores ${language} ${split}`)),
      expected: { dev: [{ sentence_deu: 's', sentence_eng: 's' }], devtest: [{ sentence_deu: 's', sentence_eng: 's' }] },
    },
    {
      type: 'AGIEvalDataset_v2',
      path: 'opencompass/agieval',
      more: { name: 'sat-en', setting_name: 'zero-shot' },
      row: { passage: null, question: 'q', options: ['(A)a', '(B)b'], label: "['A', 'B']", answer: null },
      reads: ['ms://opencompass/agieval sat-en test'],
      expected: { all: [{ question: 'q', options: '(A)a\n(B)b', label: 'AB' }] },
    },
    {
      type: 'XsumDataset',
      path: 'opencompass/xsum',
      row: { document: 'd', summary: 's', id: '1' },
      reads: ['ms://opencompass/xsum validation'],
      expected: { all: [{ dialogue: 'd', summary: 's' }] },
    },
    {
      type: 'MATHDataset',
      path: 'opencompass/math',
      row: { problem: 'p', solution: 'so \\boxed{7}.', level: '1' },
      reads: ['ms://opencompass/math train'],
      expected: { train: [{ problem: 'p', solution: '7' }], test: [{ problem: 'p', solution: '7' }] },
    },
    {
      type: 'StoryClozeDatasetV2',
      path: 'opencompass/xstory_cloze',
      more: { lang: 'zh' },
      row: { input_sentence_1: 'a', input_sentence_2: 'b', input_sentence_3: 'c', input_sentence_4: 'd', answer_right_ending: 2 },
      reads: ['ms://opencompass/xstory_cloze zh train', 'ms://opencompass/xstory_cloze zh eval'],
      expected: {
        all: Array.from({ length: 2 }, () => ({
          input_sentence_1: 'a',
          input_sentence_2: 'b',
          input_sentence_3: 'c',
          input_sentence_4: 'd',
          answer_right_ending: 'B',
          context: 'a b c d',
        })),
      },
    },
  ])('$type', async ({ type, path, more = {}, row, reads, expected }) => {
    const files = hubWith([row])
    expect(await rowsOf(type, { path, ...(more as Record<string, PyValue>) }, files)).toEqual(expected)
    expect(files.read).toEqual(reads)
  })

  test('the test set of ARC comes from the test split, where OpenCompass reads the validation split', async () => {
    const files = hubWith([{ question: 'q', choices, answerKey: 'A' }])
    await rowsOf('ARCDataset', { path: 'opencompass/ai2_arc-test', name: 'ARC-Easy' }, files)
    expect(files.read).toEqual(['ms://opencompass/ai2_arc ARC-Easy test'])
  })

  test('HF reads the repositories of Hugging Face, Local none', async () => {
    const row = { question: 'q', answer: 'a' }
    const huggingFace = hubWith([row], 'HF')
    await rowsOf('GSM8KDataset', { path: 'opencompass/gsm8k' }, huggingFace)
    expect(huggingFace.read).toEqual(['hf://opencompass/gsm8k train', 'hf://opencompass/gsm8k test'])
    const local = hubWith([row], 'Local')
    await expect(load('GSM8KDataset', settings({ path: 'opencompass/gsm8k' }), local)).rejects.toThrow('nothing lies at ./data/gsm8k/')
    expect(local.read).toEqual([])
  })

  test('an id that is on no hub is read from the data folder, with a note', async () => {
    const files = hubWith([{ Body: 'b', Question: 'q?', Answer: 1 }])
    await rowsOf('SVAMPDataset', { path: 'opencompass/SVAMP' }, files)
    expect(files.notes).toEqual([
      'DATASET_SOURCE=ModelScope does not apply to opencompass/SVAMP, which OpenCompass does not read from this hub: its data folder is used',
    ])
  })

  test('a class with annotations, which are on no hub, reads the data folder, with a note; one with orders of choices reads the hub', async () => {
    const files = hubWith([{ question: 'q', choices, answerKey: 'A' }])
    const path = 'opencompass/ai2_arc-test'
    await expect(load('ARCDatasetClean', settings({ path, name: 'ARC-Challenge' }), files)).rejects.toThrow('nothing lies at')
    expect(files.notes).toHaveLength(1)
    await load('CircularARCDataset', settings({ path, name: 'ARC-Challenge' }), files)
    expect(files.read).toEqual(['ms://opencompass/ai2_arc ARC-Challenge test'])
  })

  test('an absolute path and local_mode stay local', async () => {
    const files = hubWith([{ task_id: 't', prompt: 'p' }])
    await expect(load('GSM8KDataset', settings({ path: '/else' }), files)).rejects.toThrow('/else/train.jsonl')
    await expect(load('HumanevalDataset', settings({ path: 'opencompass/humaneval', local_mode: true }), files)).rejects.toThrow(
      'nothing lies',
    )
    expect([files.read, files.notes]).toEqual([[], []])
  })

  test('a class that reads a folder gets the whole repository', async () => {
    const files = hubWith([], 'HF')
    const needle = { path: 'opencompass/needlebench', file_name: 'names.json', num_needles: 2, language: 'English', repeats: 1 }
    await expect(load('NeedleBenchATCDataset', settings(needle), files)).rejects.toThrow('English')
    expect(files.read).toEqual(['hf://opencompass/needlebench'])
  })

  test('without downloads the error names the repository', async () => {
    const { split: _, repository: __, ...files } = hubWith([])
    await expect(load('GSM8KDataset', settings({ path: 'opencompass/gsm8k' }), files)).rejects.toThrow(
      'the rows are in ms://opencompass/gsm8k, and nothing is downloaded here',
    )
  })

  test('classes with rows on a hub', () => {
    expect(Object.values(loaders).filter(({ hub }) => hub !== undefined).length).toBeGreaterThan(45)
  })
})
