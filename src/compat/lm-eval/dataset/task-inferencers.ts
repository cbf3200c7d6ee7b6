import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type GreedyNeed, greedyNeed } from './greedy-need.ts'
import { type TaskSpec, taskOf } from './task-spec.ts'
import { asCompletion } from '../../../model/language-model/cannot-score.ts'
import { type Asking, type AskPlan, generated, type Inferencer, type ScoredLabel, scored } from '../../../evaluation/run/ask/inferencer.ts'
import { bestOf, isGreediest, likelihoodOf, touches } from '../../../evaluation/run/ask/perplexity.ts'
import { taskRequests } from './task-prompts.ts'

/** Generation of a task of lm-evaluation-harness: one prompt for each document. */
export const generateTask: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  check: (plan) => void specOf(plan),
  *ask(plan, { row, examples }) {
    const { samples } = plan
    const { replies } = yield* generated({ kind: 'generate', asked: [plan.write({ row, examples, mode: 'gen' })], samples })
    return { prediction: samples === 1 ? replies[0]!.text : replies.map(({ text }) => text) }
  },
}

/** Likelihoods of a task: of each choice behind the question, of one continuation, or of a whole text. */
export const weighTask: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  weighsChoices: true,
  check: (plan) => void specOf(plan),
  *ask(plan, question): Asking {
    const spec = specOf(plan)
    const requests = taskRequests(spec, question.row)
    const asked = requests.map((_, index) => {
      const label = String(index)
      return { ...plan.write({ ...question, mode: 'ppl', label }), label }
    })
    const answers = asked.map(({ prompt }) => answerPieces(plan, asCompletion(prompt, plan.where)))
    const greedy = greedyNeed(taskOf(spec))
    const found = yield* scored({
      kind: 'score',
      asked,
      needs: (token, index) => touches(token, answers[index]!),
      compared: greedy === undefined ? null : 'greedy',
    })
    const scores = found.map((one, index): ScoredLabel => {
      const isAnswer = answers[index]!
      const isGreedy = greedy === undefined ? undefined : isGreediest(one, isAnswer)
      return { label: String(index), value: likelihoodOf(one, isAnswer), logProbabilities: one.logProbabilities, isGreedy }
    })
    const notes = greedy !== undefined && scores.some(({ isGreedy }) => isGreedy === undefined) ? [greedyUnknown(plan, greedy)] : []
    return { scores, prediction: bestOf(scores, 'highest').label!, notes }
  },
}

/** A function may use what is not known; a metric cannot be counted without. */
function greedyUnknown({ model, where }: AskPlan, needed: GreedyNeed): Note {
  const problem = `${model.abbr} does not tell whether a token was the likeliest one`
  if (needed === 'function') return { code: 'greedy-unknown', text: `${problem}; process_results is given None for it` }
  throw new PromptError('greedy-unknown', {
    where: `${where} › metric_list`,
    problem: `${problem}, which "${needed}" needs`,
    fix: `leave "${needed}" out of metric_list, or use a model that does: the embedded one, a GGUF file, a server with top_logprobs or ranks`,
  })
}

/** Which pieces of a prompt are weighed. */
function answerPieces({ where }: AskPlan, { pieces, answer }: ReturnType<typeof asCompletion>): (piece: number) => boolean {
  if (answer && answer.end > answer.start) return (piece) => piece >= answer.start && piece < answer.end
  if (pieces.some((piece) => piece.answer)) return (piece) => pieces[piece]!.answer === true
  throw new PromptError('no-answer', { where, problem: 'nothing in the prompt is to be scored', fix: 'give every choice a text' })
}

function specOf({ dataset, where }: Pick<AskPlan, 'dataset' | 'where'>): TaskSpec {
  if (dataset.lm_eval !== undefined) return dataset.lm_eval as unknown as TaskSpec
  throw new PromptError('no-task', {
    where: `${where} › infer_cfg.inferencer.type`,
    problem: 'it is for lm-evaluation-harness tasks, and this is not one',
    fix: 'use --tasks, or another inferencer',
  })
}
