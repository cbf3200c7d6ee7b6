import * as z from '@rolecall/core/internal/schema'
import type { PostprocessorConfig } from '../postprocess/postprocessor.ts'
import type { Asks, JudgeModel } from './evaluator.ts'

const postprocessor = z.union([
  z.string(),
  z.looseObject({ type: z.string() }),
  z.custom<(text: string) => unknown>((value) => typeof value === 'function'),
])

/** The options of every evaluator with a judge model. */
export const judgeOptions = {
  prompt_template: z
    .unknown()
    .check(
      z.describe(
        'The prompt of the judge: a template that may show {prediction}, {obj_gold} (the gold answer) and every column of the row.',
      ),
    ),
  judge_cfg: z
    .looseObject({ type: z.optional(z.string()) })
    .check(z.describe('The model that judges, as among `models`: type, path, format, max_out_len …')),
  pred_postprocessor: z
    .optional(postprocessor)
    .check(z.describe('Applied to an answer before the judge sees it, after that of `eval_cfg`.')),
  dict_postprocessor: z
    .optional(postprocessor)
    .check(z.describe("Reads the verdict in the judge's reply, or computes metrics from the replies to all rows.")),
  dataset_cfg: z.optional(z.unknown()).check(z.describe("OpenCompass's; not used here.")),
  output_path: z.optional(z.unknown()).check(z.describe("OpenCompass's; not used here.")),
  pack_all_predictions: z
    .optional(z.boolean())
    .check(
      z.describe(
        'For chats: {prediction} is the list of rounds, each with `round`, `user` and `assistant`. Otherwise the template shows {prediction_r1}, {prediction_r2} ….',
      ),
    ),
  keep_predictions: z.optional(z.unknown()).check(z.describe("OpenCompass's; answers are always kept.")),
}

/** The request to the judge that options describe. */
export function asksOf({ judge_cfg: model, prompt_template, pred_postprocessor, pack_all_predictions: packs }: JudgeConfig): Asks {
  return { model, prompt_template, ...(pred_postprocessor ? { pred_postprocessor } : {}), ...(packs ? { packsRounds: true } : {}) }
}

/** The options that `asksOf` reads. */
export type JudgeConfig = {
  prompt_template?: unknown
  judge_cfg: JudgeModel
  pred_postprocessor?: PostprocessorConfig | undefined
  pack_all_predictions?: boolean | undefined
}

/** Whose answers a judge compares with. */
export const opponentOptions = {
  against: z
    .optional(z.string().check(z.minLength(1)))
    .check(z.describe('The name (abbr) of the model whose answers the others are compared with.')),
  against_column: z
    .optional(z.string().check(z.minLength(1)))
    .check(z.describe('Instead of `against`: the column with the answers to compare with.')),
}

/** The verdict tags: A or B, and C for a tie, unless the postprocessor that reads them has other tags. */
export function tagsOf(parse: PostprocessorConfig): { right: string; wrong: string; tie: string } {
  const {
    true_tag: right = 'A',
    false_tag: wrong = 'B',
    tie_tag: tie = 'C',
  } = (typeof parse === 'object' ? parse : {}) as { true_tag?: string; false_tag?: string; tie_tag?: string }
  return { right, wrong, tie }
}
