import { describe, expect, test } from 'vitest'
import type { PyDict, PyValue } from '../../../../core/src/base/python/index.ts'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { PythonHost } from '../../python/host/python-host.ts'
import { registerPlugIns } from '../plug-ins.ts'
import { type ComparedDataset, compareWithOpenCompass } from './compare-opencompass.ts'

registerPlugIns()

const dataset: DatasetConfig = {
  abbr: 'letters',
  rows: [
    { question: 'First?', answer: 'A' },
    { question: 'Second?', answer: 'B' },
  ],
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: 'Q: {question}\nA:' }, inferencer: { type: 'GenInferencer' } },
  eval_cfg: { evaluator: { type: 'AccEvaluator' } },
}

/** What OpenCompass would answer for this dataset; a test replaces what should differ. */
const theirs: Record<string, PyValue> = {
  datasets: [
    { abbr: 'other', inferencer: 'GenInferencer' },
    { abbr: 'letters', inferencer: 'GenInferencer' },
  ],
  rows: {
    count: 2,
    rows: [
      { question: 'First?', answer: 'A', subdivision: 'letters_test', idx: 0 },
      { question: 'Second?', answer: 'B', subdivision: 'letters_test', idx: 1 },
    ],
  },
  prompts: [[['', 'Q: First?\nA:']], [['', 'Q: Second?\nA:']]],
  scores: { accuracy: 50 },
}

async function compared(changes: Record<string, PyValue> = {}, given: DatasetConfig = dataset): Promise<ComparedDataset | undefined> {
  const calls: PyValue[][] = []
  const host: PythonHost = {
    host: 'python',
    load: ({ kind, name }) => ({
      kind,
      name,
      file: name,
      call(asked) {
        calls.push([...(asked as { args: readonly PyValue[] }).args])
        return { ...theirs, ...changes }[name.slice(name.lastIndexOf(':') + 1)] ?? null
      },
    }),
  }
  const found: ComparedDataset[] = []
  for await (const each of compareWithOpenCompass(host, { file: '/c.py', folder: '/', datasets: [given] }, { rows: 10, prompts: 2 }))
    found.push(each)
  // The config's own number of the dataset is asked for.
  for (const [file, number] of calls.slice(1)) expect([file, number]).toEqual(['/c.py', 1])
  return found[0]
}

const rowsThere = theirs.rows as { count: number; rows: PyDict[] }

describe('a dataset beside OpenCompass', () => {
  test('is equal in rows, prompts and scores of the same predictions', async () => {
    expect(await compared()).toEqual({
      dataset: 'letters',
      rows: { kind: 'equal', count: 2 },
      prompts: { kind: 'equal', count: 2 },
      scores: { kind: 'equal', count: 2, shows: 'accuracy 50' },
    })
  })

  test.each([
    [
      'a value',
      { rows: { count: 2, rows: [rowsThere.rows[0]!, { question: 'Second?', answer: 'C' }] } },
      "row 1 › answer: 'B' here, 'C' there",
    ],
    ['a type', { rows: { count: 2, rows: [{ question: 'First?', answer: 1 }, rowsThere.rows[1]!] } }, "row 0 › answer: 'A' here, 1 there"],
    ['a column', { rows: { count: 2, rows: [{ question: 'First?', answer: 'A', hint: 'h' }] } }, "row 0 › hint: None here, 'h' there"],
    ['the number of rows', { rows: { count: 3, rows: rowsThere.rows } }, '2 rows here, 3 there'],
  ])('differs in %s of its rows: the first difference is shown', async (_, changes, at) => {
    expect((await compared(changes))?.rows).toEqual({ kind: 'different', at })
  })

  test('differs in a prompt: its place is shown', async () => {
    const { prompts } = (await compared({ prompts: [[['', 'Q: First?\nA:']], [['', 'Q: Second? \nA:']]] })) ?? {}
    expect(prompts).toEqual({ kind: 'different', at: "row 1: 'Q: Second?\\nA:' here, 'Q: Second? \\nA:' there (from character 10)" })
  })

  test('differs in a score; metrics of other names are told', async () => {
    expect((await compared({ scores: { accuracy: 75 } }))?.scores).toEqual({
      kind: 'different',
      at: 'accuracy: 50 here, 75 there, for 2 predictions',
    })
    const { scores } = (await compared({ scores: { f1: 75 } })) ?? {}
    expect(scores).toEqual({ kind: 'not-compared', why: 'no metric has the same name (here accuracy; there f1)' })
  })

  test('is not compared where it says why: another config, prompts that depend on replies, programs', async () => {
    const missing = await compared({ datasets: [{ abbr: 'other' }] })
    expect(missing?.rows).toMatchObject({ kind: 'not-compared', why: expect.stringContaining('no dataset of this name') })
    expect((await compared({ prompts: null }))?.prompts).toEqual({
      kind: 'not-compared',
      why: 'prompts of this inferencer depend on replies',
    })
    const judged: DatasetConfig = { ...dataset, eval_cfg: { evaluator: { type: 'MATHEvaluator' } } }
    expect((await compared({ scores: { accuracy: 50 } }, judged))?.scores.kind).not.toBe('different')
  })
})
