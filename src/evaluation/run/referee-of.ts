import { isList } from '../../base/python/index.ts'
import { type Evaluator, notAsked } from '../score/evaluate/evaluator.ts'
import type { PairContext } from './answer-row.ts'
import { generationOf, isSampled } from './ask/generation.ts'
import { askJudge, type JudgeContext } from './ask-judge.ts'
import type { AnswerToJudge, Judge } from './judge-prompts.ts'
import type { OpenModels } from './open-models.ts'
import type { Opponents } from './opponents.ts'
import type { Pair } from './plan-run.ts'
import { runCode } from './run-code.ts'
import type { RunEnvironment, RunOptions } from './run-types.ts'

/** Whether an answer, or each of several, needs no judge. */
function isSettled({ asks }: Evaluator<unknown>, { prediction, reference, row }: AnswerToJudge): boolean {
  if (!asks?.unless) return false
  const { unless } = asks
  return !isList(prediction) && unless({ prediction, reference: reference ?? null, row })
}

/** The judge of a pair's answers if a comparison is not enough: a model, or a program. */
export function refereeOf(
  pair: Pair,
  environment: RunEnvironment,
  options: RunOptions,
  models: OpenModels,
  opponents: Opponents,
): Pick<PairContext, 'referee'> {
  const { judge, evaluator, name } = pair
  if (judge) {
    const context = judgeContext(judge, environment, options, models)
    const isPairwise = evaluator.asks?.against !== undefined
    return {
      referee: {
        name: 'the judge',
        judge: async (answer, before, id) =>
          isSettled(evaluator, answer)
            ? { said: notAsked, key: 'the rule' }
            : askJudge(context, isPairwise ? { ...answer, opponent: opponents.of(pair, id, answer.row) } : answer, before),
      },
    }
  }
  const { runs: program } = evaluator
  if (!program) return {}
  const context = { program, environment, options, interpreter: () => models.interpreter(name.dataset) }
  return { referee: { name: 'the tests of the answer', judge: (answer, before) => runCode(context, answer, before) } }
}

function judgeContext(judge: Judge, environment: RunEnvironment, options: RunOptions, models: OpenModels): JudgeContext {
  const identity = environment.identify?.(judge.config) ?? ''
  const { maker, config: judging } = judge
  // The price does not affect the reply.
  const { price: _, ...config } = judging
  // Replies from when all of a judge's questions shared a seed are not reused.
  const drawn = isSampled(config, generationOf(config, { infer_cfg: {} })) ? ['a seed for each question'] : []
  const settings = environment.hash(JSON.stringify([config, identity, maker.format.markers, ...drawn])).slice(0, 32)
  const cache = options.cacheFor?.(settings)
  return { judge, environment, options, settings, ...(cache ? { cache } : {}), model: () => models.judge(judge) }
}
