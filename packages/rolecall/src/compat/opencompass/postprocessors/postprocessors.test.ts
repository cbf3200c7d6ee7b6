import { describe, expect, test } from 'vitest'
import { postprocessorOf, postprocessors, readerOf, readerOfAll } from '../../../evaluation/score/postprocess/postprocessors.ts'
import { pythonPostprocessors } from '../../own-python/python-postprocessor.ts'
import { registerOpenCompass } from '../register-opencompass.ts'

registerOpenCompass()

const run = (config: Parameters<typeof postprocessorOf>[0], text: string) => postprocessorOf(config, 'eval_cfg.pred_postprocessor')(text)

describe('answers are read as OpenCompass reads them', () => {
  const cases: [config: Parameters<typeof postprocessorOf>[0], text: string, answer: unknown][] = [
    ['general', 'An apple. Or two.', 'apple'],
    ['first-capital', 'so Ⓐ', 'Ⓐ'],
    ['last-capital', 'A or B?', 'B'],
    ['multiple-select', 'B, A and B', 'AB'],
    [{ type: 'first_option_postprocess', options: 'ABCD' }, 'The answer is (C).', 'C'],
    [{ type: 'first_option_postprocess', options: 'ABCD', cushion: false }, 'perhaps C or D, so', ''],
    [{ type: 'first_option_postprocess', options: 'ABCD' }, '答案是：B', 'B'],
    [{ type: 'last_option_postprocess', options: 'ABCD' }, 'A, then B', 'B'],
    [{ type: 'match_answer_pattern', answer_pattern: String.raw`(?i)answer\s*:\s*([A-D])` }, 'ANSWER : C', 'C'],
    ['extract-non-reasoning-content', '<think>hm</think> yes', 'yes'],
    [{ type: 'specific-xml-tag', tag: '<conclude>' }, '<conclude> A </conclude>', 'A'],
    ['gsm8k', 'So 3 + 4 = 7.', '7'],
    ['last_number', 'So it is 1,005.', '1005'],
    ['last_number', 'From 12 to -3,000,000.50! Question: 4', '-3000000.50'],
    ['last_number', '1,2345 is badly written', '2345'],
    ['last_number', 'none', 'NULL'],
    ['gsm8k_dataset', 'so 3+4=7\n#### 1,007', '1007'],
    [{ type: 'mgsm_postprocess', lang: 'de' }, 'Antwort: 1,234.', '1234'],
    ['math_postprocess_v2', String.raw`so \boxed{{\frac{1}{2}}}`, String.raw`\frac{1}{2}`],
    ['bbh-freeform', 'So the answer is **no**, because', 'No'],
    ['humaneval_postprocess_v2', '```python\n    return 1\n```', 'return 1\n'],
    ['first-capital-multi', 'So BD, then A', 'BD'],
    [{ type: 'think_pred', re_pattern: '(?s)</think>(.*)' }, '<think>x\ny</think> B ', 'B'],
    ['math_judement_preprocess', 'ok\nAnswer: x+1\nend', 'x+1'],
    ['gsm100', 'First. The answer is $5,600.', '5600'],
    ['gsm100_dataset', '7,654', '7654'],
    ['scibench', String.raw`2, so \boxed{3.5}`, '3.5'],
    ['bbeh_freeform', 'The answer is: **Maybe So**\nx', 'maybe so'],
    ['bbeh_mcq', 'The answer is: (D)', 'd'],
    ['bbh-mcq', 'A? No, so the answer is (C).', 'C'],
    ['strategyqa', 'Yes and no. So the answer is no.', 'no'],
    ['strategyqa_dataset', 'False', 'no'],
    ['TheoremQA', 'Therefore the answer is 12.', '12'],
    ['TheoremQA_postprocess_v2', 'We add.\nThus x is 12', '12'],
    ['cmrc', '文中说，答案是巴黎', '巴黎'],
    ['lcsts', '1. 某条新闻。\n2. 另一条', '某条新闻'],
    ['ReCoRD', 'Answer: Rome\nbecause', 'Rome'],
    ['Xsum', '  A short one. \nmore', 'A short one.'],
    ['humaneval_internal_v2_postprocess', '    return 2\n\ndef other():\n    pass', '    return 2\n'],
    ['humaneval_postprocess_v3', '```\nx\n```\n```py\ny\n```', 'y\n'],
    ['generic_llmjudge_postprocess', 'I say B', 'B'],
    ['generic_llmjudge_postprocess', 'no idea', 'unknown'],
    [{ type: 'regex', pattern: String.raw`\d+`, take: 'last' }, '1 or 2', '2'],
    [(text: string) => text.length, 'four', 4],
  ]
  for (const [config, text, answer] of cases)
    test(`${JSON.stringify(config) ?? 'a function'}: ${text}`, () => expect(run(config, text)).toEqual(answer))
})

