import { expect, test } from 'vitest'
import { fieldWarnings } from './field-warnings.ts'

const reader_cfg = { input_columns: ['question', 'hint'], output_column: 'answer' }
const places = (template: unknown, given: object = { reader_cfg }) =>
  fieldWarnings({ ...given, infer_cfg: { prompt_template: template } }, 'config.datasets[0]').map(({ where }) => where)

test('declared columns and the answer are no surprise', () => {
  expect(places({ template: '{question} {hint} {answer}' })).toEqual([])
})

test('a field outside of them is, wherever a template has it', () => {
  const base = 'config.datasets[0].infer_cfg.prompt_template'
  expect(places({ template: '{x}' })).toEqual([`${base}.template`])
  expect(places({ template: { begin: '{x}', round: [{ role: 'HUMAN', prompt: '{question}{x}' }] } })).toEqual([
    `${base}.template.begin`,
    `${base}.template.round[0].prompt`,
  ])
  expect(places({ messages: ['</E>', { role: 'user', content: '{x}' }] })).toEqual([`${base}.messages[1].content`])
})

test('in an ice_template, too, but in nothing else of infer_cfg', () => {
  const infer_cfg = { ice_template: { template: '{x}' }, retriever: { ice_separator: '{x}' } }
  expect(fieldWarnings({ reader_cfg, infer_cfg }, 'd').map(({ where }) => where)).toEqual(['d.infer_cfg.ice_template.template'])
})

test('only what looks like a name is taken for a field', () => {
  expect(places({ template: '{} { x } {1} {"a": 1} {a.b} {a b} \\frac{1}{2}' })).toEqual([])
  expect(places({ template: '{选项}' })).toHaveLength(1)
})

test('without declared columns there is nothing to compare with', () => {
  expect(places({ template: '{x}' }, {})).toEqual([])
  expect(places({ template: '{x}' }, { reader_cfg: { output_column: 'answer' } })).toEqual([])
})

test('one column may be given as a string, and no answer as null', () => {
  expect(places({ template: '{question} {x}' }, { reader_cfg: { input_columns: 'question', output_column: null } })).toHaveLength(1)
})

test('a near column is suggested', () => {
  const [warning] = fieldWarnings({ reader_cfg, infer_cfg: { prompt_template: { template: '{Question}' } } }, 'd')
  expect(warning).toEqual({
    code: 'undeclared-field',
    where: 'd.infer_cfg.prompt_template.template',
    text: '{Question} is not among the declared columns (question, hint, answer); did you mean {question}?',
  })
})

test('a judge may be shown the answer and the right one as well, and nothing that is misspelt', () => {
  const warned = (template: string, reader = reader_cfg as object) =>
    fieldWarnings({ reader_cfg: reader, eval_cfg: { evaluator: { prompt_template: { template } } } }, 'd')
  expect(warned('{question} {prediction} {obj_gold} {reference}')).toEqual([])
  expect(warned('{predicton}')).toMatchObject([
    { where: 'd.eval_cfg.evaluator.prompt_template.template', text: expect.stringContaining('did you mean {prediction}?') },
  ])
  expect(warned('{obj_gold}', { input_columns: ['question'] })).toHaveLength(1)
})
