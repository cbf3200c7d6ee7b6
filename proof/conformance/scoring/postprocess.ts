import type { PyValue } from '../../../packages/core/src/base/python/index.ts'
import {
  extractBoxed,
  lastBoxed,
  normalizeFinalAnswer,
  stripMathV1,
  stripMathV2,
} from '../../../packages/rolecall/src/compat/opencompass/evaluators/math/math-answer.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { postprocessorOf } from '../../../packages/rolecall/src/evaluation/score/postprocess/postprocessors.ts'
import { peers } from './peers.ts'

registerOpenCompass()

/** The vectors' names for registered postprocessors and their options. */
const names: Record<string, { type: string; options?: Record<string, string> }> = {
  general: { type: 'general' },
  first_capital: { type: 'first-capital' },
  last_capital: { type: 'last-capital' },
  first_capital_multi: { type: 'first-capital-multi' },
  multiple_select: { type: 'multiple-select' },
  first_option: { type: 'first_option_postprocess' },
  last_option: { type: 'last_option_postprocess' },
  first_number: { type: 'first_number_postprocess' },
  match_answer_pattern: { type: 'match_answer_pattern', options: { pattern: 'answer_pattern' } },
  think_pred: { type: 'think_pred', options: { pattern: 're_pattern' } },
  extract_non_reasoning: { type: 'extract-non-reasoning-content', options: { start: 'think_start_token', end: 'think_end_token' } },
  xml_tag: { type: 'specific-xml-tag' },
  gsm8k: { type: 'gsm8k' },
  gsm8k_dataset: { type: 'gsm8k_dataset' },
  gsm100: { type: 'gsm100' },
  scibench: { type: 'scibench' },
  mgsm: { type: 'mgsm_postprocess' },
  math: { type: 'math_postprocess' },
  math_v2: { type: 'math_postprocess_v2' },
  math_judge_answer: { type: 'math_judement_preprocess' },
  bbh_mcq: { type: 'bbh-mcq' },
  bbh_freeform: { type: 'bbh-freeform' },
  bbeh_mcq: { type: 'bbeh_mcq' },
  bbeh_freeform: { type: 'bbeh_freeform' },
  strategyqa: { type: 'strategyqa' },
  theoremqa: { type: 'TheoremQA' },
  theoremqa_v2: { type: 'TheoremQA_postprocess_v2' },
  flores: { type: 'flores' },
  flores_chinese: { type: 'flores-chinese' },
  general_cn: { type: 'general_cn' },
  xsum: { type: 'Xsum' },
  lcsts: { type: 'lcsts' },
  cmrc: { type: 'cmrc' },
  record: { type: 'ReCoRD' },
  humaneval_v2: { type: 'humaneval_postprocess_v2' },
  humaneval_v3: { type: 'humaneval_postprocess_v3' },
  humaneval_internal_v2: { type: 'humaneval_internal_v2_postprocess' },
  llmjudge_letter: { type: 'generic_llmjudge_postprocess', options: { trueTag: 'true_tag', falseTag: 'false_tag' } },
}

type Args = Record<string, PyValue>
const registered = Object.entries(names).map(([op, { type, options = {} }]) => {
  const run = ({ text, ...given }: Args) => {
    const named = Object.fromEntries(Object.entries(given).map(([key, value]) => [options[key] ?? key, value]))
    return postprocessorOf({ type, ...named }, 'eval_cfg.pred_postprocessor', peers)(text as string)
  }
  return [op, run] as const
})

export const postprocessOperations: Record<string, (args: Args) => unknown> = {
  ...Object.fromEntries(registered),
  normalize_final_answer: ({ text }) => normalizeFinalAnswer(text as string),
  last_boxed: ({ text }) => lastBoxed(text as string),
  extract_boxed: ({ text, stripDoubleCurlyBrace }) => extractBoxed(text as string, stripDoubleCurlyBrace as boolean),
  math_strip_v1: ({ text }) => stripMathV1(text as string),
  math_strip_v2: ({ text }) => stripMathV2(text as string),
}
