import { expect, test } from 'vitest'
import { fieldWarnings } from './field-warnings.ts'

const reader_cfg = { input_columns: ['question', 'hint'], output_column: 'answer' }
const places = (template: unknown, given: object = { reader_cfg }) =>
  fieldWarnings({ ...given, infer_cfg: { prompt_template: template } }, 'config.datasets[0]').map(({ where }) => where)

test('declared columns and the answer cause no warning', () => {
  expect(places({ template: '{question} {hint} {answer}' })).toEqual([])
})

test('an undeclared field causes a warning in any template', () => {
  const base = 'config.datasets[0].infer_cfg.prompt_template'
  expect(places({ template: '{x}' })).toEqual([`${base}.template`])
  expect(places({ template: { begin: '{x}', round: [{ role: 'HUMAN', prompt: '{question}{x}' }] } })).toEqual([
    `${base}.template.begin`,
    `${base}.template.round[0].prompt`,
  ])
  expect(places({ messages: ['</E>', { role: 'user', content: '{x}' }] })).toEqual([`${base}.messages[1].content`])
})

test('an ice_template is checked, too, but nothing else in infer_cfg', () => {
  const infer_cfg = { ice_template: { template: '{x}' }, retriever: { ice_separator: '{x}' } }
  expect(fieldWarnings({ reader_cfg, infer_cfg }, 'd').map(({ where }) => where)).toEqual(['d.infer_cfg.ice_template.template'])
})

test('only names are treated as fields', () => {
  expect(places({ template: '{} { x } {1} {"a": 1} {a.b} {a b} \\frac{1}{2}' })).toEqual([])
  expect(places({ template: '{选项}' })).toHaveLength(1)
})

test('without declared columns nothing is checked', () => {
  expect(places({ template: '{x}' }, {})).toEqual([])
  expect(places({ template: '{x}' }, { reader_cfg: { output_column: 'answer' } })).toEqual([])
})

test('a single column may be a string, and a missing answer null', () => {
  expect(places({ template: '{question} {x}' }, { reader_cfg: { input_columns: 'question', output_column: null } })).toHaveLength(1)
})

test('a similar column is suggested', () => {
  const [warning] = fieldWarnings({ reader_cfg, infer_cfg: { prompt_template: { template: '{Question}' } } }, 'd')
  expect(warning).toEqual({
    code: 'undeclared-field',
    where: 'd.infer_cfg.prompt_template.template',
    text: '{Question} is not among the declared columns (question, hint, answer); did you mean {question}?',
  })
})

test('a judge may also use the answer and the reference, but no misspelt field', () => {
  const warned = (template: string, reader = reader_cfg as object) =>
    fieldWarnings({ reader_cfg: reader, eval_cfg: { evaluator: { prompt_template: { template } } } }, 'd')
  expect(warned('{question} {prediction} {obj_gold} {reference}')).toEqual([])
  expect(warned('{predicton}')).toMatchObject([
    { where: 'd.eval_cfg.evaluator.prompt_template.template', text: expect.stringContaining('did you mean {prediction}?') },
  ])
  expect(warned('{obj_gold}', { input_columns: ['question'] })).toHaveLength(1)
})
