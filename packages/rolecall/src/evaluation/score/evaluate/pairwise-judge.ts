import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { postprocessorOf } from '../postprocess/postprocessors.ts'
import { defineEvaluator, type Figures } from './evaluator.ts'
import { asksOf, judgeOptions, opponentOptions, tagsOf } from './judge-options.ts'
import type { JudgeWord } from './judge-word.ts'

/** The preference of one verdict, independent of the order shown; `unknown` if it cannot be read. */
export type Preference = 'this' | 'other' | 'tie' | 'unknown'

/** The kept values of a row: the judge's preference with this model's answer first, and with it second. */
export type BothOrders = readonly [first: Preference, second: Preference]

/** A judge that compares two answers twice: a preference that depends on their order is not a verdict. */
export const pairwiseJudge = defineEvaluator({
  names: ['PairwiseEvaluator'],
  does: 'A model compares each answer with that of another model, or of a column, in both orders: A where the one shown first is better, B for the second, C for a tie. Where its two verdicts disagree, the row is not decided.',
  example: {
    options: { judge_cfg: { type: 'embedded' }, prompt_template: { template: '{answer_a} {answer_b}' }, against: 'base' },
    verdicts: [
      ['Verdict: A', 'Verdict: B'],
      ['[[B]]', '[[A]]'],
      ['C', 'C'],
      ['A', 'A'],
    ],
    figures: { win_rate: 50 },
  },
  options: z
    .strictObject({
      ...judgeOptions,
      prompt_template: z
        .unknown()
        .check(
          z.describe(
            'The prompt of the judge: a template that shows {answer_a} and {answer_b} ({prediction} and {prediction2} in OpenCompass), and may show every column of the row.',
          ),
        ),
      ...opponentOptions,
    })
    .check(
      z.refine(
        ({ against, against_column: column }) => (against === undefined) !== (column === undefined),
        'name what answers are compared with: `against` (a model) or `against_column`, one of the two',
      ),
    ),
  with({ dict_postprocessor, against, against_column: column, ...judging }) {
    const parse = dict_postprocessor ?? { type: 'last_verdict', tie_tag: 'C' }
    const read = postprocessorOf(parse, 'eval_cfg.evaluator.dict_postprocessor')
    const { right: first, wrong: second, tie } = tagsOf(parse)
    const preference = (grade: string, isShownFirst: boolean): Preference => {
      if (grade === tie) return 'tie'
      if (grade === first) return isShownFirst ? 'this' : 'other'
      return grade === second ? (isShownFirst ? 'other' : 'this') : 'unknown'
    }
    return {
      metric: 'win_rate',
      kind: 'graded' as const,
      unit: 'percent' as const,
      range: [0, 100] as const,
      needsReference: false,
      interval: 'scores' as const,
      beside: [
        { metric: 'consistency', unit: 'percent' },
        { metric: 'position_bias', unit: 'percent', direction: 'lower' as const },
      ],
      asks: { ...asksOf(judging), against: column === undefined ? { model: against! } : { column } },
      judge({ prediction, reference }) {
        const said = isList(prediction) ? prediction : [prediction]
        const grade = said.map((one) => pyStr(read(pyStr(one))))
        const keep: BothOrders = [preference(grade[0] ?? '', true), preference(grade[1] ?? '', false)]
        const detail: Record<string, PyValue> = { answer: reference, judge: prediction, grade, preferred: [...keep] }
        const verdicts = keep.map((one) => wordOf[one])
        const winner = agreed(keep)
        if (winner === undefined) return { score: 0, undecided: true, detail, keep, verdicts }
        return { score: winner === 'this' ? 1 : winner === 'tie' ? 0.5 : 0, detail, keep, verdicts }
      },
      summarise: pairwiseFigures,
    }
  },
})

const wordOf = { this: 'win', tie: 'tie', other: 'loss', unknown: 'unreadable' } as const satisfies Record<Preference, JudgeWord>

/** The agreed verdict; undefined if the two disagree, or one cannot be read. */
function agreed([first, second]: BothOrders): Exclude<Preference, 'unknown'> | undefined {
  return first === second && first !== 'unknown' ? first : undefined
}

/**
 * The metrics of rows that were compared in both orders. Every pair of answers is shown in both, so a judge that ignores the
 * order prefers the first as often as the second: `position_bias` is the difference of the two fractions.
 */
export function pairwiseFigures(kept: readonly BothOrders[]): Figures {
  const read = kept.filter(([first, second]) => first !== 'unknown' && second !== 'unknown')
  const winners = kept.map(agreed)
  const count = (wanted: Preference) => winners.filter((winner) => winner === wanted).length
  const [wins, ties, losses] = [count('this'), count('tie'), count('other')]
  const decided = wins + ties + losses
  const shownFirst = read.reduce((sum, [first, second]) => sum + Number(first === 'this') + Number(second === 'other'), 0)
  const shownSecond = read.reduce((sum, [first, second]) => sum + Number(first === 'other') + Number(second === 'this'), 0)
  return {
    ...(decided > 0 ? { win_rate: (100 * (wins + ties / 2)) / decided } : {}),
    ...(read.length > 0
      ? {
          consistency: (100 * decided) / read.length,
          position_bias: (100 * Math.abs(shownFirst - shownSecond)) / (2 * read.length),
        }
      : {}),
    win_count: wins,
    tie_count: ties,
    loss_count: losses,
    inconsistent_count: read.length - decided,
    not_read_count: kept.length - read.length,
    first_preferred_count: shownFirst,
    second_preferred_count: shownSecond,
  }
}
