import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import type { PyValue } from '../../../../core/src/base/python/index.ts'
import { evaluateAnswers } from '../../evaluation/score/evaluate/evaluate-answers.ts'
import { type EvaluatorConfig, evaluatorOf } from '../../evaluation/score/evaluate/evaluators.ts'
import type { PostprocessorConfig } from '../../evaluation/score/postprocess/postprocessor.ts'
import { postprocessorOf } from '../../evaluation/score/postprocess/postprocessors.ts'
import { comparePaired } from '../../evaluation/score/statistics/paired.ts'
import { registerOpenCompass } from './register-opencompass.ts'

registerOpenCompass()

// Names in configs and in stored runs: removing one, or changing its metric, breaks both.

const words = (text: string) => [...text]

describe('an evaluator has its names, and one main metric', () => {
  type Row = [names: string, metric: string, unit: string, needsReference: boolean, interval?: 'scores' | 'none']
  const rows: Row[] = [
    ['AccEvaluator', 'accuracy', 'percent', true],
    ['AccwithDetailsEvaluator', 'accuracy', 'percent', true],
    ['MGSM_Evaluator', 'accuracy', 'percent', true],
    ['BBHEvaluator', 'score', 'percent', true],
    ['BBHEvaluator_mcq', 'score', 'percent', true],
    ['dropOpenAIEvaluator DropOpenAIEvaluator', 'accuracy', 'percent', true],
    ['EMEvaluator', 'score', 'percent', true],
    ['LambadaEvaluator', 'accuracy', 'percent', true],
    ['NQEvaluator', 'score', 'percent', true],
    ['SQuAD20Evaluator', 'score', 'percent', true],
    ['TriviaQAEvaluator', 'score', 'percent', true],
    ['SquadEvaluator', 'f1', 'percent', true, 'scores'],
    ['Gsm8kEvaluator', 'accuracy', 'percent', true],
    ['Math401Evaluator', 'accuracy', 'percent', true],
    ['MATHEvaluator', 'accuracy', 'percent', true],
    ['EDAccEvaluator', 'accuracy', 'percent', true],
    ['BleuEvaluator', 'score', 'percent', true],
    ['RougeEvaluator', 'rouge1', 'percent', true, 'scores'],
    ['JiebaRougeEvaluator', 'rouge1', 'percent', true, 'scores'],
    ['ChineseRougeEvaluator', 'rouge1', 'percent', true, 'scores'],
    ['MccEvaluator', 'matthews_correlation', 'percent', true],
    ['AUCROCEvaluator', 'auc_score', 'percent', true],
    ['CircularEvaluator', 'perf_4', 'percent', true, 'none'],
    ['CircularDatasetEvaluator', 'perf_circular', 'percent', true, 'none'],
    ['AveragePPLEvaluator', 'average_ppl', 'nats per token', false],
    ['BPCEvaluator', 'bpc', 'bits per character', false],
    ['HumanEvalEvaluator', 'humaneval_pass@1', 'percent', false],
    ['GenericLLMEvaluator LLMEvaluator', 'accuracy', 'percent', false, 'scores'],
    ['LMEvaluator', 'score', 'percent', false],
  ]
  test.each(rows)('%s', (names, metric, unit, needsReference, interval) => {
    for (const name of names.split(' ')) {
      const options = name.includes('LM') ? { judge_cfg: { type: 'openai' }, prompt_template: {} } : {}
      const evaluator = evaluatorOf({ type: name, ...options }, true, 'mine', { words })
      expect(evaluator, name).toMatchObject({ metric, unit, needsReference })
      expect(evaluator.interval).toBe(interval)
    }
  })
})

