import { expect, test } from 'vitest'
import { filesOf, load } from '../../loaders/index.ts'
import type { Table } from '../../loaders/table.ts'
import { evalPlusProgram, evalPlusResult } from './evalplus-program.ts'

const task = {
  task_id: 'Mbpp/2',
  prompt: '',
  canonical_solution: '',
  entry_point: 'f',
  atol: 0,
  base_input: [],
  plus_input: [],
  contract: '',
}

test('rows get the inputs of EvalPlus from its own file', async () => {
  const rows = 'd.jsonl'
  const problem = JSON.stringify({ task_id: 'Mbpp/2', text: 't', test_list: ['assert f(1)'] })
  const settings = { path: rows, with_evalplus: true }
  const files = { [rows]: problem, 'home/.cache/evalplus/MbppPlus-v0.1.0.jsonl': JSON.stringify({ ...task, atol: 1 }) }
  const newest = { ...files, 'home/.cache/evalplus/MbppPlus-v0.2.0.jsonl': JSON.stringify(task) }
  const loaded = async (given: Record<string, string>, environment = {}) =>
    ((await load('MBPPPlusDataset', settings, filesOf(given, { HOME: 'home', ...environment }))) as Table).rows[0]!
  const { contract: _, task_id: __, ...used } = task
  expect(await loaded(newest)).toMatchObject({ task_id: 'Mbpp/2', evalplus: used })
  expect(await loaded({ ...newest, mine: JSON.stringify({ ...task, atol: 3 }) }, { MBPP_OVERRIDE_PATH: 'mine' })).toMatchObject({
    evalplus: { atol: 3 },
  })
  await expect(loaded({ [rows]: problem })).rejects.toThrow(expect.objectContaining({ code: 'missing-data' }))
  await expect(loaded({ ...files, [rows]: problem.replace('/2', '/3') })).rejects.toThrow('EvalPlus has no task Mbpp/3')
})

test('rows from a hub get them, too', async () => {
  const row = JSON.stringify({ task_id: 'HumanEval/0', prompt: 'p' })
  const plus = JSON.stringify({ ...task, task_id: 'HumanEval/0' })
  const environment = { DATASET_SOURCE: 'HF', HUMANEVAL_OVERRIDE_PATH: 'plus.jsonl' }
  const files = { ...filesOf({ 'rows.jsonl': row, 'plus.jsonl': plus }, environment), split: async () => ['rows.jsonl'] }
  const settings = { path: 'opencompass/humaneval', with_evalplus: true }
  const { rows } = (await load('HumanevalDataset', settings, files)) as Table
  expect(rows).toMatchObject([{ task_id: 'HumanEval/0', evalplus: { entry_point: 'f' } }])
})

test("arguments that JSON cannot hold are made from it, for MBPP's functions", () => {
  const program = (id: string, of: 'humaneval' | 'mbpp') =>
    (evalPlusProgram({ task_id: id, evalplus: task }, 'x', of) as { code: string }).code
  expect(program('Mbpp/2', 'mbpp')).toContain("[[tuple(x) for x in a] for a in _task[\\'plus_input\\']], True)")
  expect(program('Mbpp/3', 'mbpp')).toContain("[a for a in _task[\\'plus_input\\']], True)")
  expect(program('HumanEval/2', 'humaneval')).toContain("[a for a in _task[\\'plus_input\\']], False)")
})

test('a program that was interrupted, or leaves no valid result, has not passed', () => {
  expect(evalPlusResult('left: {"base": true, "plus": true}')).toEqual({ base: true, plus: true })
  for (const said of ['passed', '{"base": true}', 'left: no JSON', 'left: [true]', 'failed: interrupted after 20 s'])
    expect(evalPlusResult(said)).toEqual({ base: false, plus: false })
})
