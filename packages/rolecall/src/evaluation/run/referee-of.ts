import { PromptError } from '@rolecall/core/internal/errors'
import { isList, type PyValue } from '@rolecall/core/internal/python'
import { type Evaluator, notAsked } from '../score/evaluate/evaluator.ts'
import { generationOf, isSampled } from './ask/generation.ts'
import { askJudge, type JudgeContext, type JudgeVerdict } from './ask-judge.ts'
import { compareTexts } from './compare-texts.ts'
import type { AnswerToJudge, Judge } from './judge-prompts.ts'
import type { OpenModels } from './open-models.ts'
import type { Opponents } from './opponents.ts'
import type { PairContext } from './pair-context.ts'
import type { Pair } from './plan-run.ts'
import type { RowRecord } from './record/run-record.ts'
import { runCode } from './run-code.ts'
import type { RowStore, RunEnvironment, RunOptions } from './run-types.ts'

/** Asks the judge about the answers that the evaluator has not settled without it; the verdict on the others is `notAsked`. */
async function askUnlessSettled(
  { asks }: Evaluator<unknown>,
  answer: AnswerToJudge,
  before: RowRecord | undefined,
  ask: (answer: AnswerToJudge, before: RowRecord | undefined) => Promise<JudgeVerdict>,
): Promise<JudgeVerdict> {
  if (!asks?.unless) return ask(answer, before)
  const { prediction, reference = null, row } = answer
  const isSettled = (one: PyValue) => asks.unless!({ prediction: one, reference, row })
  if (!isList(prediction)) return isSettled(prediction) ? { said: notAsked, key: 'the rule' } : ask(answer, before)
  const settled = prediction.map(isSettled)
  if (settled.every(Boolean)) return { said: settled.map(() => notAsked), key: 'the rule' }
  const open = <Item>(items: readonly Item[]) => items.filter((_, index) => !settled[index])
  const among = (values: PyValue) => {
    const left = isList(values) ? [...values] : []
    return settled.map((isDone) => (isDone ? notAsked : (left.shift() ?? null)))
  }
  const known = before && {
    ...before,
    details: mapLists(before.details, (values) => (values.length === settled.length ? open(values) : values)),
  }
  const { said, details, ...rest } = await ask({ ...answer, prediction: open(prediction) }, known)
  return { ...rest, said: said === undefined ? said : among(said), ...(details ? { details: mapLists(details, among) } : {}) }
}

/** Details of a judge's replies, with the lists that have one entry for each question changed. */
function mapLists(details: RowRecord['details'] = {}, change: (values: readonly PyValue[]) => PyValue): Record<string, PyValue> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, perQuestion.includes(key) && isList(value) ? change(value) : value]),
  )
}

const perQuestion = ['judge_said', 'judge_reasoning', 'judge_prompt_hashes']

/** The judge of a pair's answers if a comparison is not enough: a model, or a program. */
export function refereeOf(
  pair: Pair,
  environment: RunEnvironment,
  options: RunOptions,
  models: OpenModels,
  opponents: Opponents,
  store?: RowStore,
): Pick<PairContext, 'referee'> {
  const { judge, evaluator, name } = pair
  if (judge) {
    const context = judgeContext(pair, judge, environment, options, models)
    const isPairwise = evaluator.asks?.against !== undefined
    return {
      referee: {
        name: 'the judge',
        judge: async (answer, before, id) =>
          askUnlessSettled(
            evaluator,
            isPairwise ? { ...answer, opponent: opponents.of(pair, id, answer.row) } : answer,
            before,
            (open, known) => askJudge({ ...context, lost: (tokens) => store?.lost?.(id, { judge_tokens: tokens }) }, open, known),
          ),
      },
    }
  }
  const { runs: program, setup, embeds } = evaluator
  if (embeds) {
    const embed = environment.embedder?.(embeds.source)
    if (!embed) throw noEmbedder(name.dataset)
    return { referee: { name: 'the embeddings', judge: (answer, before) => compareTexts({ embeds, embed, environment }, answer, before) } }
  }
  if (!program) return {}
  const context = { program, setup, environment, options, interpreter: () => models.interpreter(name.dataset, setup?.files) }
  return { referee: { name: 'the tests of the answer', judge: (answer, before) => runCode(context, answer, before) } }
}

function judgeContext(pair: Pair, judge: Judge, environment: RunEnvironment, options: RunOptions, models: OpenModels): JudgeContext {
  const identity = environment.identify?.(judge.config) ?? ''
  const { maker, config: judging } = judge
  // Neither the price nor the reading affects the reply.
  const { price: _, pred_postprocessor: __, ...config } = judging
  // Replies from when all of a judge's questions shared a seed are not reused.
  const drawn = isSampled(config, generationOf(config, { infer_cfg: {} })) ? ['a seed for each question'] : []
  const settings = environment.hash(JSON.stringify([config, identity, maker.format.markers, ...drawn])).slice(0, 32)
  const cache = options.cacheFor?.(settings)
  const { budget } = options
  return {
    judge,
    environment,
    options,
    settings,
    ...(cache ? { cache } : {}),
    ...(budget ? { budget: { isOver: () => budget.isSpent(), add: (tokens) => budget.judged(pair, tokens) } } : {}),
    model: () => models.judge(judge),
  }
}

function noEmbedder(dataset: string): PromptError {
  return new PromptError('no-embedder', {
    where: `${dataset} › eval_cfg.evaluator`,
    problem: 'answers are compared by their embeddings, but nothing here computes embeddings',
    fix: 'run it with `rolecall run`',
  })
}