test.each([
  ['general', 'general_postprocess'],
  ['first-capital', 'first_capital_postprocess'],
  ['first-capital-multi', 'first_capital_postprocess_multi'],
  ['last-capital', 'last_capital_postprocess'],
  ['multiple-select', 'multiple_select_postprocess'],
  ['extract-non-reasoning-content', 'extract_non_reasoning_content'],
  ['first_number_postprocess', 'first_number'],
  ['math_postprocess', 'math_postprocess'],
  ['math_judement_preprocess', 'math_judement_preprocess'],
  ['math_postprocess_v2', 'math_postprocess_v2'],
  ['gsm100', 'gsm100_postprocess'],
  ['gsm100_dataset', 'gsm100_dataset_postprocess'],
  ['gsm8k', 'gsm8k_postprocess'],
  ['gsm8k_dataset', 'gsm8k_dataset_postprocess'],
  ['last_number', 'last_number'],
  ['scibench', 'scibench_postprocess'],
  ['bbeh_freeform', 'bbeh_freeform_postprocess'],
  ['bbeh_mcq', 'bbeh_mcq_postprocess'],
  ['bbh-freeform', 'bbh_freeform_postprocess'],
  ['bbh-mcq', 'bbh_mcq_postprocess'],
  ['strategyqa', 'strategyqa_pred_postprocess'],
  ['strategyqa_dataset', 'strategyqa_dataset_postprocess'],
  ['TheoremQA', 'TheoremQA_postprocess'],
  ['TheoremQA_postprocess_v2', 'TheoremQA_postprocess_v2'],
  ['cmrc', 'cmrc_postprocess'],
  ['flores', 'flores_postprocess'],
  ['lcsts', 'lcsts_postprocess'],
  ['ReCoRD', 'ReCoRD_postprocess'],
  ['Xsum', 'Xsum_postprocess'],
  ['humaneval_internal_v2_postprocess', 'humaneval_internal_v2_postprocess'],
  ['humaneval_postprocess_v2', 'humaneval_postprocess_v2'],
  ['humaneval_postprocess_v3', 'humaneval_postprocess_v3'],
  ['flores-chinese', 'flores_postprocess_chinese'],
  ['general_cn', 'general_cn_postprocess'],
  ['generic_llmjudge_postprocess', 'llmjudge_letter'],
  [
    { type: 'first_option_postprocess', options: 'ABCD' },
    { type: 'first_option', options: 'ABCD' },
  ],
  [
    { type: 'last_option_postprocess', options: 'ABCD' },
    { type: 'last_option', options: 'ABCD' },
  ],
  [
    { type: 'mgsm_postprocess', lang: 'en' },
    { type: 'mgsm', lang: 'en' },
  ],
  [
    { type: 'think_pred', re_pattern: 'is (.)' },
    { type: 'think_pred_postprocess', re_pattern: 'is (.)' },
  ],
  [
    { type: 'specific-xml-tag', tag: '<a>' },
    { type: 'xml_tag_postprocessor', tag: '<a>' },
  ],
])('%j and %j are one postprocessor', (one, other) => {
  const read = (config: PostprocessorConfig) => postprocessorOf(config, 'mine', { words })('Answer: 4, so\nit is <a>B</a>.\n#### 1,004')
  expect(read(one)).toEqual(read(other))
})

test.each([
  ['en', 'Answer'],
  ['bn', 'উত্তর'],
  ['de', 'Antwort'],
  ['es', 'Respuesta'],
  ['fr', 'Réponse'],
  ['ja', '答え'],
  ['ru', 'Ответ'],
  ['sw', 'Jibu'],
  ['te', 'సమాధానం'],
  ['th', 'คำตอบ'],
  ['zh', '答案'],
])('the answer of MGSM in %s follows %s', (lang, word) => {
  const read = postprocessorOf({ type: 'mgsm', lang }, 'mine')
  expect(read(`12 ${word}: 1,345.`)).toBe('1345')
  expect(read(`1 ${word} 2 ${word} 3.5 or 4.25`)).toBe('4.25')
  expect(read('no 12 word')).toBe('')
  expect(read(`${word}: none`)).toBe('')
})

