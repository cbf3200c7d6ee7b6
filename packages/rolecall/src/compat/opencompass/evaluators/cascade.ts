import { PromptError } from '@rolecall/core/internal/errors'
import { type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { type Answer, defineEvaluator, type Evaluator, type Figures, notAsked } from '../../../evaluation/score/evaluate/evaluator.ts'
import { asksOf, judgeOptions, tagsOf } from '../../../evaluation/score/evaluate/judge-options.ts'
import { count, percent } from '../../../evaluation/score/evaluate/shares.ts'
import { judgePostprocessorOf } from '../../../evaluation/score/postprocess/judge-postprocessors.ts'
import type { PostprocessorConfig } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { postprocessorOf } from '../../../evaluation/score/postprocess/postprocessors.ts'
import { fieldsAsZod } from '../../../model/model-types/as-zod.ts'

type Kept = { rule: boolean; judge?: boolean }

/** Statistics of the cascade's parts, with the names of the reference's `cascade_stats`. */
function cascadeFigures(rows: readonly Kept[]): Figures {
  const judged = rows.filter(({ judge }) => judge !== undefined)
  const [rule, model] = [count(rows, (row) => row.rule), count(judged, ({ judge }) => judge === true)]
  const right = count(rows, (row) => row.rule || row.judge === true)
  return {
    accuracy: percent(right, rows.length),
    rule_accuracy: percent(rule, rows.length),
    llm_accuracy: judged.length === 0 ? 0 : percent(model, judged.length),
    total_samples: rows.length,
    rule_correct: rule,
    llm_evaluated: judged.length,
    llm_correct: model,
    final_correct: right,
  }
}

const place = 'eval_cfg.evaluator'

export const cascade = defineEvaluator({
  names: ['CascadeEvaluator'],
  does: 'Right when a rule says so, or else a model that judges. With `parallel`, as in OpenCompass, the model is asked about every answer; without it only about those that the rule finds wrong.',
  example: {
    options: {
      rule_evaluator: { type: 'AccEvaluator' },
      llm_evaluator: { type: 'GenericLLMEvaluator', judge_cfg: { type: 'embedded' }, prompt_template: { template: '{prediction}' } },
    },
    verdicts: ['Verdict: A', 'B'],
    answered: ['about 5', '6'],
    gold: ['5', '7'],
    figures: { accuracy: 50 },
  },
  options: z.strictObject({
    rule_evaluator: z
      .looseObject({ type: z.string() })
      .describe('The evaluator that judges first; it may have its own `pred_postprocessor`.'),
    llm_evaluator: z
      .strictObject({ type: z.string().optional(), ...fieldsAsZod(judgeOptions) })
      .describe(
        'The judge: a GenericLLMEvaluator with its `judge_cfg` and `prompt_template`. Its `pred_postprocessor` applies to the rule as well.',
      ),
    parallel: z.boolean().default(true).describe('Whether the judge sees every answer.'),
  }),
  with({ rule_evaluator: { pred_postprocessor, ...rule }, llm_evaluator, parallel }, _words, compat, nested) {
    const ruling = nested(rule, `${place}.rule_evaluator`)
    if (ruling.asks ?? ruling.runs) throw noRule(pyStr(rule.type))
    const read = postprocessorOf(pred_postprocessor as never, `${place}.rule_evaluator.pred_postprocessor`)
    const says = verdictReader(llm_evaluator.dict_postprocessor as never, compat)
    const byRule = (prediction: PyValue, { reference, row }: Pick<Answer, 'reference' | 'row'>) =>
      ruling.judge({ prediction: typeof prediction === 'string' ? read(prediction) : prediction, reference, row })
    return {
      metric: 'accuracy',
      kind: 'verdict' as const,
      unit: 'percent',
      needsReference: ruling.needsReference,
      interval: 'scores' as const,
      beside: ['rule_accuracy', 'llm_accuracy'].map((metric) => ({ metric, unit: 'percent' })),
      asks: {
        ...asksOf(llm_evaluator as never),
        ...(parallel ? {} : { unless: ({ prediction, ...answer }) => byRule(prediction, answer).score === 1 }),
      },
      judge({ prediction: said, answered = null, ...answer }) {
        const { score, detail } = byRule(answered, answer)
        const rule = score === 1
        const word = said === notAsked ? 'not_asked' : says(pyStr(said))
        const judge = word === 'not_asked' ? undefined : word === 'right'
        const correct = rule || judge === true
        return {
          score: Number(correct),
          detail: { rule_evaluation: detail, ...(judge === undefined ? {} : { judge: said, llm_correct: judge }), correct },
          keep: { rule, ...(judge === undefined ? {} : { judge }) },
          verdicts: [word],
        }
      },
      summarise: cascadeFigures,
    } satisfies Evaluator<Kept>
  },
})

type ReadWord = 'right' | 'wrong' | 'unreadable'

/** What a judge says about an answer, which A or CORRECT accepts; in any wording unless `compat` is set. */
function verdictReader(parse: PostprocessorConfig | undefined, compat: 'opencompass' | undefined): (said: string) => ReadWord {
  if (compat)
    return (said) => {
      const word = strip(said).toUpperCase()
      if (word === 'A' || word.startsWith('CORRECT')) return 'right'
      return word === 'B' || word.startsWith('INCORRECT') ? 'wrong' : 'unreadable'
    }
  const figures = judgePostprocessorOf(parse, `${place}.llm_evaluator.dict_postprocessor`)
  // Only its verdict on the row counts, not its metrics.
  if (figures)
    return (said) => {
      const kept = figures.postprocessor.read({ said, gold: undefined, row: {}, index: 0 }, figures.options)
      if (kept === undefined) return 'unreadable'
      return figures.postprocessor.score(kept, figures.options) === 1 ? 'right' : 'wrong'
    }
  const read = postprocessorOf(parse ?? 'last_verdict', `${place}.llm_evaluator.dict_postprocessor`)
  const { right, wrong } = tagsOf(parse ?? 'last_verdict')
  return (said) => {
    const found = read(said)
    return found === right ? 'right' : found === wrong ? 'wrong' : 'unreadable'
  }
}

function noRule(type: string): PromptError {
  return new PromptError('no-rule', {
    where: `${place}.rule_evaluator.type`,
    problem: `"${type}" asks a model or runs code and is not a rule`,
    fix: 'name an evaluator that compares answers, such as MATHVerifyEvaluator',
  })
}
