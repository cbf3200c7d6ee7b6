import { expect, test } from 'vitest'
import type { Note } from '../../../../../core/src/base/errors/note.ts'
import { withGivenAnswers } from '../loaders/given-answers.ts'
import { withOpponent } from './compared-dataset.ts'
import { withJudgeReader } from './judge-reader.ts'

const dataset = {
  abbr: 'arena',
  mode: 'm2n',
  infer_order: 'random',
  base_models: [{ abbr: 'gpt4' }, { abbr: 'other' }],
  given_pred: [{ abbr: 'gpt4', path: './data/base' }],
  summarizer: { type: 'ArenaHardSummarizer' },
  eval_cfg: { evaluator: { type: 'LMEvaluator', prompt_template: {} } },
}

test('the base model of a comparison goes to the evaluator, with a note on what differs', () => {
  const notes: Note[] = []
  const made = withOpponent(withJudgeReader(dataset), (note) => notes.push(note))
  expect(made.eval_cfg).toMatchObject({
    evaluator: { against_column: 'base_prediction', base_model: 'gpt4', dict_postprocessor: { type: 'arenahard_postprocess' } },
  })
  expect(notes.map(({ code }) => code)).toEqual(['base-models', 'both-orders'])
  expect(withOpponent({ ...dataset, given_pred: [] }, () => {}).eval_cfg).toMatchObject({ evaluator: { against: 'gpt4' } })
  for (const other of [
    { ...dataset, mode: 'singlescore' },
    { ...dataset, base_models: undefined },
  ])
    expect(withOpponent(other, () => {})).toBe(other)
})

test('a judge whose replies only a summarizer reads gets a postprocessor that does', () => {
  const evaluator = { type: 'LMEvaluator', prompt_template: {} }
  const read = (entry: object) => withJudgeReader({ ...entry, eval_cfg: { evaluator } }).eval_cfg
  expect(read({ summarizer: { type: 'opencompass.summarizers.FofoSummarizer' } })).toEqual({
    evaluator: { ...evaluator, dict_postprocessor: { type: 'fofo_postprocess' } },
  })
  expect(read({ type: 'FlamesDataset' })).toMatchObject({ evaluator: { dict_postprocessor: { type: 'flames' } } })
  // A comparison is not read as marks, and names in a file find no members of objects.
  for (const other of [{ mode: 'm2n', type: 'FlamesDataset' }, { type: 'constructor' }, { summarizer: { type: '__proto__' } }])
    expect(read(other)).toEqual({ evaluator })
})

test('its answers are read from a file that is called like the dataset, one for each row', async () => {
  const compared = withOpponent(dataset, () => {})
  const filesOf = (files: Record<string, string>) => ({
    environment: {},
    kind: async (path: string) => (files[path] === undefined ? undefined : ('file' as const)),
    bytes: async (path: string) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path])),
    names: async () => undefined,
  })
  const files = { 'data/base/arena.json': JSON.stringify({ 0: { prediction: 'one' } }) }
  const given = Object.fromEntries(['', './'].flatMap((start) => Object.entries(files).map(([path, text]) => [`${start}${path}`, text])))
  expect(await withGivenAnswers(compared, [{ question: 'q' }], filesOf(given))).toEqual([{ question: 'q', base_prediction: 'one' }])
  await expect(withGivenAnswers(compared, [{}, {}], filesOf(given))).rejects.toThrow('no prediction for row 1')
  await expect(withGivenAnswers(compared, [{}], filesOf({}))).rejects.toThrow(expect.objectContaining({ code: 'missing-data' }))
  const rows = [{}]
  expect(await withGivenAnswers(dataset, rows, filesOf({}))).toBe(rows)
})
