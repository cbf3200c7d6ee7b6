import { quirksOf } from '../config/fidelity.ts'
import type { Fitted } from '../fit/fit-examples.ts'
import type { Prompt } from '../format/format.ts'
import type { ScoredPrompt, ScoreOptions } from '../model/language-model.ts'
import type { PromptMaker } from '../prompt/compile-prompt.ts'
import { PromptError } from '../prompt-error.ts'
import { dictHas } from '../python/index.ts'
import { fitPrompts } from './fit-prompts.ts'
import type { InferContext, Inferencer, Inferred, RowQuestion, ScoredLabel } from './inferencer.ts'
import { fitSplitPrompts, normalizedPerplexities, promptsToScore } from './normalized.ts'
import { asCompletion, bestOf, likelihoodOf, perplexity, touches } from './perplexity.ts'

/** PPLInferencer: the label whose complete prompt has the lowest perplexity. */
export const comparePerplexity: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  check: (context) => void labelsOf(context),
  prompts: (context, question) => completePrompts(context.maker, question, labelsOf(context)),
  async infer(context, question) {
    const labels = labelsOf(context)
    const { normalizing_str: normalizer } = context.dataset.infer_cfg.inferencer ?? {}
    if (normalizer !== undefined) return inferNormalized(context, question, labels, normalizer)
    const { inferred, scored } = await scoreAll(context, question, (asked) => completePrompts(context.maker, asked, labels))
    const scores = labels.map((label, index): ScoredLabel => {
      const { logProbabilities } = scored[index]!
      return { label, value: perplexity(logProbabilities), logProbabilities }
    })
    return { ...inferred, scores, prediction: bestOf(scores, 'lowest').label! }
  },
}

/** PPLOnlyInferencer: the perplexity of each row. */
export const onlyPerplexity: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  prompts: (context, question) => completePrompts(context.maker, question, [undefined]),
  async infer(context, question) {
    const { inferred, scored } = await scoreAll(context, question, (asked) => completePrompts(context.maker, asked, [undefined]))
    const { logProbabilities } = scored[0]!
    const value = perplexity(logProbabilities)
    return { ...inferred, scores: [{ value, logProbabilities }], prediction: value }
  },
}

/** LLInferencer: the label whose answer is the likeliest. The answer is the column `cont` where rows have it, as in the reference. */
export const compareLikelihood: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  check: (context) => void labelsOf(context),
  prompts: (context, question) => completePrompts(context.maker, question, labelsOf(context)),
  async infer(context, question) {
    const labels = labelsOf(context)
    let answers: ((piece: number) => boolean)[] = []
    const { inferred, scored } = await scoreAll(
      context,
      question,
      (asked) => completePrompts(context.maker, asked, labels),
      (prompts) => {
        answers = prompts.map((prompt) => answerOf(prompt, question, context.where))
        return (token, index) => touches(token, answers[index]!)
      },
    )
    const scores = labels.map((label, index): ScoredLabel => {
      return { label, value: likelihoodOf(scored[index]!, answers[index]!), logProbabilities: scored[index]!.logProbabilities }
    })
    return { ...inferred, scores, prediction: bestOf(scores, 'highest').label! }
  },
}

type Completion = Prompt & { kind: 'completion' }

/** Renders and scores all prompts of a row, with the same examples. */
export async function scoreAll(
  context: InferContext,
  question: RowQuestion,
  render: (question: RowQuestion) => Prompt[],
  /** Which tokens of which prompt matter; all by default. */
  needs?: (prompts: readonly Completion[]) => NonNullable<ScoreOptions['needs']>,
): Promise<{ inferred: Omit<Inferred, 'prediction'>; scored: ScoredPrompt[] }> {
  const fitted = fitPrompts(context, question, render)
  return scoreFitted(context, fitted, fitted.rendered, needs)
}

/** Scores prompts that were made of the examples that fitted. */
async function scoreFitted(
  context: InferContext,
  fitted: Fitted<unknown>,
  prompts: readonly Prompt[],
  needs?: (prompts: readonly Completion[]) => NonNullable<ScoreOptions['needs']>,
): Promise<{ inferred: Omit<Inferred, 'prediction'>; scored: ScoredPrompt[] }> {
  const completions = prompts.map((prompt) => asCompletion(prompt, context.where))
  const { signal } = context
  const scored = await context.model.score!(completions, {
    ...(needs ? { needs: needs(completions) } : {}),
    ...(signal ? { signal } : {}),
  })
  const sum = (count: (one: ScoredPrompt) => number) => scored.reduce((total, one) => total + count(one), 0)
  return {
    scored,
    inferred: {
      prompts,
      tokens: { prompt: sum(({ tokens }) => tokens.length), reused: sum(({ reused }) => reused), reply: 0 },
      examples: { used: fitted.kept, dropped: fitted.dropped },
      notes: [...prompts.flatMap(({ notes }) => notes), ...fitted.notes, ...scored.flatMap(({ notes }) => notes)],
    },
  }
}

/** Perplexity of the answer after its context, less that of the same answer after `normalizing_str`. */
async function inferNormalized(
  context: InferContext,
  question: RowQuestion,
  labels: readonly string[],
  normalizer: string,
): Promise<Inferred> {
  const { fitted, parts } = fitSplitPrompts(context, question, labels, quirksOf(context.dataset.compat))
  const { inferred, scored } = await scoreFitted(context, fitted, promptsToScore(parts, normalizer))
  const values = normalizedPerplexities(parts, scored, normalizer)
  const scores = labels.map((label, index): ScoredLabel => {
    return { label, value: values[index]!, logProbabilities: scored[index]!.logProbabilities }
  })
  return { ...inferred, scores, prediction: bestOf(scores, 'lowest').label! }
}

/** Which pieces of a prompt are the answer. */
function answerOf(prompt: Prompt & { kind: 'completion' }, { row }: RowQuestion, where: string): (piece: number) => boolean {
  if (dictHas(row, 'cont')) {
    return (piece) => {
      const { source } = prompt.pieces[piece]!
      return source.by === 'field' && source.path === 'cont' && source.example === undefined
    }
  }
  const { answer } = prompt
  if (answer && answer.end > answer.start) return (piece) => piece >= answer.start && piece < answer.end
  throw new PromptError('no-answer', {
    where: `${where} › infer_cfg.prompt_template`,
    problem: 'it cannot be told which part of the prompt is the answer',
    fix: 'end each label with a turn of the model, show the output_column, or name the answer\'s column "cont"',
  })
}

export function labelsOf({ maker, where }: Pick<InferContext, 'maker' | 'where'>): readonly string[] {
  if (maker.labels && maker.labels.length > 0) return maker.labels
  throw new PromptError('no-labels', {
    where: `${where} › infer_cfg.prompt_template.template`,
    problem: 'there are no labels to compare',
    fix: 'write a template for each label ({ A: …, B: … }), or use GenInferencer',
  })
}

function completePrompts(maker: PromptMaker, { row, examples }: RowQuestion, labels: readonly (string | undefined)[]): Prompt[] {
  return labels.map((label) => maker.prepare({ mode: 'ppl', ...(label === undefined ? {} : { label }) }).prompt(row, examples))
}
