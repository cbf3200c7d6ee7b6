import { describe, expect, test } from 'vitest'
import type { PostprocessorConfig } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { postprocessorOf } from '../../../evaluation/score/postprocess/postprocessors.ts'
import { registerOpenCompass } from '../register-opencompass.ts'

registerOpenCompass()

// Both sides of each postprocessor rule; cases/scoring covers whole answers as OpenCompass reads them.

const option = (options: object = {}) => ({ type: 'first_option', options: 'ABCD', ...options })
const regex = (pattern: string, more: object = {}) => ({ type: 'regex', pattern, ...more })

describe.each<[name: string, config: PostprocessorConfig, rows: [text: string, becomes: unknown][]]>([
  [
    'general',
    'general',
    [
      ['a,b', ''],
      ['x.y', 'x'],
      ['x\ny', 'x'],
      ['The  big (red) cat', 'big red cat'],
      ['An other theory of a thing', 'other theory of thing'],
      ['', ''],
    ],
  ],
  [
    'BBH, free',
    'bbh-freeform',
    [
      ['The ANSWER IS : x', 'x'],
      ['the answer is a. So the answer is b', 'b'],
      ['one\ntwo', 'one'],
      ['TRUE, of course', 'True'],
      ['false', 'False'],
      ['YES', 'Yes'],
      ['nobody', 'nobody'],
      ['falsehood', 'falsehood'],
      ['a, b ,c', 'a b c'],
      ['1, 2', '1, 2'],
      ['a   b', 'a b'],
      ['x **y z** w', 'y z'],
      ['x .', 'x'],
      ['x..', 'x.'],
    ],
  ],
  [
    'BBH, options',
    'bbh-mcq',
    [
      ['A then the answer is (B) or the answer is (C)', 'B'],
      ['(x) or B', 'B'],
      ['A or (C)', 'C'],
      ['the answer is none', 'none'],
    ],
  ],
  [
    'BBEH, free',
    'bbeh_freeform',
    [
      ['The answer is A. The answer is B', 'b'],
      ['The final answer is: X Y\nz', 'x y'],
      ['The final answer is X', 'x'],
      ['\\boxed{X} \\text{Y} \\texttt{Z} **W**', 'x y z w'],
      [' Plain ', 'plain'],
    ],
  ],
  [
    'BBEH, options',
    'bbeh_mcq',
    [
      ['The answer is (B)', 'b'],
      ['The answer is: ((C', 'c'],
      ['(A) or\n(B)', 'a) or'],
      ['D', 'd'],
    ],
  ],
  [
    'StrategyQA',
    'strategyqa',
    [
      ['No', 'no'],
      ['Perhaps. The answer is Yes, no.', 'yes'],
      ['yes. So the answer is no', 'no'],
      ['so the answer is yes. Or the answer is no', 'no'],
      ['maybe\n\nyes', ''],
    ],
  ],
  [
    'StrategyQA, gold',
    'strategyqa_dataset',
    [
      ['True', 'yes'],
      ['true', 'no'],
      ['False', 'no'],
    ],
  ],
  [
    'TheoremQA',
    'TheoremQA',
    [
      [' so the answer is "4". The answer is 5', '4'],
      ['answer is x;', 'x'],
      [' none ', 'none'],
    ],
  ],
  [
    'TheoremQA, second version',
    'TheoremQA_postprocess_v2',
    [
      ['x is 1\nso y is 2', '2'],
      ['it must be a b.', 'a b'],
      ['they are 3', '3'],
      ['Answer: 4', '4'],
      ['is it be 5', '5'],
      ['this was 6', 'this was 6'],
      ['x is 7\n\n', '7'],
    ],
  ],
  [
    'GSM8K',
    'gsm8k',
    [
      ['1, -2.5', '-2.5'],
      ['3 Question: 4', '3'],
      ['1.', '1'],
      ['1 2', '2'],
      ['x', 'NULL'],
    ],
  ],
  [
    'the last number',
    'last_number',
    [
      ['1,234 Question: 9', '1234'],
      ['12,345,678.90', '12345678.90'],
      ['1,23', '23'],
      ['-1', '-1'],
    ],
  ],
  [
    'GSM100',
    'gsm100',
    [
      ['The answer is x 1,2a3 45', '123'],
      ['The answer is 1. The answer is 2', '1'],
      ['7', ''],
      ['The answer is none', ''],
    ],
  ],
  [
    'SciBench',
    'scibench',
    [
      ['1 answer is 2', '2'],
      ['1 answer is 2 answer is 3', '2'],
      ['1 \\boxed{x} 2 \\boxed{y}', 'x'],
      ['12,345 and 6,7', '67'],
      ['-.5', '-.5'],
      ['1 2 3', '3'],
      ['x answer is y', 'y'],
    ],
  ],
  [
    'CMRC',
    'cmrc',
    [
      ['答案是a答案是b', 'a'],
      ['a', 'a'],
    ],
  ],
  [
    'LCSTS',
    'lcsts',
    [
      ['1. a 1. b', 'a b'],
      ['- a - b', 'a b'],
      ['x 1. y', 'x 1. y'],
      ['“a”！', 'a'],
      [' a \nb', 'a'],
    ],
  ],
  [
    'FLORES',
    'flores',
    [
      ['\n a \nb', 'a '],
      ['a', 'a'],
    ],
  ],
  ['XSum', 'Xsum', [['\n a \nb', 'a']]],
  [
    'ReCoRD',
    'ReCoRD',
    [
      ['Answer: a Answer: b\nc', 'a b'],
      [' a', 'a'],
    ],
  ],
  [
    'code, second version',
    'humaneval_postprocess_v2',
    [
      ['x ```py\n  a\n``` ```\nb\n```', 'a\n'],
      ['  a', 'a'],
      ['```py\na', '```py\na'],
    ],
  ],
  [
    'code, third version',
    'humaneval_postprocess_v3',
    [
      ['```py\na\n``` ```\n  b\n```', 'b\n'],
      ['  a', 'a'],
    ],
  ],
  [
    'code that completes a function',
    'humaneval_internal_v2_postprocess',
    [
      ['   a\n    b', '    a\n    b'],
      ['    a\n\n    b\nc', '    a\n\n    b'],
      ['  a\nb', '  a'],
      ['    a\n\n\n    b', '    a'],
      ['    a\n```\n    b', '    a'],
      ['a', ''],
      ['    a', '    a'],
    ],
  ],
  [
    'without what the model thought',
    'extract-non-reasoning-content',
    [
      ['<think>a</think> b <think>c\nd</think> e', 'b  e'],
      ['a</think> b </think> c ', 'c'],
      ['<think>a', '<think>a'],
      [' a ', 'a'],
    ],
  ],
  [
    'without what the model thought, in marks of its own',
    { type: 'extract_non_reasoning_content', think_start_token: '<r>', think_end_token: '</r>' },
    [
      ['<r>a</r>b', 'b'],
      ['<think>a</think>b', '<think>a</think>b'],
    ],
  ],
  [
    'an element',
    { type: 'specific-xml-tag', tag: '<a>' },
    [
      ['<a>1</a><a> 2\n3 </a>', '2\n3'],
      ['<a>1', 'NO ANSWER FOUND'],
    ],
  ],
  [
    'a pattern',
    regex('x(.)'),
    [
      ['x1 x2', '1'],
      ['y', 'y'],
    ],
  ],
  [
    'the last match of a pattern',
    regex('x(.)', { take: 'last' }),
    [
      ['x1 x2 x3', '3'],
      ['y', 'y'],
    ],
  ],
  [
    'a pattern, otherwise',
    regex('x(.)', { otherwise: '' }),
    [
      ['x1', '1'],
      ['y', ''],
    ],
  ],
  [
    'a group that took no part',
    { type: 'match_answer_pattern', answer_pattern: 'a(b)?' },
    [
      ['ab', 'b'],
      ['ac', ''],
    ],
  ],
  [
    'thought, then said',
    { type: 'think_pred', re_pattern: 'a( b)?' },
    [
      ['a b', 'b'],
      ['ac', ''],
      [' x ', ' x '],
    ],
  ],
  [
    'the first number',
    'first_number',
    [
      ['a -1.5 2', -1.5],
      ['.5', 0.5],
      ['1.5 2', 1.5],
      ['none', null],
    ],
  ],
  [
    'capitals',
    'first-capital',
    [
      ['abÉ C', 'É'],
      ['none', ''],
    ],
  ],
  [
    'the last capital',
    'last-capital',
    [
      ['A B c', 'B'],
      ['none', ''],
    ],
  ],
  [
    'several capitals',
    'multiple-select',
    [
      ['C, A, B, A', 'ABC'],
      ['none', ''],
    ],
  ],
  [
    'a run of capitals',
    'first-capital-multi',
    [
      ['E, then BC and D', 'BC'],
      ['E', ''],
    ],
  ],
  [
    'a verdict',
    { type: 'generic_llmjudge_postprocess', true_tag: 'C+', false_tag: 'I' },
    [
      ['C', 'unknown'],
      ['It is C+', 'I'],
      ['so C+', 'C+'],
    ],
  ],
  [
    'MATH',
    'math_postprocess',
    [
      ['One. The Final Answer is $2$. Three', '2'],
      ['One. Two', 'One'],
    ],
  ],
  [
    'MATH, second version',
    'math_postprocess_v2',
    [
      ['One. The answer is $2$. Three', '2'],
      ['One. The Final Answer: $3$', '3'],
      ['\\boxed{4}. The answer is 5', '4'],
      ['\\boxed{}. The answer is 5', '5'],
      ['One. Two', 'One'],
    ],
  ],
  [
    'a judged answer of MATH',
    'math_judement_preprocess',
    [
      ['answer :  x y\nz', 'x y'],
      ['none', ''],
    ],
  ],
  [
    'an option that is announced',
    option(),
    [
      ['The answer is B, not A!', 'B'],
      ['A or B. 答案是C', 'C'],
      ['D: because of this', 'D'],
      ['is it c, A or B?', 'A'],
      ['none', ''],
    ],
  ],
  [
    'an option that must be announced',
    option({ cushion: false }),
    [
      ['perhaps xA or xB, so', ''],
      ['ANSWER: D', 'D'],
    ],
  ],
  [
    'the last option',
    { type: 'last_option', options: 'AB' },
    [
      ['A, B, C', 'B'],
      ['C', ''],
    ],
  ],
])('%s', (_, config, rows) => {
  const read = postprocessorOf(config, 'mine')
  test.each(rows)('%j becomes %j', (text, becomes) => expect(read(text)).toEqual(becomes))
})
