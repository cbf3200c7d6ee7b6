import { z } from 'zod'
import type { ModelConfig } from '../../config/config-schema.ts'
import type { PyValue } from '../../python/index.ts'
import { pyStr } from '../../python/index.ts'
import { postprocessorOf } from '../postprocess/postprocessors.ts'
import { defineEvaluator, type Figures } from './evaluator.ts'
import { judgeResults } from './judge-results.ts'

const postprocessor = z.union([
  z.string(),
  z.looseObject({ type: z.string() }),
  z.custom<(text: string) => unknown>((value) => typeof value === 'function'),
])

const shared = {
  prompt_template: z.unknown().describe('How the judge is asked: a template that may show {prediction}, {obj_gold} (the right answer) and every column of the row.'),
  judge_cfg: z
    .looseObject({ type: z.string().optional() })
    .describe('The model that judges, as among `models`: type, path, format, max_out_len …'),
  dict_postprocessor: postprocessor.optional().describe("What is done to the judge's words to get its verdict."),
  dataset_cfg: z.unknown().optional().describe("OpenCompass's; not needed here."),
  output_path: z.unknown().optional().describe("OpenCompass's; not needed here."),
}

/** A judge that says A (right) or B (wrong), as OpenCompass's judge prompts ask it to. */
export const genericJudge = defineEvaluator({
  names: ['GenericLLMEvaluator', 'LLMEvaluator'],
  does: 'A model judges each answer: right where its verdict is A, wrong where it is B; anything else is not attempted.',
  options: z.strictObject(shared),
  with({ prompt_template, judge_cfg, dict_postprocessor: parse = 'generic_llmjudge_postprocess' }) {
    const read = postprocessorOf(parse, 'eval_cfg.evaluator.dict_postprocessor')
    return {
      metric: 'accuracy',
      unit: 'percent' as const,
      needsReference: false,
      interval: 'scores' as const,
      asks: { model: judge_cfg as ModelConfig, prompt_template },
      judge({ prediction, reference }) {
        const grade = pyStr(read(pyStr(prediction)))
        const detail: Record<string, PyValue> = { answer: reference, judge: prediction, grade, correct: grade === 'A' }
        return { score: Number(grade === 'A'), detail, keep: grade }
      },
      summarise(kept: readonly string[]): Figures {
        const { details: _, ...figures } = judgeResults(kept, [], [])
        return figures
      },
    }
  },
})

/** A judge that gives marks, or says anything else that a postprocessor turns into a number. */
export const markingJudge = defineEvaluator({
  names: ['LMEvaluator'],
  does: 'A model gives each answer a mark: the first number it says, or what `dict_postprocessor` makes of its words.',
  options: z.strictObject({
    ...shared,
    highest: z.number().positive().default(10).describe('The best mark; scores are shown in per cent of it.'),
  }),
  with({ prompt_template, judge_cfg, dict_postprocessor: parse = { type: 'regex', pattern: '(?:\\[\\[)?(-?\\d+(?:\\.\\d+)?)' }, highest }) {
    const read = postprocessorOf(parse, 'eval_cfg.evaluator.dict_postprocessor')
    return {
      metric: 'score',
      unit: 'percent' as const,
      needsReference: false,
      asks: { model: judge_cfg as ModelConfig, prompt_template },
      judge({ prediction, reference }) {
        const mark = Number(pyStr(read(pyStr(prediction))).trim() || Number.NaN)
        const isMark = Number.isFinite(mark)
        // A judge that gives no mark gives none of the points; its words are in the details.
        const score = isMark ? Math.min(1, Math.max(0, mark / highest)) : 0
        return { score, detail: { answer: reference, judge: prediction, mark: isMark ? mark : null } }
      },
    }
  },
})
