import { z } from 'zod'
import type { PostprocessorConfig } from '../postprocess/postprocessors.ts'

const postprocessor = z.union([
  z.string(),
  z.looseObject({ type: z.string() }),
  z.custom<(text: string) => unknown>((value) => typeof value === 'function'),
])

/** What every evaluator takes that asks a model. */
export const judgeOptions = {
  prompt_template: z
    .unknown()
    .describe('How the judge is asked: a template that may show {prediction}, {obj_gold} (the right answer) and every column of the row.'),
  judge_cfg: z
    .looseObject({ type: z.string().optional() })
    .describe('The model that judges, as among `models`: type, path, format, max_out_len …'),
  pred_postprocessor: postprocessor.optional().describe('What is done to an answer before the judge sees it, after that of `eval_cfg`.'),
  dict_postprocessor: postprocessor
    .optional()
    .describe("What is done to the judge's words to get its verdict, or what computes figures from all of them."),
  dataset_cfg: z.unknown().optional().describe("OpenCompass's; not needed here."),
  output_path: z.unknown().optional().describe("OpenCompass's; not needed here."),
  keep_predictions: z.unknown().optional().describe("OpenCompass's; answers are always kept."),
}

/** What verdicts are called: A or B, and C for a tie, unless the postprocessor that reads them has other tags. */
export function tagsOf(parse: PostprocessorConfig): { right: string; wrong: string; tie: string } {
  const {
    true_tag: right = 'A',
    false_tag: wrong = 'B',
    tie_tag: tie = 'C',
  } = (typeof parse === 'object' ? parse : {}) as { true_tag?: string; false_tag?: string; tie_tag?: string }
  return { right, wrong, tie }
}
