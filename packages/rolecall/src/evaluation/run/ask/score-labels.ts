import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { dictHas } from '@rolecall/core/internal/python'
import { asCompletion } from '../../../model/language-model/cannot-score.ts'
import { comparedColumns } from './compared-columns.ts'
import { type Inferencer, type RequestPlan, type RequestPrompt, type RowQuestion, type ScoredLabel, scored } from './inferencer.ts'
import { askNormalized, checkSeparator } from './normalized.ts'
import { bestOf, likelihoodOf, perplexity, touches } from './perplexity.ts'

/** PPLInferencer: the label whose complete prompt has the lowest perplexity. */
export const comparePerplexity: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  check(plan) {
    labelsOf(plan)
    if (normalizerOf(plan) !== undefined) checkSeparator(plan)
  },
  *ask(plan, question) {
    const labels = labelsOf(plan)
    const normalizer = normalizerOf(plan)
    if (normalizer !== undefined) return yield* askNormalized(plan, question, labels, normalizer)
    const asked = completePrompts(plan, question, labels)
    const found = yield* scored({ kind: 'score', prompts: asked, compared: comparedColumns(question.row) })
    const scores = labels.map((label, index): ScoredLabel => {
      const { logProbabilities } = found[index]!
      return { label, value: perplexity(logProbabilities), logProbabilities }
    })
    return { scores, prediction: bestOf(scores, 'lowest').label! }
  },
}

/** PPLOnlyInferencer: the perplexity of each row. */
export const onlyPerplexity: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  check({ maker, where }) {
    if (!maker.mapsLabels || maker.labels?.length === 1) return
    throw new PromptError('labels-alone', {
      where: `${where} › infer_cfg.prompt_template.template`,
      problem: `PPLOnlyInferencer scores one text per row, but the template has one for each label (${maker.labels?.join(', ')})`,
      fix: 'compare the labels with PPLInferencer, or write one template',
    })
  },
  *ask(plan, question) {
    // A map with one label, as in OpenCompass's configs of WikiText, is one text.
    const label = plan.maker.mapsLabels ? plan.maker.labels?.[0] : undefined
    const asked = completePrompts(plan, question, [label])
    const [found] = yield* scored({ kind: 'score', prompts: asked, compared: comparedColumns(question.row) })
    const { logProbabilities } = found!
    const value = perplexity(logProbabilities)
    return { scores: [{ value, logProbabilities }], prediction: value }
  },
}

/** LLInferencer: the label whose answer is the most likely. The answer is the column `cont` if rows have it, as in the reference. */
export const compareLikelihood: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  check: (plan) => void labelsOf(plan),
  *ask(plan, question) {
    const labels = labelsOf(plan)
    const asked = completePrompts(plan, question, labels)
    const answers = asked.map(({ prompt }) => answerOf(asCompletion(prompt, plan.where), question, plan.where))
    const found = yield* scored({
      kind: 'score',
      prompts: asked,
      needs: (token, index) => touches(token, answers[index]!),
      compared: comparedColumns(question.row),
    })
    const scores = labels.map((label, index): ScoredLabel => {
      return { label, value: likelihoodOf(found[index]!, answers[index]!), logProbabilities: found[index]!.logProbabilities }
    })
    return { scores, prediction: bestOf(scores, 'highest').label! }
  },
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
    problem: 'it is unclear which part of the prompt is the answer',
    fix: 'end each label with a turn of the model, show the output_column, or name the answer\'s column "cont"',
  })
}

/** The compared labels; each has a template. */
export function labelsOf({ maker, where }: Pick<RequestPlan, 'maker' | 'where'>): readonly string[] {
  const { labels = [], mapsLabels } = maker
  const lost = mapsLabels ? labels.find((label) => !mapsLabels.includes(label)) : undefined
  if (labels.length > 0 && lost === undefined) return labels
  if (lost === undefined) {
    throw new PromptError('no-labels', {
      where: `${where} › infer_cfg.prompt_template.template`,
      problem: 'there are no labels to compare',
      fix: 'write a template for each label ({ A: …, B: … }), or use GenInferencer',
    })
  }
  throw new PromptError('missing-label', {
    where: `${where} › infer_cfg.inferencer.labels`,
    problem: `there is no template for the label "${lost}"`,
    fix: `choose of: ${mapsLabels!.join(', ')}`,
  })
}

function normalizerOf({ dataset }: RequestPlan): string | undefined {
  return dataset.infer_cfg.inferencer?.normalizing_str
}

function completePrompts(plan: RequestPlan, { row, examples }: RowQuestion, labels: readonly (string | undefined)[]): RequestPrompt[] {
  return labels.map((label) => {
    const { prompt, conversation } = plan.write({ row, examples, mode: 'ppl', label })
    return { prompt, conversation, label }
  })
}
