import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { figuresOfJudged, type JudgePostprocessor } from '../postprocess/judge-postprocessor.ts'
import { judgePostprocessorOf } from '../postprocess/judge-postprocessors.ts'
import type { PostprocessorConfig } from '../postprocess/postprocessor.ts'
import type { Evaluator } from './evaluator.ts'
import { asksOf, type JudgeConfig } from './judge-options.ts'

const place = 'eval_cfg.evaluator.dict_postprocessor'

type FiguresConfig = JudgeConfig & {
  dict_postprocessor?: PostprocessorConfig | undefined
  against?: string | undefined
  against_column?: string | undefined
  base_model?: string | undefined
}

/**
 * The evaluator of a judge whose `dict_postprocessor` computes its own metrics over all rows; undefined if it names none, or one that
 * reads a text.
 */
export function judgedFigures(config: FiguresConfig, compat?: 'opencompass' | undefined): Evaluator<unknown> | undefined {
  const found = judgePostprocessorOf(config.dict_postprocessor, place)
  if (!found) return undefined
  const { postprocessor, options } = found
  const { metric, kind, unit } = postprocessor
  if (postprocessor.compares) return comparedFigures(config, postprocessor, options, compat)
  return {
    metric: typeof metric === 'string' ? metric : metric(options),
    kind,
    unit,
    needsReference: false,
    interval: kind === 'verdict' && unit === 'percent' ? 'scores' : 'none',
    asks: asksOf(config),
    judge({ prediction, reference, row }) {
      const judged = { said: pyStr(prediction), gold: reference, row, index: 0 }
      const keep = postprocessor.read(judged, options)
      const detail: Record<string, PyValue> = { answer: reference, judge: prediction }
      if (keep === undefined) return { score: 0, undecided: true, detail, keep, verdicts: ['unreadable'] }
      const score = postprocessor.score(keep, options)
      if (kind !== 'verdict') return { score, detail: { ...detail, score }, keep, verdicts: ['graded'] }
      return { score, detail: { ...detail, correct: score === 1 }, keep, verdicts: [score === 1 ? 'right' : 'wrong'] }
    },
    summarise: (kept) => figuresOfJudged(postprocessor, kept, options, compat),
  }
}

/** The evaluator of a judge that compares each answer with that of a base model, in both orders. */
function comparedFigures<Options, Kept>(
  config: FiguresConfig,
  postprocessor: JudgePostprocessor<Options, Kept>,
  options: Options,
  compat: 'opencompass' | undefined,
): Evaluator<unknown> {
  const { against, against_column: column, base_model: base = against } = config
  if (base === undefined || (against === undefined) === (column === undefined)) {
    throw new PromptError('compares-models', {
      where: place,
      problem: `${postprocessor.names[0]} compares the answers of two models, but this evaluator shows the judge only one`,
      fix: 'name the other: `against` (a model), or `against_column` (its answers) with `base_model` (its name); or use PairwiseEvaluator',
    })
  }
  const { metric, unit } = postprocessor
  return {
    metric: typeof metric === 'string' ? metric : metric(options),
    kind: 'graded',
    unit,
    needsReference: false,
    interval: 'none',
    asks: { ...asksOf(config), against: column === undefined ? { model: base } : { column } },
    judge({ prediction, answered = null, reference, row }) {
      const replies = isList(prediction) ? prediction : [prediction]
      const given = isDict(reference) ? dictEntries(reference) : []
      // The judge sees this model's answer first, then second.
      const keep = replies.map((said, place) => {
        const shown: [model: string, answer: PyValue][] = [
          [thisModel, answered],
          [base, (column === undefined ? undefined : dictGet(row, column)) ?? null],
        ]
        if (place > 0) shown.reverse()
        const fields = shown.flatMap(([model, answer], index): [string, PyValue][] => [
          [`answer${index + 1}`, model],
          [`prediction${index + 1}`, answer],
        ])
        const gold = dictFromEntries([...given, ...fields, ['base_models', [base]]])
        return postprocessor.read({ said: pyStr(said), gold, row, index: 0 }, options)
      })
      const detail: Record<string, PyValue> = { answer: reference, judge: prediction }
      const inOrder = keep.map((one, place) => {
        if (one === undefined) return undefined
        const share = postprocessor.score(one, options)
        return place === 0 ? share : 1 - share
      })
      const verdicts = inOrder.map((share) => (share === undefined ? 'unreadable' : share > 0.5 ? 'win' : share < 0.5 ? 'loss' : 'tie'))
      const shares = inOrder.filter((share) => share !== undefined)
      if (shares.length === 0) return { score: 0, undecided: true, detail, keep, verdicts }
      const score = shares.reduce((sum, share) => sum + share, 0) / shares.length
      return { score, detail: { ...detail, score }, keep, verdicts }
    },
    // In OpenCompass, the comparisons with the base model first come before all others.
    summarise(kept) {
      const rows = kept as readonly (readonly (Kept | undefined)[])[]
      return figuresOfJudged(postprocessor, [...rows.map((row) => row[1]), ...rows.map((row) => row[0])], options, compat)
    },
  }
}

/** Stands for the name of the model that is judged; only base models are told apart by name. */
const thisModel = 'this model'
