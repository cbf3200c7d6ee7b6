import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'
import type { Splits, Table } from '../table.ts'

const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')

test('PI-LLM: experiments are filtered, prompts are chats', async () => {
  const rows = [
    { experiment: 'exp_updates', prompt: '[{"role": "user", "content": "a"}]' },
    { experiment: 'extra_exp_updates_randomoff', prompt: 'plain' },
    { experiment: 'exp_keys', prompt: 'plain' },
  ]
  const files = filesOf({
    'pi/README.md': '---\nconfigs:\n- config_name: core\n  data_files:\n  - split: test\n    path: test.jsonl\n---\n',
    'pi/test.jsonl': lines(...rows),
  })
  const prompts = async (settings: object) =>
    ((await load('PILLMDataset', { path: 'pi', ...settings }, files)) as Table).rows.map((row) => (row as { prompt: unknown }).prompt)
  expect(await prompts({ experiment_filter: 'exp_updates' })).toEqual([[{ role: 'user', content: 'a' }]])
  expect(await prompts({ experiment_filter: 'exp_sequential' })).toEqual([[{ role: 'user', content: 'plain' }]])
  expect(await prompts({ max_samples: 2 })).toHaveLength(2)
})

test('ZebraLogic: choices have letters', async () => {
  const rows = [
    { choices: ['x', 'y'], answer: 'y' },
    { choices: ['x', 'y'], answer: 'z' },
  ]
  const files = filesOf({
    'z/README.md': '---\nconfigs:\n- config_name: mc_mode\n  data_files:\n  - split: test\n    path: test.jsonl\n---\n',
    'z/test.jsonl': lines(...rows),
  })
  const { test: table, train } = (await load('ZebraLogicDataset', { path: 'z' }, files)) as Splits
  expect(table!.rows).toMatchObject([{ formatted_choices: '(A) x (B) y', answer_label: 'B' }, { answer_label: 'z' }])
  expect(train).toEqual(table)
})

test('CMPhysBench and Inverse IFEval leave rows out', async () => {
  const files = filesOf({
    'c/train.jsonl': lines({ question: 'q', final_answer: ['1', '2'], topic: 't' }, { question: 'r', final_answer: [], topic: 't' }),
    'i/train.jsonl': lines(
      { language: 'english', instruction_types: 'a', prompt: 'p' },
      { language: 'chinese', instruction_types: 'b', prompt: 'q' },
    ),
  })
  expect(((await load('CMPhysBenchDataset', { path: 'c' }, files)) as Table).rows).toEqual([{ prompt: 'q', ground_truth: ['1', 't'] }])
  const inverse = async (settings: object) => ((await load('InverseIFEvalDataset', { path: 'i', ...settings }, files)) as Table).rows.length
  expect(await inverse({ language: 'chinese' })).toBe(1)
  expect(await inverse({ instruction_type: ['a', 'b'] })).toBe(2)
  expect(await inverse({ instruction_type: 'c' })).toBe(0)
  expect(await inverse({ max_samples: 1 })).toBe(1)
})

test('AA-LCR without its archive, or with a broken one, says so', async () => {
  const csv = { 'a/AA-LCR_Dataset.csv': 'document_category\nx\n' }
  await expect(load('AALCRDataset', { path: 'a' }, filesOf(csv))).rejects.toThrow('there is no extracted_text/AA-LCR_extracted-text.zip')
  await expect(load('AALCRDataset', { path: 'a' }, filesOf({ ...csv, 'a/AA-LCR_extracted-text.zip': 'PK' }))).rejects.toThrow(
    'not a ZIP archive',
  )
})

test('APPS from a folder of save_to_disk needs its list of files', async () => {
  const files = filesOf({ 'd/dataset_dict.json': '{"splits": ["test"]}' })
  await expect(load('APPS_miniDataset', { path: 'd' }, files)).rejects.toThrow('d/test/state.json')
})