describe('an error states the problem, the location and the fix', () => {
  const judge = (config: EvaluatorConfig, prediction: PyValue, reference: PyValue = null, row = {}) =>
    evaluatorOf(config, true, 'mine').judge({ prediction, reference, row })
  const figures = (type: string, predictions: PyValue[], references: PyValue[], rows: Record<string, PyValue>[] = []) =>
    evaluateAnswers(evaluatorOf({ type }, true, 'mine'), predictions, references, rows)
  const marking = { type: 'LMEvaluator', judge_cfg: {}, prompt_template: {} }

  test.each<[code: string, where: string, problem: RegExp, fix: RegExp, run: () => unknown]>([
    ['unknown-evaluator', 'mine › eval_cfg.evaluator.type', /"Acc" is not available/, /\w/, () => judge({ type: 'Acc' }, '')],
    ['unknown-postprocessor', 'here', /"genral" is not available/, /general/, () => postprocessorOf('genral', 'here')],
    [
      'missing-peer',
      'mine › eval_cfg.evaluator.type',
      /JiebaRouge.*jieba/,
      /npm install/,
      () => judge({ type: 'JiebaRougeEvaluator' }, ''),
    ],
    ['unequal-lengths', 'the scores', /there are 1 and 2/, /same rows/, () => comparePaired([1], [1, 0])],
    [
      'unequal-lengths',
      'the answers',
      /2 answers and 1 gold answers/,
      /one gold answer for each/,
      () => figures('AccEvaluator', ['a', 'b'], ['a']),
    ],
    ['one-class', 'the gold answers', /all the same/, /both classes/, () => figures('AUCROCEvaluator', [[0, 1]], [1])],
    ['wrong-prediction', 'the answer', /probability of each class/, /CLPInferencer/, () => judge({ type: 'AUCROCEvaluator' }, [0.5], 1)],
    ['wrong-gold', 'the gold answer', /'x' is not a class/, /write 0 or 1/, () => judge({ type: 'AUCROCEvaluator' }, [0, 1], 'x')],
    ['wrong-gold', 'the gold answer', /-1 is not a class/, /write 0 or 1/, () => judge({ type: 'AUCROCEvaluator' }, [0, 1], -1)],
    [
      'wrong-prediction',
      'BPCEvaluator',
      /answer is not a number/,
      /PPLOnlyInferencer/,
      () => judge({ type: 'BPCEvaluator' }, '1', null, { content: '' }),
    ],
    ['no-column', 'BPCEvaluator', /no "content"/, /column.*it has: a, b/, () => judge({ type: 'BPCEvaluator' }, 1, null, { a: 1, b: 2 })],
    ['wrong-reference', 'the gold answer', /candidates and a label/, /label: 0/, () => judge({ type: 'EDAccEvaluator' }, 'x', 'y')],
    [
      'wrong-reference',
      'the gold answer',
      /candidates/,
      /label/,
      () => judge({ type: 'EDAccEvaluator' }, 'x', { candidates: [], label: 0 }),
    ],
    ['wrong-reference', 'the gold answer', /candidates/, /label/, () => judge({ type: 'EDAccEvaluator' }, 'x', { candidates: ['x'] })],
    [
      'wrong-reference',
      'the gold answer',
      /candidates/,
      /label/,
      () => judge({ type: 'EDAccEvaluator' }, 'x', { candidates: 'x', label: 0 }),
    ],
    ['no-pattern', 'the gold answers', /written order/, /ABCD, BCDA/, () => figures('CircularEvaluator', ['A'], ['0--A--DCBA'])],
    ['missing', 'the row', /no circular_pattern/, /in which order/, () => judge({ type: 'CircularDatasetEvaluator' }, 'A', 'A')],
    ['no-mark', 'the judge', /no mark/, /Rating: \[\[8\]\]/, () => judge(marking, 'well')],
    ['wrong-mark', 'the judge', /its mark is 11, but marks go from 0 to 10/, /`highest`/, () => judge(marking, '11')],
    [
      'bad-pattern',
      'the pattern "x"',
      /no group/,
      /parentheses/,
      () => postprocessorOf({ type: 'match_answer_pattern', answer_pattern: 'x' }, 'mine')('x'),
    ],
    ['no-answer', 'the gold answer', /no "#### "/, /GSM8K/, () => postprocessorOf('gsm8k_dataset', 'mine')('7')],
  ])('%s at %s', (code, where, problem, fix, run) => {
    const error = mistakeOf(run)
    expect({ code: error.code, where: error.where }).toEqual({ code, where })
    expect(error.problem).toMatch(problem)
    expect(error.fix).toMatch(fix)
  })
})

function mistakeOf(run: () => unknown): PromptError {
  try {
    run()
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
  throw new Error('no mistake was found')
}