describe("every postprocessor's worked example from the docs", () => {
  // Users' own code: src/compat/own-python/worked-examples.test.ts. Tests that ran before in this process may have registered it.
  const ownNames = pythonPostprocessors.flatMap(({ names }) => names)
  for (const { names, example, needsWords } of new Set(postprocessors.values())) {
    const { options, answer, becomes } = example
    // Words come from an optional package: src/node/jieba-words.test.ts runs these.
    if (!needsWords && !ownNames.includes(names[0]!))
      test(names[0]!, () => expect(run({ type: names[0]!, ...options }, answer)).toEqual(becomes))
  }
})

test("a postprocessor is found by its class path, as in OpenCompass's configs", () => {
  expect(run('opencompass.utils.text_postprocessors.first_capital_postprocess', 'x Y')).toBe('Y')
})

test('a misspelt name, a misspelt option and a missing one are rejected with a fix', () => {
  expect(() => run('genral', 'x')).toThrow(/Did you mean "general"/)
  expect(() => run({ type: 'last_option_postprocess', option: 'AB' }, 'x')).toThrow(/option/)
  expect(() => run('mgsm_postprocess', 'x')).toThrow(/lang/)
})

test('Chinese word segmentation reports what to install, or accepts a function', () => {
  expect(() => run('general_cn', '今天')).toThrow('Install it: npm install jieba-wasm')
  const words = (text: string) => text.split(/(?<=天)/)
  expect(postprocessorOf('flores_postprocess_chinese', 'mine', { words })('今天天气\n很好')).toBe('今天 天 气')
})

test('a pattern without a group is reported', () => {
  expect(() => run({ type: 'match_answer_pattern', answer_pattern: 'abc' }, 'abc')).toThrow(/parentheses around the answer/)
})

describe('unparsed answers', () => {
  const unreadable: [config: Parameters<typeof readerOf>[0], text: string, instead: unknown][] = [
    ['first-capital', 'no idea', ''],
    ['first-capital-multi', 'No idea', ''],
    ['multiple-select', 'no idea', ''],
    [{ type: 'first_option_postprocess', options: 'ABCD' }, 'no idea', ''],
    [{ type: 'last_option_postprocess', options: 'ABCD' }, 'no idea', ''],
    ['first_number_postprocess', 'no idea', null],
    [{ type: 'match_answer_pattern', answer_pattern: 'ANSWER: (.)' }, 'no idea', ''],
    [{ type: 'think_pred', re_pattern: '<(.)>' }, 'no idea', 'no idea'],
    [{ type: 'specific-xml-tag', tag: '<a>' }, 'no idea', 'NO ANSWER FOUND'],
    [{ type: 'regex', pattern: '[A-D]' }, 'no idea', 'no idea'],
    [{ type: 'regex', pattern: '[A-D]', otherwise: '?' }, 'no idea', '?'],
    ['gsm8k', 'no idea', 'NULL'],
    ['last_number', 'no idea', 'NULL'],
    ['math_postprocess_v2', 'No. Idea', 'No'],
    ['cmrc', 'no idea', 'no idea'],
    ['generic_llmjudge_postprocess', 'no idea', 'unknown'],
    [() => undefined, 'no idea', ''],
  ]
  test.each(unreadable)('%j says so', (config, text, instead) => {
    expect(readerOf(config, 'mine')(text)).toEqual({ value: instead, isFound: false })
    expect(postprocessorOf(config, 'mine')(text)).toEqual(instead)
  })

  test('a postprocessor that only rewrites an answer never counts as failed', () => {
    const pattern = { type: 'regex', pattern: 'is (.*)' }
    expect(readerOf(['general', pattern], 'mine')('It is A cat.')).toEqual({ value: 'cat', isFound: true })
    expect(readerOf([pattern, 'general'], 'mine')('A cat.')).toEqual({ value: 'cat', isFound: false })
    expect(
      readerOf(
        [
          { type: 'regex', pattern: 'so (.*)' },
          { type: 'regex', pattern: '[A-D]' },
        ],
        'mine',
      )('B'),
    ).toEqual({ value: 'B', isFound: true })
  })

  test('an error in one of several postprocessors names its location', () => {
    expect(() => readerOf(['general', 'genral'], 'eval_cfg.pred_postprocessor')).toThrow(/pred_postprocessor\[1\].*genral/s)
  })

  test("the model's postprocessor takes precedence over the dataset's", () => {
    const places = [
      { config: { type: 'regex', pattern: '<(.*)>' }, where: 'model' },
      { config: ['last_number'], where: 'dataset' },
    ]
    expect(readerOfAll(places)('<3> 4').value).toBe('3')
  })
})
