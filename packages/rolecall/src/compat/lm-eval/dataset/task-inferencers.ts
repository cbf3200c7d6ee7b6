import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { generate } from '../../../evaluation/run/ask/generate.ts'
import {
  generated,
  type Inferencer,
  type Request,
  type RequestAnswer,
  type RequestGenerator,
  type RequestPlan,
  type RowQuestion,
  type ScoredLabel,
  scored,
} from '../../../evaluation/run/ask/inferencer.ts'
import { bestOf, isGreediest, likelihoodOf, touches } from '../../../evaluation/run/ask/perplexity.ts'
import { asCompletion } from '../../../model/language-model/cannot-score.ts'
import { type GreedyNeed, greedyNeed } from './greedy-need.ts'
import { scoredText } from './scored-text.ts'
import { taskRequests } from './task-prompts.ts'
import { readTaskSpec, type TaskSpec, taskOf } from './task-spec.ts'

type Scores = { scores: ScoredLabel[]; notes: Note[] }

type CompletionPrompt = ReturnType<typeof asCompletion>

/** Generates the replies to an lm-evaluation-harness task: one prompt per document. */
export const generateTask: Inferencer = { ...generate, check: (plan) => void specOf(plan) }

/** Scores a task by log-likelihood: each choice after the question, one continuation, or a whole text. */
export const scoreTask: Inferencer = {
  mode: 'ppl',
  needs: 'score',
  scoresChoices: true,
  check: (plan) => void specOf(plan),
  *ask(plan, question): RequestGenerator {
    const labels = taskRequests(specOf(plan), question.row).map((_, index) => String(index))
    const { scores, notes } = yield* scoresOf(plan, question, labels)
    return { scores, prediction: bestOf(scores, 'highest').label!, notes }
  },
}

/** Sends what a class requests for a document: texts to generate first, then texts to score. */
export const requestTask: Inferencer = {
  mode: 'gen',
  needs: 'score',
  mayGenerate: true,
  scoresChoices: true,
  check: (plan) => void specOf(plan),
  *ask(plan, question): RequestGenerator {
    const requests = taskRequests(specOf(plan), question.row).map(({ kind }, index) => ({ kind, label: String(index) }))
    const labelsOf = (isGenerated: boolean) => requests.flatMap(({ kind, label }) => ((kind === 'generate') === isGenerated ? [label] : []))
    const [written, rated] = [labelsOf(true), labelsOf(false)]
    const texts: string[] = []
    if (written.length > 0) {
      const prompts = written.map((label) => ({ ...plan.write({ ...question, mode: 'gen', label }), label }))
      const standIn = rated.length === 0 ? {} : { standIn: '' }
      const { replies } = yield* generated({ kind: 'generate', prompts, samples: 1, ...standIn })
      texts.push(...replies.map(({ text }) => text))
    }
    const found = rated.length === 0 ? undefined : yield* scoresOf(plan, question, rated)
    const prediction = texts.length === 0 ? bestOf(found!.scores, 'highest').label! : texts.length === 1 ? texts[0]! : texts
    return { prediction, ...found }
  },
}

/** Scores the requests with these labels. */
function* scoresOf(plan: RequestPlan, question: RowQuestion, labels: readonly string[]): Generator<Request, Scores, RequestAnswer> {
  const spec = specOf(plan)
  const asked = labels.map((label) => {
    const written = plan.write({ ...question, mode: 'ppl', label })
    const { prompt, isScored } = scoredText(withPrefix(asCompletion(written.prompt, plan.where)))
    return { request: { ...written, prompt, label }, isScored }
  })
  const answers = asked.map(({ isScored }) => isScored)
  const greedy = greedyNeed(taskOf(spec)) ?? (spec.log_samples ? 'samples' : undefined)
  const found = yield* scored({
    kind: 'score',
    prompts: asked.map(({ request }) => request),
    needs: (token, index) => touches(token, answers[index]!),
    compared: greedy === undefined ? null : 'greedy',
  })
  const scores = found.map((one, index): ScoredLabel => {
    const isAnswer = answers[index]!
    const isGreedy = greedy === undefined ? undefined : isGreediest(one, isAnswer)
    return { label: labels[index]!, value: likelihoodOf(one, isAnswer), logProbabilities: one.logProbabilities, isGreedy }
  })
  const notes = greedy !== undefined && scores.some(({ isGreedy }) => isGreedy === undefined) ? [greedyUnknown(plan, greedy)] : []
  const isCut = found.some(({ tokens, logProbabilities: [first] }, index) => first === null && touches(tokens[0]!, answers[index]!))
  return { scores, notes: isCut ? [...notes, firstTokenLost(plan)] : notes }
}

/** Without a context the first token of an answer is conditioned on BOS or EOS, as in lm-evaluation-harness. */
function withPrefix(prompt: CompletionPrompt): CompletionPrompt {
  const first = prompt.pieces.findIndex((piece) => !('text' in piece) || piece.text !== '')
  if (first < 0) return { ...prompt, needsPrefix: true }
  const isAnswer = prompt.answer && prompt.answer.end > prompt.answer.start ? first >= prompt.answer.start : prompt.pieces[first]?.answer
  return isAnswer && prompt.bos === 'tokenizer' ? { ...prompt, needsPrefix: true } : prompt
}

function firstTokenLost({ model }: RequestPlan): Note {
  return {
    code: 'first-token-lost',
    text: `the context is empty, and ${model.abbr} does not report the probability of a text's first token, so it is left out; lm-evaluation-harness conditions it on BOS or EOS: set tokenizer_path, so that this token is sent`,
  }
}

/** A metric cannot be computed without knowing whether tokens were greedy; a function may ignore it. */
function greedyUnknown({ model, where }: RequestPlan, needed: GreedyNeed): Note {
  const problem = `${model.abbr} does not report whether a token was the likeliest one`
  if (needed === 'samples') return { code: 'greedy-unknown', text: `${problem}; the logged samples have None instead` }
  if (needed === 'function') return { code: 'greedy-unknown', text: `${problem}; process_results receives None instead` }
  throw new PromptError('greedy-unknown', {
    where: `${where} › metric_list`,
    problem: `${problem}, which "${needed}" needs`,
    fix: `leave "${needed}" out of metric_list, or use a model that does: the embedded one, a GGUF file, a server with top_logprobs or ranks`,
  })
}

function specOf({ dataset, where }: Pick<RequestPlan, 'dataset' | 'where'>): TaskSpec {
  if (dataset.lm_eval !== undefined) return readTaskSpec(dataset.lm_eval, where)
  throw new PromptError('no-task', {
    where: `${where} › infer_cfg.inferencer.type`,
    problem: 'this inferencer only runs lm-evaluation-harness tasks',
    fix: 'use --tasks, or another inferencer',
  })
}
