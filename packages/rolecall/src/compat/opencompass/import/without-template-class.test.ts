import { expect, test } from 'vitest'
import { olympiadPrompt } from '../loaders/families/olympiad-prompt.ts'
import { filesOf, load } from '../loaders/index.ts'
import type { Splits } from '../loaders/table.ts'
import { withoutTemplateClass } from './without-template-class.ts'

const problem = {
  question: '{x}?',
  final_answer: ['1'],
  language: 'English',
  subject: 'Math',
  question_type: 'Open-ended',
  answer_type: 'Numerical',
  is_multiple_answer: false,
  unit: '',
  error: null,
}

test('a template that is a class becomes a template with the column of its loader', () => {
  const entry = withoutTemplateClass({
    type: 'opencompass.datasets.OlympiadBenchDataset',
    reader_cfg: { input_columns: ['problem'] },
    infer_cfg: { prompt_template: { type: 'OlympiadBenchRawTemplate' } },
  })
  expect(entry).toMatchObject({
    with_prompt: true,
    reader_cfg: { input_columns: ['problem', 'prompt'] },
    infer_cfg: { prompt_template: { messages: [{ role: 'user', content: '{prompt}' }] } },
  })
})

test('other templates and loaders stay as they are', () => {
  const entry = { type: 'GSM8KDataset', infer_cfg: { prompt_template: { type: 'OlympiadBenchTemplate' } } }
  expect(withoutTemplateClass(entry)).toBe(entry)
})

test('the loader writes the prompt into a column, if asked to', async () => {
  const files = filesOf({ 'data/p.json': JSON.stringify([problem]) })
  const columns = async (settings: object) => {
    const loaded = await load('OlympiadBenchDataset', { path: 'data', name: 'p', ...settings }, files)
    return (loaded as Splits).test!.columns
  }
  expect(await columns({})).not.toContain('prompt')
  expect(await columns({ with_prompt: true })).toContain('prompt')
})

test('a type of answer that OpenCompass does not know is an error', () => {
  expect(() => olympiadPrompt(new Map(Object.entries({ ...problem, answer_type: 'Poem' }) as never))).toThrow(
    '"Poem" is not a type of answer',
  )
})
