import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type PyValue, pyStr } from '../../../base/python/index.ts'
import { figuresOfJudged } from '../postprocess/judge-postprocessor.ts'
import { judgePostprocessorOf } from '../postprocess/judge-postprocessors.ts'
import type { PostprocessorConfig } from '../postprocess/postprocessor.ts'
import type { Evaluator, JudgeModel } from './evaluator.ts'

const place = 'eval_cfg.evaluator.dict_postprocessor'

type JudgeConfig = {
  prompt_template?: unknown
  judge_cfg: JudgeModel
  pred_postprocessor?: PostprocessorConfig | undefined
  dict_postprocessor?: PostprocessorConfig | undefined
}

/**
 * The evaluator of a judge whose `dict_postprocessor` computes its own metrics over all rows; undefined if it names none, or one that
 * reads a text.
 */
export function judgedFigures(config: JudgeConfig, compat?: 'opencompass' | undefined): Evaluator<unknown> | undefined {
  const found = judgePostprocessorOf(config.dict_postprocessor, place)
  if (!found) return undefined
  const { postprocessor, options } = found
  const { metric, kind, unit } = postprocessor
  if (postprocessor.compares) {
    throw new PromptError('compares-models', {
      where: place,
      problem: `${postprocessor.names[0]} compares the answers of two models, but this evaluator shows the judge only one`,
      fix: 'use PairwiseEvaluator, or a dict_postprocessor that reads a mark or a verdict',
    })
  }
  return {
    metric: typeof metric === 'string' ? metric : metric(options),
    kind,
    unit,
    needsReference: false,
    interval: kind === 'verdict' && unit === 'percent' ? 'scores' : 'none',
    asks: {
      model: config.judge_cfg,
      prompt_template: config.prompt_template,
      ...(config.pred_postprocessor ? { pred_postprocessor: config.pred_postprocessor } : {}),
    },
    judge({ prediction, reference, row }) {
      const judged = { said: pyStr(prediction), gold: reference, row, index: 0 }
      const keep = postprocessor.read(judged, options)
      const detail: Record<string, PyValue> = { answer: reference, judge: prediction }
      if (keep === undefined) return { score: 0, undecided: true, detail, keep }
      const score = postprocessor.score(keep, options)
      return { score, detail: { ...detail, ...(kind === 'verdict' ? { correct: score === 1 } : { score }) }, keep }
    },
    summarise: (kept) => figuresOfJudged(postprocessor, kept, options, compat),
  }
}
