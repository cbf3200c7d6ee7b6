import { expect, test } from 'vitest'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import { compileDataset, type UncheckedPromptSettings } from './compile-dataset.ts'

const compile = (infer_cfg: UncheckedPromptSettings['infer_cfg'], rest: Partial<UncheckedPromptSettings> = {}) =>
  compileDataset({ infer_cfg, ...rest }, quirksOf(undefined))
const template = { template: '{q}' }

test('a lone ice_template also serves as the prompt_template', () => {
  const { prompt, ice } = compile({ ice_template: template })
  expect(prompt).toBe(ice)
})

test('a lone prompt_template has no examples', () => {
  expect(compile({ prompt_template: template })).not.toHaveProperty('ice')
})

test('a dataset without any template is an error', () => {
  const unchecked = {} as UncheckedPromptSettings
  expect(() => compileDataset(unchecked, quirksOf(undefined))).toThrow(expect.objectContaining({ code: 'missing', where: 'infer_cfg' }))

  expect(() => compile({}, { abbr: 'sums' })).toThrow(expect.objectContaining({ code: 'missing', where: 'sums › infer_cfg' }))
})

test('with both, the prompt_template must say where the examples go', () => {
  expect(() => compile({ prompt_template: template, ice_template: template })).toThrow(
    expect.objectContaining({ code: 'ice-token-missing', where: 'infer_cfg.prompt_template.ice_token' }),
  )
})

test('every path starts with the name of the dataset', () => {
  expect(compile({ prompt_template: template }, { abbr: 'sums' }).prompt.path).toBe('sums › infer_cfg.prompt_template')
})

test('newlines separate examples unless the retriever says otherwise, and ZeroRetriever ends with nothing', () => {
  const separators = (retriever?: UncheckedPromptSettings['infer_cfg']['retriever']) => {
    const { separator, eos, eosWithoutExamples } = compile({ prompt_template: template, retriever })
    return [separator, eos, eosWithoutExamples]
  }
  expect(separators({ type: 'ZeroRetriever' })).toEqual(['\n', '', ''])
  expect(separators({ type: 'opencompass.openicl.icl_retriever.ZeroRetriever' })).toEqual(['\n', '', ''])
  expect(separators({ type: 'FixKRetriever' })).toEqual(['\n', '\n', '\n'])
  expect(separators({ type: 'FixKRetriever', ice_separator: '', ice_eos_token: '!' })).toEqual(['', '!', '!'])
  expect(separators({ type: 'ZeroRetriever', ice_eos_token: '!' })).toEqual(['\n', '!', '!'])
  // Without a retriever there are no examples, unless a program or a request gives some.
  expect(separators()).toEqual(['\n', '\n', ''])
  expect(separators({ ice_eos_token: '!' })).toEqual(['\n', '!', '!'])
})

test('the answer is masked by an empty text, by the given token, or, for null, by None', () => {
  const mask = (token?: string | null) => compile({ prompt_template: template, inferencer: { gen_field_replace_token: token } }).mask
  expect([mask(), mask('___'), mask(null)]).toEqual(['', '___', 'None'])
})

test('labels come from the inferencer, else from the template', () => {
  const labels = { template: { A: 'a', B: 'b' } }
  expect(compile({ prompt_template: labels }).labels).toEqual(['A', 'B'])
  expect(compile({ prompt_template: labels, inferencer: { labels: ['B'] } }).labels).toEqual(['B'])
  const numbers = { template: { 0: 'no', 1: 'yes' } }
  expect(compile({ prompt_template: numbers, inferencer: { labels: [1, 0] } }).labels).toEqual(['1', '0'])
  expect(compile({ prompt_template: template })).not.toHaveProperty('labels')
  expect(compile({ prompt_template: { template: { round: ['x'] } } })).not.toHaveProperty('labels')
})

test('the answer column comes from reader_cfg, and null means none', () => {
  expect(compile({ prompt_template: template }, { reader_cfg: { output_column: 'a' } }).outputColumn).toBe('a')
  expect(compile({ prompt_template: template }, { reader_cfg: { output_column: null } })).not.toHaveProperty('outputColumn')
})
