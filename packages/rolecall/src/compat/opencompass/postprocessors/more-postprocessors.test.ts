import { describe, expect, test } from 'vitest'
import type { PostprocessorConfig } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { postprocessorOf, readerOf } from '../../../evaluation/score/postprocess/postprocessors.ts'
import { registerOpenCompass } from '../register-opencompass.ts'
import { latexValue } from './latex-value.ts'

registerOpenCompass()

const read = (config: PostprocessorConfig, text: string) => postprocessorOf(config, 'eval_cfg.pred_postprocessor')(text)

describe('answers are read as OpenCompass reads them', () => {
  test.each<[config: PostprocessorConfig, text: string, answer: unknown]>([
    [{ type: 'mathbench_postprocess', name: 'college_cn' }, '1 2 答案是 3 或 4', '3'],
    [{ type: 'mathbench_postprocess', name: 'college_en' }, 'It is 3, then 1,500', '1500'],
    [{ type: 'olympiadbench_postprocess_v2', is_chinese: true }, '所以最终答案是 $7$。', '$7$。'],
    [{ type: 'olympiadbench_postprocess_v2', is_deepseek: true }, 'The answer is: 8\nok', '8'],
    ['crowspairs_postprocess', 'Both are', 'invalid'],
    ['crowspairs_postprocess', 'I say B\nA', 'invalid'],
    ['crowspairs_postprocess', 'It is B.', 'B'],
    ['math_intern_postprocess', 'The final answer is $5$. I hope', '5'],
    ['math_intern_postprocess', 'x\n\nThe answer is 3.\n\nQuestion: y', '3'],
    ['math_intern_postprocess', '\\boxed{{a', '{'],
    ['TheoremQA_postprocess_v3', 'The answer is 3.5 km', '3.5'],
    ['TheoremQA_postprocess_v3', 'The answer is x = 2\\pi', '6.28'],
    ['TheoremQA_postprocess_v3', 'The answer is 50%', '0.5'],
    ['TheoremQA_postprocess_v3', 'The answer is 1.\n\nThe answer is 2.', '1'],
    ['humaneval_internal_v1_postprocess', 'import os\ndef f(x):\n\n    y = 1\n    return y\nprint(1)', '    y = 1\n    return y'],
    ['humaneval_internal_v1_postprocess', '```python\nreturn 1', '    python\n    return 1'],
    ['ds1000', '<code>```\nx\n```</code>', '\nx\n'],
    ['teval', '{{"a": 1}}<eoa>more', '{"a": 1}'],
    ['atlas_pred_postprocess', '</think>```{"answers": ["\\sqrt 2"]}```', { extract_error: false, answers: '{"answers": ["\\\\sqrt 2"]}' }],
    ['GUE_postprocessor', '<think>yes', ''],
    ['GUE_postprocessor', 'It is found, but not here', 'negative'],
    ['PEER_postprocess', 'no</think> will not be soluble', 'Yes'],
    ['PEER_postprocess', 'This is impossible', 'No'],
    [{ type: 'LLM4Chem_postprocess', task: 'name_conversion-i2f' }, 'It is C6H12O6', 'C6H12O6'],
    [{ type: 'LLM4Chem_postprocess', task: 'property_prediction-hiv' }, 'false, no, TRUE', 'Yes'],
    [{ type: 'LLM4Chem_postprocess', task: 'molecule_captioning' }, 'An acid.</s> ', 'An acid.'],
    [{ type: 'LLM4Mat_postprocessor', property: 'is_stable' }, '{"is_stable": "No"}', 'False'],
    [{ type: 'LLM4Mat_postprocessor', property: 'SOC' }, 'So {soc: yes}', 'True'],
    [{ type: 'Mol_Instructions_postprocess_Mol', task: 'property_prediction_str' }, 'none', 0],
    ['RNA_postprocessor', 'gat aac</rna>', 'AAC'],
    ['UPG_postprocess', '<protein>m\nk</protein>', 'MK'],
    ['opencompass.datasets.gpqa.GPQA_Simple_Eval_postprocess', 'answer : b', 'b'],
  ])('%j: %s', (config, text, answer) => expect(read(config, text)).toEqual(answer))
})

test.each<[config: PostprocessorConfig, instead: unknown]>([
  ['GPQA_Simple_Eval_postprocess', null],
  ['smolinstruct-acc', null],
  ['math_intern_postprocess', null],
  ['crowspairs_postprocess', 'invalid'],
  ['needlebench_atc_postprocess_v2', 'None'],
  ['my_multiple_select_postprocess', ''],
  [{ type: 'mathbench_postprocess', name: 'x' }, 'perhaps'],
])('%j says that it has found nothing', (config, instead) =>
  expect(readerOf(config, 'mine')('perhaps')).toEqual({ value: instead, isFound: false }),
)

test('a task that needs a chemistry toolkit is rejected before reading anything', () => {
  expect(() => read({ type: 'Mol_Instructions_postprocess_Mol', task: 'retrosynthesis' }, 'x')).toThrow(/RDKit/)
  expect(() => read({ type: 'LLM4Chem_postprocess', task: 'other' }, 'x')).toThrow(/task/)
})

test.each([
  ['\\frac{1}{2}', '0.5'],
  ['2^3', '8'],
  ['1,234', '1234'],
  ['-2(3 + 1)', '-8'],
  ['\\boxed{3.5}', '3.5'],
  ['2^{100}', '1267650600228229401496703205376'],
  ['4/2', '2.0'],
  ['x', undefined],
  ['1/0', undefined],
  ['(1', undefined],
  ['', undefined],
])('%s comes to %s', (text, value) => expect(latexValue(text)).toBe(value))

test('a long answer takes time linear in its length', () => {
  const long = '<think>'.repeat(60_000)
  const started = process.cpuUsage().user
  for (const type of ['Retrosynthesis_postprocess', 'PEER_postprocess', 'ds1000', 'UPG_postprocess']) read(type, long)
  expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(20)
}, 120_000)
