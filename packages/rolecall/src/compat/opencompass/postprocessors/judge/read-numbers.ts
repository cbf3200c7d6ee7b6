import { PromptError } from '@rolecall/core/internal/errors'
import { floatOf, pyStr } from '@rolecall/core/internal/python'
import { defineJudgePostprocessor } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { search } from '../../../../python/regex/index.ts'
import { meanOf } from './tally-by-name.ts'

/** Numbers that a judge reads from answers: how far they are from the gold ones. Without a number it is 0, and so is a missing gold answer. */
export const readNumbers = defineJudgePostprocessor({
  names: ['numerical_llmjudge_postprocess'],
  does: 'The first number that the judge says, 0 if there is none: its mean distance from the gold number.',
  example: {
    judged: [
      { said: '1.5', gold: 1 },
      { said: 'none', gold: 2 },
    ],
    figures: { mae: 1.25 },
  },
  metric: 'mae',
  unit: 'distance',
  kind: 'graded',
  ofNothing: { mae: 0 },
  read({ said, gold = 0 }) {
    const right = typeof gold === 'string' ? undefined : floatOf(gold)
    if (right === undefined)
      throw new PromptError('wrong-gold', {
        where: 'the gold answer',
        problem: `${pyStr(gold)} is not a number`,
        fix: 'name a column of numbers in reader_cfg.output_column',
      })
    const number = Number(search(String.raw`[-+]?\d*\.\d+|\d+\.\d*|\d+`, said)?.[0] ?? 0)
    return { pred: number, ref: right, error: Math.abs(number - right) }
  },
  score: ({ error }) => Number(error === 0),
  figures: (kept) => ({ mae: meanOf(kept.map(({ error }) => error)) }),
  detail: (_, kept) => ({ ...kept }),
})
