import type { PromptMaker } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import { isTurn, type ToolCall, type Turn } from '@rolecall/core/internal/conversation'
import { attempt, PromptError } from '@rolecall/core/internal/errors'
import { dictGet, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../config/config-schema.ts'
import { type Answer, type Judgement, type LikelyChoice, notAsked } from '../score/evaluate/evaluator.ts'
import type { Vote } from '../score/evaluate/majority.ts'
import { voteFor } from '../score/evaluate/over-samples.ts'
import { ownFunctionCode } from '../score/own-function.ts'
import type { RequestPlan } from './ask/inferencer.ts'
import type { JudgeVerdict } from './ask-judge.ts'
import type { AnswerToJudge } from './judge-prompts.ts'
import type { Pair } from './plan-run.ts'
import { type ReadAnswers, readAnswers } from './read-answers.ts'
import type { Outcome } from './record/outcome.ts'
import type { Verdict } from './record/row-record.ts'
import type { RecordedScore, RowAnswer } from './record/run-record.ts'
import type { RunOptions } from './run-types.ts'

/** A verdict, and the value that the evaluator keeps for the row. */
export type ScoredAnswer = { verdict: Verdict; keep?: unknown }

/** What scoring an answer needs from its pair. */
export type ScoringContext = { pair: Pair; plan: RequestPlan; referee?: { name: string }; options?: Pick<RunOptions, 'throwErrors'> }

/** The answer as already read, and the judge's reply. */
export type JudgedAnswer = { read: ReadAnswers; judgement?: JudgeVerdict }

/** Compares an answer, or a judge's reply about it, with the right one; asynchronous only if the user's function is. */
export function scoreAnswer(
  context: ScoringContext,
  answer: RowAnswer,
  gold: PyValue | undefined,
  row: Row,
  id: number,
  judgedBefore?: JudgedAnswer,
): ScoredAnswer | Promise<ScoredAnswer> {
  const { pair, plan, referee } = context
  const judgement = judgedBefore?.judgement
  try {
    const read = judgedBefore?.read ?? readAnswers(answer, pair.read.prediction, row)
    if (judgement && judgement.said === undefined) throw notJudged(pair, referee?.name ?? '')
    if (lacksGold(pair, gold)) return noGold
    const { evaluator } = pair
    const calls = evaluator.readsCalls ? ofCalls(pair, answer, row) : undefined
    // Field by field: this is a hot path.
    const asked: Answer = {
      prediction: judgement ? readReplies(pair, judgement.said!) : evaluator.readsCalls ? (answer.calls ?? []) : read.value,
      reference: goldText(context, answer, gold ?? null),
      row,
      tokens: answer.tokens.prompt,
      choices: plan.inferencer.scoresChoices ? answer.scores?.map(likelyChoice) : undefined,
      votes: plan.samples > 1 && !evaluator.readsCalls ? votesOf(read) : undefined,
      said: calls?.said,
      texts: calls?.texts,
      tools: calls?.tools,
      answered: judgement ? read.value : undefined,
    }
    const judged = evaluator.judgeLater ? evaluator.judgeLater(asked) : evaluator.judge(asked)
    if (!(judged instanceof Promise)) return scored(judged, read, judgement)
    return judged.then(
      (one) => scored(one, read, judgement),
      (error: unknown) => notScored(context, error, id, judgement),
    )
  } catch (error) {
    return notScored(context, error, id, judgement)
  }
}

/** The replies of a judge as its own postprocessor reads them; results of programs are left as they are. */
function readReplies({ judge }: Pair, said: PyValue): PyValue {
  if (!judge) return said
  const read = (one: PyValue) => (typeof one === 'string' ? judge.read(one).value : one)
  return isList(said) ? said.map(read) : read(said)
}

/** What tool calls are judged by, in addition to the calls. */
function ofCalls({ maker }: Pair, { prediction }: RowAnswer, row: Row): Pick<Answer, 'said' | 'texts' | 'tools'> {
  const tools = maker.tools?.of(row).tools?.map(({ schema }) => schema) ?? []
  return isList(prediction) ? { tools, texts: prediction.map((one) => pyStr(one)) } : { tools, said: pyStr(prediction) }
}

function scored(
  { score, undecided, unscored, detail, keep, verdicts }: Judgement,
  read: ReadAnswers,
  judgement: JudgeVerdict | undefined,
): ScoredAnswer {
  const outcome = undecided ? 'not-decided' : unless(read.outcome, 'answered')
  const details = judgement
    ? {
        pred: read.value,
        ...detail,
        judge_key: judgement.key,
        judge_said: judgement.said!,
        ...judgement.details,
        ...(verdicts ? { judge_verdicts: verdicts } : {}),
      }
    : detail
  return { verdict: { score: undecided || unscored ? undefined : score, details, outcome }, keep }
}

/** A user's mistake is an error of the row; anything else is a bug and ends the run. */
export function notScored({ pair, options }: ScoringContext, error: unknown, id: number, judgement?: JudgeVerdict): ScoredAnswer {
  if (!(error instanceof PromptError) || options?.throwErrors) throw error
  // A judge's reply is kept even if it is unusable: it can be inspected, and is not requested again.
  const details = judgement?.said === undefined ? {} : { details: unusable(pair, judgement, judgement.said) }
  return { verdict: { error: ofRow(error, pair, id).message, outcome: 'failed', ...details } }
}

/** The details of a row whose judge, or whose tests, said nothing that could be scored. */
function unusable({ judge }: Pair, { key, details }: JudgeVerdict, said: PyValue): Record<string, PyValue> {
  const kept = { judge_key: key, judge_said: said, ...details }
  return judge
    ? { ...kept, judge_verdicts: (isList(said) ? said : [said]).map((one) => (one === notAsked ? 'not_asked' : 'unreadable')) }
    : kept
}

/** Errors of a user's function name the row. */
function ofRow(error: PromptError, { name: { dataset } }: Pair, id: number): PromptError {
  if (error.code !== ownFunctionCode) return error
  const { where, problem, fix } = error
  const row = where.startsWith(`${dataset} › `) ? `row ${id}` : `row ${id} of ${dataset}`
  return new PromptError(error.code, { where: `${where}, ${row}`, problem, fix })
}

/** The vote of each of several answers: those without an answer do not vote. */
function votesOf({ value, outcome }: ReadAnswers): Vote[] {
  const outcomes = [outcome].flat()
  return (isList(value) ? value : [value]).map((one, sample) => (outcomes[sample] === 'answered' ? voteFor(one) : null))
}

/** What a model or a program judges: each of several answers, or one text; the replies of a chat are one answer. */
export function toJudge(
  context: ScoringContext,
  answer: RowAnswer,
  { value }: ReadAnswers,
  gold: PyValue | undefined,
  row: Row,
): AnswerToJudge {
  return {
    row,
    ...(isChat(context.plan, answer.prediction)
      ? { prediction: pyStr(value), ...(isList(value) ? { rounds: value } : {}) }
      : { prediction: value }),
    reference: gold === undefined ? undefined : goldText(context, answer, gold),
  }
}

/** Most outcomes are `answered`: the default is not recorded. */
function unless(outcome: ReadAnswers['outcome'], usual: Outcome): ReadAnswers['outcome'] | undefined {
  const isUsual = typeof outcome === 'string' ? outcome === usual : outcome.every((one) => one === usual)
  return isUsual ? undefined : outcome
}

/** The gold answer as it is compared: for the replies of a chat, one by one. */
function goldText({ pair, plan }: ScoringContext, { prediction }: RowAnswer, gold: PyValue): PyValue {
  const text = asWritten(pair, gold)
  const read = (value: PyValue) => (typeof value === 'string' ? pair.read.reference(value) : value)
  return isList(text) && isChat(plan, prediction) ? text.map(read) : read(text)
}

/** Gold answers are postprocessed as text, as in OpenCompass: `true` is "True". */
function asWritten({ dataset }: Pair, gold: PyValue): PyValue {
  const isCleaned = dataset.eval_cfg?.dataset_postprocessor !== undefined
  return isCleaned && gold !== null && !isList(gold) && !isDict(gold) ? pyStr(gold) : gold
}

/** The reference for the answer to a row. */
export function goldOf({ dataset, inferencer, maker, evaluator }: Pair, row: Row): PyValue | undefined {
  if (evaluator.readsCalls && inferencer.readsChats && !dataset.reader_cfg?.output_column) return expectedCalls(dataset, maker, row)
  if (inferencer.gold) return inferencer.gold(dataset, row)
  const column = dataset.reader_cfg?.output_column
  return column ? dictGet(row, column) : undefined
}

/**
 * Whether an answer cannot be scored because its row has no gold answer: an empty cell of a table, for instance. The reference compares empty
 * texts, and `compat` does the same.
 */
export function lacksGold({ dataset, evaluator }: Pair, gold: PyValue | undefined): boolean {
  if (!evaluator.needsReference) return false
  if (gold === undefined || gold === null) return true
  if (dataset.compat !== undefined) return false
  // No call may be the right answer.
  return typeof gold === 'string' ? gold.trim() === '' : isList(gold) && gold.length === 0 && !evaluator.readsCalls
}

/** The row is counted, and neither right nor wrong. */
export const noGold: ScoredAnswer = { verdict: { outcome: 'no-gold' } }

/** Whether a prediction is the list of replies in one chat, rather than several answers or one. */
function isChat({ samples }: RequestPlan, prediction: PyValue): boolean {
  return isList(prediction) && samples === 1
}

export function likelyChoice({ label = '', value, is_greedy: isGreedy }: RecordedScore): LikelyChoice {
  return { label, logLikelihood: value ?? Number.NaN, isGreedy }
}

function notJudged({ name }: Pair, referee: string): PromptError {
  return new PromptError('not-judged', {
    where: name.dataset,
    problem: `there is nothing from ${referee} about this answer`,
    fix: 'resume the run (rolecall run -r)',
  })
}

/** The calls in a chat's assistant turns: the reference if no column has it. */
function expectedCalls({ infer_cfg: { inferencer } }: DatasetConfig, maker: PromptMaker, row: Row): PyValue | undefined {
  // An unreadable row is reported when it is sent.
  const conversation = attempt(() => maker.conversation({ row, examples: [], mode: 'ppl' }))
  if (conversation === undefined) return undefined
  const turns = conversation.kind === 'text' ? [] : conversation.sections.flatMap(({ items }) => items.filter(isTurn))
  const written = turns.filter(({ role }) => role === 'assistant').map(callsIn)
  const mode = inferencer?.infer_mode ?? 'last'
  return mode === 'last' ? (written.at(-1) ?? []) : written
}

function callsIn({ calls = [] }: Turn): PyValue {
  return calls.map(({ name, arguments: given, code }: ToolCall): PyValue => (code === undefined ? { name, arguments: given } : { code }))
}
