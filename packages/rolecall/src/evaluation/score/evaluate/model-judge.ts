import { PromptError } from '@rolecall/core/internal/errors'
import { floatOf, type PyValue, pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { search } from '../../../python/regex/index.ts'
import { judgeVerdict } from '../postprocess/judge-verdict.ts'
import type { PostprocessorConfig } from '../postprocess/postprocessor.ts'
import { postprocessorOf } from '../postprocess/postprocessors.ts'
import { defineEvaluator, type Evaluator, type Figures } from './evaluator.ts'
import { asksOf, type JudgeConfig, judgeOptions, opponentOptions, tagsOf } from './judge-options.ts'
import { judgedFigures } from './judged-metrics.ts'

/** A judge that replies A (right) or B (wrong), as OpenCompass's judge prompts instruct. */
export const genericJudge = defineEvaluator({
  names: ['GenericLLMEvaluator', 'LLMEvaluator'],
  does: 'A model judges each answer: right where its verdict is A (`true_tag`), wrong where it is B (`false_tag`); anything else is not decided, and left out of `accuracy`.',
  example: {
    options: { judge_cfg: { type: 'embedded' }, prompt_template: { template: '{prediction}' } },
    verdicts: ['B would be too harsh.\nVerdict: A', 'B', 'I cannot tell.'],
    figures: { accuracy: 50 },
  },
  options: z.strictObject(judgeOptions),
  with: (config, _words, compat) => (judgedFigures(config, compat) as Evaluator<string> | undefined) ?? verdictsOf(config, compat),
})

/** Right and wrong by the letters that a judge replies. */
function verdictsOf(
  config: JudgeConfig & { dict_postprocessor?: PostprocessorConfig | undefined },
  compat: 'opencompass' | undefined,
): Evaluator<string> {
  const { dict_postprocessor } = config
  const parse = dict_postprocessor ?? (compat ? 'generic_llmjudge_postprocess' : 'last_verdict')
  const read = postprocessorOf(parse, 'eval_cfg.evaluator.dict_postprocessor')
  const { right, wrong } = tagsOf(parse)
  return {
    metric: 'accuracy',
    kind: 'verdict' as const,
    unit: 'percent' as const,
    needsReference: false,
    interval: 'scores' as const,
    beside: ['accuracy_given_attempted', 'attempted_ratio'].map((metric) => ({ metric, unit: 'percent' })),
    asks: asksOf(config),
    judge({ prediction, reference }) {
      const grade = pyStr(read(pyStr(prediction)))
      const detail: Record<string, PyValue> = { answer: reference, judge: prediction, grade, correct: grade === right }
      const keep = grade === right ? 'A' : grade === wrong ? 'B' : 'unknown'
      const verdicts = [keep === 'A' ? 'right' : keep === 'B' ? 'wrong' : 'unreadable'] as const
      // The reference counts undecided verdicts as wrong.
      if (keep === 'unknown' && !compat) return { score: 0, undecided: true, detail, keep, verdicts }
      return { score: Number(keep === 'A'), detail, keep, verdicts }
    },
    summarise(kept: readonly string[]): Figures {
      const { details: _, ...figures } = judgeResults(kept, [], [])
      if (compat) return figures
      if (figures.attempted_ratio > 0) return { ...figures, accuracy: figures.accuracy_given_attempted }
      throw new PromptError('not-decided', {
        where: 'the judge',
        problem: 'it gave no verdict on any answer',
        fix: 'read its replies, ask it to end with A or B on a separate line, or set dict_postprocessor',
      })
    },
  }
}

/** A judge that gives grades, or any reply that a postprocessor turns into a number. */
export const markingJudge = defineEvaluator({
  names: ['LMEvaluator'],
  does: 'A model gives each answer a mark: the first number in double brackets, else the first number it says, or what `dict_postprocessor` makes of its words.',
  example: {
    options: { judge_cfg: { type: 'embedded' }, prompt_template: { template: '{prediction}' } },
    verdicts: ['Rating: [[8]]'],
    figures: { score: 80 },
  },
  options: z.strictObject({
    ...judgeOptions,
    ...opponentOptions,
    base_model: z
      .optional(z.string())
      .check(z.describe('With `against_column` and a `dict_postprocessor` that compares: the name of the model that gave these answers.')),
    infer_order: z.optional(z.string()).check(z.describe("OpenCompass's; two answers are always shown in both orders.")),
    highest: z._default(z.number().check(z.positive()), 10).check(z.describe('The best mark; scores are percentages of it.')),
  }),
  with({ highest, ...config }, _words, compat) {
    const figures = judgedFigures(config, compat)
    if (figures) return figures as Evaluator
    const { dict_postprocessor: parse } = config
    // Letters are no marks: they are right or wrong, as for GenericLLMEvaluator.
    if (judgeVerdict.names.includes(typeof parse === 'object' ? parse.type : String(parse))) return verdictsOf(config, compat) as Evaluator
    const read = parse === undefined ? firstMark : postprocessorOf(parse, 'eval_cfg.evaluator.dict_postprocessor')
    return {
      metric: 'score',
      kind: 'graded' as const,
      unit: 'percent' as const,
      needsReference: false,
      asks: asksOf(config),
      judge({ prediction, reference }) {
        const mark = readMark(read(pyStr(prediction)), highest)
        return { score: mark / highest, detail: { answer: reference, judge: prediction, mark }, verdicts: ['graded'] }
      },
    }
  },
})

const number = String.raw`-?\d+(?:\.\d+)?`

/** MT-Bench's grade format, [[8]], takes precedence over other numbers: judges often name the scale first. */
function firstMark(said: string): PyValue {
  const found = search(String.raw`\[\[\s*(${number})\s*\]\]`, said) ?? search(`(${number})`, said)
  return found?.[1] ?? null
}

/** A reply without a grade is not a judgement, and a grade outside the scale must not count. */
function readMark(found: PyValue, highest: number): number {
  const mark = floatOf(found)
  if (mark === undefined || Number.isNaN(mark)) {
    throw new PromptError('no-mark', {
      where: 'the judge',
      problem: 'it has given no mark that can be read',
      fix: 'ask it for one in the template, as in "Rating: [[8]]", or set dict_postprocessor',
    })
  }
  if (mark >= 0 && mark <= highest) return mark
  throw new PromptError('wrong-mark', {
    where: 'the judge',
    problem: `its mark is ${mark}, but marks go from 0 to ${highest}`,
    fix: 'set `highest` to the best mark of the scale that the template names',
  })
}

/** The metrics of a judge's verdicts, with the names of OpenCompass's `get_final_results`. A is right, B is wrong. */
export function judgeResults(judged: readonly string[], references: readonly PyValue[], responses: readonly PyValue[]) {
  const details = judged.map((letter, index) => ({
    pred: responses[index] ?? null,
    ref: references[index] ?? null,
    origin_grade_response: letter,
    grade_letter: letter,
    correct: letter === 'A',
  }))
  const count = (wanted: string) => judged.filter((letter) => letter === wanted).length
  const [right, wrong, all] = [count('A'), count('B'), judged.length]
  const [share, given] = [right / all, right + wrong === 0 ? 0 : right / (right + wrong)]
  return {
    accuracy: 100 * share,
    accuracy_given_attempted: 100 * given,
    f1: given + share > 0 ? (2 * given * share) / (given + share) : 0,
    attempted_ratio: (100 * (right + wrong)) / all,
    correct_count: right,
    incorrect_count: wrong,
    not_attempted_count: all - right - wrong,
    details,
  }
}
