import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { compactJson, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { RecordedCall } from '@rolecall/core/internal/reply'
import { openingOf } from '@rolecall/core/internal/reply'
import { stopsRun } from '../../model/language-model/stops-run.ts'
import { answerProblem } from './answer-problem.ts'
import { type OnTokens, rowCostCode } from './ask/ask-model.ts'
import type { RequestPlan } from './ask/inferencer.ts'
import { readCalls } from './ask/read-calls.ts'
import { type JudgeVerdict, judgeNotePrefix } from './ask-judge.ts'
import { askRow, type HashedRequests, hashRequests, type OpenedPair } from './ask-row.ts'
import type { AnswerToJudge } from './judge-prompts.ts'
import { columnsOf } from './kept-columns.ts'
import type { Pair } from './plan-run.ts'
import { type ReadAnswers, readAnswers } from './read-answers.ts'
import { type Amount, addTokens, isAny, noTokens } from './record/cost.ts'
import { sharedRecord } from './record/replaced-tokens.ts'
import { isFailure, isSameRow, noAnswer, recordOf } from './record/row-record.ts'
import type { RowAnswer, RowRecord, TokenUsage } from './record/run-record.ts'
import { trimScores } from './record/trim-scores.ts'
import { withDraw } from './request-key.ts'
import { joinAttempts, retryKey, retryLimit, tokensSince, withLimit } from './retry-cut.ts'
import { rowBound } from './row-bound.ts'
import { rowCostCheck, rowCostError } from './row-cost.ts'
import type { SpentNow } from './run-event.ts'
import type { AnswerCache, RemoteWorkers, RowStore, RunEnvironment, RunOptions } from './run-types.ts'
import { goldOf, type JudgedAnswer, lacksGold, notScored, type ScoredAnswer, scoreAnswer, toJudge } from './score-answer.ts'
import { rejoinReasoning, separateReasoning } from './separate-reasoning.ts'

/** What the rows of a pair share. */
export type PairContext = {
  pair: Pair
  environment: RunEnvironment
  options: RunOptions
  /** The request plan; it gets the model's tokenizer once the model is open, if the prompts need it. */
  plan: RequestPlan
  /** The second half of every row's key. */
  settings: string
  /** Whether the model would give the same answer again. */
  isRepeatable: boolean
  /** The seed of each row, if answers are sampled. */
  draws?: (row: number) => number
  /** The columns that are recorded. */
  columns: readonly string[]
  /** The index of an example in its file. */
  exampleNumber?: (example: Row) => number | undefined
  store?: RowStore
  cache?: AnswerCache
  /** The model or program that judges the answers. */
  referee?: Referee
  /** Keeps answers for comparison with those of other models. */
  keepAnswer?: (id: number, answer: PyValue) => void
  /** Records of failed requests, written once the server answers again: an unreachable server fails no row. */
  deferred: DeferredWrites
  /** The model, opened when the first row is sent. */
  opened(): OpenedPair | Promise<OpenedPair>
  /** The judge, opened before the first row is sent to remote workers. */
  judgeOpened?: () => Promise<unknown>
}

/** Writes that wait until something else confirms them. */
export class DeferredWrites {
  readonly #held: (() => void)[] = []

  add(write: () => void): void {
    this.#held.push(write)
  }

  settle(): void {
    while (this.#held.length > 0) this.#held.shift()!()
  }
}

/** Judges answers: a model, or a program that tests them. */
export type Referee = {
  /** For errors; the name of the model if there is one. */
  name: string
  judge(answer: AnswerToJudge, before: RowRecord | undefined, id: number): Promise<JudgeVerdict>
}

/** A row with its answer, and what its summary needs; no record if it may not be sent. */
export type AnsweredRow = { record?: RowRecord; keep?: unknown; from: 'model' | 'stored' | 'cached' | 'nowhere' } & SpentNow

/** Answers a row from the store, the cache, or the model; new answers are stored before this returns. */
export function answerRow(context: PairContext, row: Row, id: number, examples: readonly Row[]): AnsweredRow | Promise<AnsweredRow> {
  const { pair, environment, options, store, cache, isRepeatable } = context
  const rowHash = environment.hash(compactJson(row)).slice(0, 32)
  const gold = goldOf(pair, row)
  const columns = columnsOf(row, context.columns)
  let written: HashedRequests
  try {
    written = hashRequests(context.plan, { row, examples }, environment.hash)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return failure(environment.hash(`${rowHash} ${error.message}`).slice(0, 32) + context.settings, error)
  }
  const { begun, asked } = written
  const draw = context.draws?.(id)
  const key = asked + withDraw(context.settings, draw)
  const question = withDraw(asked, draw)
  const stored = store?.find(id, key, isRepeatable)
  const isCut = (answer: RowAnswer) => !options.offline && retryLimit(context, answer, options.retryCut) !== undefined
  if (stored && !(options.retryErrors && isFailure(stored)) && !isCut(stored))
    return fromStore(stored.id === id ? stored : sharedRecord(stored))
  const check = (answer: RowAnswer) => answerProblem(context.plan, written, answer, environment.hash)
  const cached = isRepeatable ? cache?.find(question, check) : undefined
  if (cached && !isCut(cached)) return score(kept(context, cached), 'cached')
  const cut = stored && isCut(stored) ? stored : cached && { ...cached, tokens: noTokens(), milliseconds: 0 }
  return options.offline ? { from: 'nowhere' } : ask(cut)

  /** `cut`: an earlier answer that ended at the limit of tokens. */
  async function ask(cut: RowAnswer | undefined): Promise<AnsweredRow> {
    const { budget } = options
    if (!budget) return withoutFirst(await askModel(cut), cut)
    const bound = (replied?: Amount) => rowBound(pair, context.plan, row, written.bodies, options.retryCut, replied)
    const admitted = budget.admit(pair, bound)
    if (!(admitted instanceof Promise ? await admitted : admitted)) return { from: 'nowhere' }
    let answered: AnsweredRow | undefined
    try {
      answered = withoutFirst(await askModel(cut), cut)
      return answered
    } finally {
      const { record, tokens } = answered ?? {}
      budget.settle(pair, record && tokens ? { ...record, tokens } : record)
      // Rows that no worker has taken are taken back.
      if (options.remote && budget.isBusy) budget.isSpent()
    }
  }

  async function askModel(cut: RowAnswer | undefined): Promise<AnsweredRow> {
    // The judge runs here even with remote workers.
    const opened = options.remote ? context.judgeOpened?.() : context.opened()
    const here = opened instanceof Promise ? await opened : opened
    const started = environment.now()
    const paid = noTokens()
    const onTokens = (tokens: TokenUsage) => addTokens(paid, tokens)
    let answer: RowAnswer | undefined
    try {
      const { remote } = options
      answer =
        cut ??
        (await (remote
          ? remote.ask(pair, { row, id, examples, key }, check, onTokens)
          : askRow(context, here as OpenedPair, written, draw, undefined, onTokens)))
      if (answer && !cut && isRepeatable && !costNoteOf(answer)) cache?.add(question, answer)
      const by = remote ?? (here as OpenedPair)
      const limit = answer && retryLimit('plan' in by ? by : context, answer, options.retryCut)
      if (answer && limit !== undefined && !costNoteOf(answer)) answer = await retried(answer, by, limit, onTokens)
    } catch (error) {
      // A partial answer is discarded: resuming the run sends the row again.
      if (options.signal?.aborted) return discarded(paid)
      // An error that would hit every row stops the run; nothing is recorded.
      if (!(error instanceof PromptError) || stopsRun(error)) {
        discarded(paid)
        throw error
      }
      return failure(key, error, { ...noAnswer(environment.now() - started), tokens: paid })
    }
    context.deferred.settle()
    if (!answer) return discarded(paid)
    const tooMuch = costNoteOf(answer)
    if (tooMuch) return failure(key, rowCostError(pair, tooMuch.text), answer)
    return score(answer, 'model')
  }

  /** No record has what such a row has spent on its first replies: limits count it all the same. */
  function discarded(paid: TokenUsage): AnsweredRow {
    if (isAny(paid)) {
      store?.lost?.(id, { tokens: paid, partial: true })
      options.budget?.partial(pair, paid)
    }
    return { from: 'nowhere' }
  }

  /** An answer that was cut, asked once more with a larger limit; a retry that fails or is aborted leaves it as it is. */
  async function retried(first: RowAnswer, by: OpenedPair | RemoteWorkers, limit: number, onTokens: OnTokens): Promise<RowAnswer> {
    const { plan } = 'plan' in by ? by : context
    const noted = (answer: RowAnswer, text: string): RowAnswer => {
      const note: Note = { code: 'retry-cut', text }
      return { ...answer, notes: [...(answer.notes ?? []).filter(({ code }) => code !== note.code), note] }
    }
    const spent = rowCostCheck(pair)?.(first.tokens) ?? (options.budget?.isSpent() ? 'a limit of the run is reached' : undefined)
    if (spent !== undefined) return noted(first, `it was not retried with ${limit} tokens: ${spent}`)
    const tokens = { ...first.tokens }
    const onMore = (more: TokenUsage) => {
      addTokens(tokens, more)
      onTokens(more)
    }
    try {
      const second = await ('plan' in by ? askAgain(by, limit, first.tokens, onMore) : askWorkers(by, limit, first.tokens, onMore))
      if (!second) return { ...first, tokens }
      const joined = joinAttempts(first, second, plan.generation.maxTokens, limit)
      const tooMuch = costNoteOf(second)
      return tooMuch ? noted({ ...first, tokens: joined.tokens }, `the retry with ${limit} tokens was given up: ${tooMuch.text}`) : joined
    } catch (error) {
      if (!(error instanceof PromptError) || stopsRun(error)) throw error
      return noted({ ...first, tokens }, `the retry with ${limit} tokens failed: ${error.message}`)
    }
  }

  function askAgain(opened: OpenedPair, limit: number, spent: TokenUsage, onMore: OnTokens): Promise<RowAnswer | undefined> {
    // An inferencer cannot start again.
    const again = hashRequests(context.plan, { row, examples }, environment.hash)
    return askRow(context, withLimit(opened, limit), again, draw, spent, onMore)
  }

  function askWorkers(remote: RemoteWorkers, limit: number, spent: TokenUsage, onMore: OnTokens): Promise<RowAnswer | undefined> {
    const retry = { of: key, maxTokens: limit, spent }
    return remote.ask(pair, { row, id, examples, key: retryKey(key, limit, environment.hash), retry }, check, onMore)
  }

  /** Scores an answer, judged first if there is a judge, and records the row if it is new or changed. */
  function score(given: RowAnswer, from: AnsweredRow['from'], before?: RowRecord): AnsweredRow | Promise<AnsweredRow> {
    const answer = withCalls(readReply(given, before))
    const known = {
      id,
      // A row that is only rescored keeps its key.
      key: before && options.offline ? before.key : key,
      rowHash,
      columns,
      gold,
      exampleIds: exampleIds(answer.examples.used),
      cached: from === 'cached' ? (true as const) : before?.cached,
    }
    const settle = ({ verdict, keep: kept }: ScoredAnswer, judgement?: JudgeVerdict): AnsweredRow => {
      const record = recordOf(known, judgement ? withJudgeNotes(answer, judgement) : answer, verdict)
      if (!before || !isSameRow(record, before)) store?.add(record)
      if (before && judgement && before.details?.judge_key !== judgement.key) return { record, keep: kept, from, judged: true }
      return { record, keep: kept, from }
    }
    const { keepAnswer } = context
    // Nothing is judged against an absent gold answer.
    const referee = lacksGold(pair, gold) ? undefined : context.referee
    const settleScored = (judged?: JudgedAnswer): AnsweredRow | Promise<AnsweredRow> => {
      const scored = scoreAnswer(context, answer, gold, row, id, judged)
      return scored instanceof Promise ? scored.then((one) => settle(one, judged?.judgement)) : settle(scored, judged?.judgement)
    }
    if (!referee && !keepAnswer) return settleScored()
    // Judging may take as long as answering: if the run is killed now, only the judge is queried again.
    if (referee && !before) store?.add(recordOf(known, answer, {}))
    let read: ReadAnswers
    let asked: AnswerToJudge
    try {
      read = readAnswers(answer, pair.read.prediction, row)
      asked = toJudge(context, answer, read, gold, row)
    } catch (error) {
      return settle(notScored(context, error, id))
    }
    keepAnswer?.(id, asked.prediction)
    if (!referee) return settleScored({ read })
    return referee.judge(asked, before, id).then(
      // The answer stays recorded even if the judge was interrupted: resuming queries the judge again.
      (judgement) => (judgement.said === undefined && options.budget?.reached ? { from: 'nowhere' } : settleScored({ read, judgement })),
      (error: unknown) => {
        if (!(error instanceof PromptError) || stopsRun(error) || options.throwErrors) throw error
        return settle({ verdict: { error: `${referee.name}: ${error.message}`, outcome: 'failed' } })
      },
    )
  }

  /** Separates reasoning from the answer, unless the record has it separated. */
  function readReply(answer: RowAnswer, before: RowRecord | undefined): RowAnswer {
    const { syntax } = pair.read
    if (!syntax) return rejoinReasoning(answer)
    if (before?.reasoning !== undefined) return answer
    const prompt = begun.first.prompts[0]?.prompt
    return separateReasoning(answer, syntax, prompt ? openingOf(prompt) : '')
  }

  /** Calls in text are parsed by the current config; those from a server or from ids stay. */
  function withCalls(answer: RowAnswer): RowAnswer {
    const { prediction } = answer
    if (!context.plan.readsCalls || (answer.calls !== undefined && answer.calls_by !== 'text')) return answer
    const read = (text: PyValue) => readCalls(context.plan, { row }, { text: pyStr(text) }).calls as readonly RecordedCall[] as PyValue
    return { ...answer, calls: isList(prediction) ? prediction.map(read) : read(prediction), calls_by: 'text' }
  }

  /** The indices of the examples; undefined if there are none, or they have no indices. */
  function exampleIds(used: number): readonly number[] | undefined {
    const { exampleNumber } = context
    if (used === 0 || !exampleNumber) return undefined
    const ids: number[] = []
    for (const example of examples.slice(0, used)) {
      const number = exampleNumber(example)
      if (number !== undefined) ids.push(number)
    }
    return ids
  }

  function fromStore(record: RowRecord): AnsweredRow | Promise<AnsweredRow> {
    // The right answer, the evaluator or the row's index may have changed since.
    return isFailure(record) ? { record: columns ? { ...record, columns } : record, from: 'stored' } : score(record, 'stored', record)
  }

  function failure(asKey: string, error: PromptError, answer = noAnswer(0)): AnsweredRow {
    if (options.throwErrors) throw error
    const before = options.retryErrors ? undefined : store?.find(id, asKey, false)
    if (before) return { record: before, from: 'stored' }
    const known = { id, key: asKey, rowHash, columns, gold, exampleIds: undefined, cached: undefined }
    const record = recordOf(known, { ...answer, prediction: null }, { error: error.message, outcome: 'failed' })
    if (error.code === 'request-failed') context.deferred.add(() => store?.add(record))
    else store?.add(record)
    return { record, from: 'model' }
  }
}

/** The first attempt was counted when it was made. */
function withoutFirst(answered: AnsweredRow, cut: RowAnswer | undefined): AnsweredRow {
  return cut && answered.record ? { ...answered, tokens: tokensSince(answered.record.tokens, cut.tokens) } : answered
}

function costNoteOf({ notes }: RowAnswer) {
  return notes?.find(({ code }) => code === rowCostCode)
}

/** A cached answer, trimmed to what this run records. */
function kept({ options, pair }: PairContext, answer: RowAnswer): RowAnswer {
  const { logProbabilities: keep = 'all' } = options
  if (keep === 'all' || !answer.scores) return answer
  return { ...answer, scores: trimScores(answer.scores, keep, pair.inferencer.scoresChoices === true) }
}

/** Replaces the notes of an earlier judgement by those of this one. */
function withJudgeNotes(answer: RowAnswer, { notes: added = [] }: JudgeVerdict): RowAnswer {
  const notes = [...(answer.notes ?? []).filter(({ code }) => !code.startsWith(judgeNotePrefix)), ...added]
  return { ...answer, notes: notes.length === 0 ? undefined : notes }
}
