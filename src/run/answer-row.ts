import { askModel, type Inferred } from '../ask/ask-model.ts'
import { type Begun, beginAsking, chainOf, fitBegun } from '../ask/begin-asking.ts'
import type { AskPlan } from '../ask/inferencer.ts'
import { requestsText, sentText } from '../ask/request-text.ts'
import type { Row } from '../dataset/row.ts'
import { ownExample } from '../dataset/same-question.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { stopsRun } from '../model/stops-run.ts'
import { distinctNotes, type Note } from '../note.ts'
import { PromptError } from '../prompt-error.ts'
import { compactJson, dictGet, dictKeys, isList, type PyValue, pyStr } from '../python/index.ts'
import { isFailure, isSameRow, noAnswer, recordOf, type Verdict } from '../record/row-record.ts'
import type { RowAnswer, RowRecord } from '../record/run-record.ts'
import type { LikelyChoice } from '../score/evaluate/evaluator.ts'
import { type Judged, judgeNotes, type ToJudge } from './ask-judge.ts'
import type { Pair } from './plan-run.ts'
import { withDraw } from './request-key.ts'
import type { AnswerCache, RowStore, RunEnvironment, RunOptions } from './run-environment.ts'

/** What all rows of a pair share while they are answered. */
export type PairContext = {
  pair: Pair
  environment: RunEnvironment
  options: RunOptions
  /** What is asked; with the model's tokenizer once it is opened, where its prompts need one. */
  plan: AskPlan
  /** The second half of every row's key. */
  settings: string
  /** Whether asking again would give the same answer. */
  isRepeatable: boolean
  /** The seed of each row, where answers are drawn at random. */
  draws?: (row: number) => number
  store?: RowStore
  cache?: AnswerCache
  /** Where a model or a program judges the answers. */
  referee?: Referee
  /** Rows that got no answer, until the server has given another: a server that is gone fails no row. */
  doubts: Doubts
  /** The model, opened when the first row is asked. */
  opened(): OpenedPair | Promise<OpenedPair>
}

/** A model that is there to be asked, and what is asked of it now that its tokenizer is known. */
export type OpenedPair = { plan: AskPlan; model: LanguageModel }

/** What is only written down once something else has shown that it is true. */
export class Doubts {
  readonly #held: (() => void)[] = []

  add(write: () => void): void {
    this.#held.push(write)
  }

  settle(): void {
    while (this.#held.length > 0) this.#held.shift()!()
  }
}

/** Who judges answers: a model, or a program that tests them. */
export type Referee = {
  /** For errors, whose words name the model where there is one. */
  name: string
  judge(answer: ToJudge, before: RowRecord | undefined): Promise<Judged>
}

/** A row with its answer, and what a summary needs besides; no record where it may not be asked. */
export type Answered = { record?: RowRecord; keep?: unknown; from: 'asked' | 'stored' | 'cached' | 'nowhere' }

/** Answers a row from what is stored, from the cache, or by the model; what is new is stored before this is done. */
export function answerRow(context: PairContext, row: Row, id: number, examples: readonly Row[]): Answered | Promise<Answered> {
  const { pair, environment, options, store, cache, isRepeatable } = context
  const rowHash = environment.hash(compactJson(row)).slice(0, 32)
  const gold = goldOf(pair, row)
  let begun: Begun
  let asked: string
  let bodies: string[]
  try {
    begun = beginAsking(context.plan, { row, examples })
    const requests = chainOf(context.plan, begun)
    bodies = []
    for (const request of requests) for (const { prompt } of request.asked) bodies.push(sentText(prompt))
    asked = environment.hash(requestsText(requests, bodies)).slice(0, 32)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return failure(environment.hash(`${rowHash} ${error.message}`).slice(0, 32) + context.settings, error, 0)
  }
  const draw = context.draws?.(id)
  const key = asked + withDraw(context.settings, draw)
  const question = withDraw(asked, draw)
  const stored = store?.find(id, key, isRepeatable)
  if (stored && !(options.retryErrors && isFailure(stored))) return fromStore(stored)
  const cached = isRepeatable ? cache?.find(question) : undefined
  if (cached) return score(cached, 'cached')
  return options.offline ? { from: 'nowhere' } : ask()

  async function ask(): Promise<Answered> {
    const opened = context.opened()
    const { plan, model } = opened instanceof Promise ? await opened : opened
    const started = environment.now()
    let inferred: Inferred
    try {
      const fitted = fitBegun(plan, begun)
      // What is sent is what was hashed, unless examples had to be left out.
      const known = fitted.first === begun.first ? bodies : undefined
      inferred = await askModel(plan, fitted, model, options.signal, known, draw)
    } catch (error) {
      // Half an answer is none: the row is asked again when the run is resumed.
      if (options.signal?.aborted) return { from: 'nowhere' }
      // What would meet every row alike stops the run, and nothing is written about the row.
      if (!(error instanceof PromptError) || stopsRun(error)) throw error
      return failure(key, error, environment.now() - started)
    }
    context.doubts.settle()
    if (inferred.finish === 'aborted') return { from: 'nowhere' }
    const answer = answerOf(context, inferred, own(context.pair, row, examples, inferred), environment.now() - started)
    if (isRepeatable) cache?.add(question, answer)
    return score(answer, 'asked')
  }

  /** Scores an answer, after a model or a program has judged it where one does, and keeps the row unless it is there already. */
  function score(answer: RowAnswer, from: Answered['from'], before?: RowRecord): Answered | Promise<Answered> {
    const known = {
      id,
      // What is only scored again keeps the key it was asked with.
      key: before && options.offline ? before.key : key,
      rowHash,
      gold,
      cached: from === 'cached' ? (true as const) : before?.cached,
    }
    const settle = ({ verdict, keep: kept }: Scored, told?: Judged): Answered => {
      const record = recordOf(known, told ? withJudgeNotes(answer, told) : answer, verdict)
      if (!before || !isSameRow(record, before)) store?.add(record)
      return { record, keep: kept, from }
    }
    const { referee } = context
    if (!referee) return settle(scored(context, answer, gold, row))
    // Judging may take as long as asking did: a run that is killed meanwhile only judges again.
    if (!before) store?.add(recordOf(known, answer, {}))
    let asked: ToJudge
    try {
      asked = toJudge(context, answer, gold, row)
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      return settle({ verdict: { error: error.message } })
    }
    return referee.judge(asked, before).then(
      // The answer is kept, also where the judge was interrupted: going on with the run asks it again.
      (told) => settle(scored(context, answer, gold, row, told), told),
      (error: unknown) => {
        if (!(error instanceof PromptError) || stopsRun(error)) throw error
        return settle({ verdict: { error: `${referee.name}: ${error.message}` } })
      },
    )
  }

  function fromStore(record: RowRecord): Answered | Promise<Answered> {
    // The right answer, the evaluator or the row's number may have changed since.
    return isFailure(record) ? { record, from: 'stored' } : score(record, 'stored', record)
  }

  function failure(asKey: string, error: PromptError, milliseconds: number): Answered {
    const before = options.retryErrors ? undefined : store?.find(id, asKey, false)
    if (before) return { record: before, from: 'stored' }
    const record = recordOf({ id, key: asKey, rowHash, gold, cached: undefined }, noAnswer(milliseconds), { error: error.message })
    if (error.code === 'request-failed') context.doubts.add(() => store?.add(record))
    else store?.add(record)
    return { record, from: 'asked' }
  }
}

type Scored = { verdict: Verdict; keep?: unknown }

/** Compares an answer, or what a judge said of it, with the right one. */
function scored(
  { pair, plan, referee }: PairContext,
  { prediction, tokens, scores }: RowAnswer,
  gold: PyValue | undefined,
  row: Row,
  told?: Judged,
): Scored {
  try {
    if (told && told.said === undefined) throw notJudged(pair, referee?.name ?? '')
    if (pair.evaluator.needsReference && (gold === undefined || gold === null)) throw noReference(pair, row)
    const clean = cleanerFor(plan, prediction)
    const { score, detail, keep } = pair.evaluator.judge({
      prediction: told ? told.said! : clean(prediction, pair.clean.prediction),
      reference: clean(asWritten(pair, gold ?? null), pair.clean.reference),
      row,
      tokens: tokens.prompt,
      ...(pair.inferencer.weighsChoices && scores ? { choices: scores.map(likelyChoice) } : {}),
    })
    if (!told) return { verdict: { score, details: detail }, keep }
    const judged = { pred: eachCleaned(prediction, pair.clean.prediction), ...detail, judge_key: told.key, judge_said: told.said! }
    return { verdict: { score, details: judged }, keep }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    // What a judge said is kept even where it is of no use: it can be read, and is not asked for again.
    const details = told?.said === undefined ? {} : { details: { judge_key: told.key, judge_said: told.said } }
    return { verdict: { error: error.message, ...details } }
  }
}

function likelyChoice({ label = '', value }: NonNullable<RowAnswer['scores']>[number]): LikelyChoice {
  return { label, logLikelihood: value ?? Number.NaN }
}

function notJudged({ name }: Pair, referee: string): PromptError {
  return new PromptError('not-judged', {
    where: name.dataset,
    problem: `nothing is known of this answer from ${referee}`,
    fix: 'go on with the run (rolecall run -r)',
  })
}

function noReference({ name, dataset }: Pair, row: Row): PromptError {
  const column = dataset.reader_cfg?.output_column
  return new PromptError('no-reference', {
    where: `${name.dataset} › reader_cfg.output_column`,
    problem: `the row has nothing in "${column}" to compare the answer with (it has: ${dictKeys(row).join(', ')})`,
    fix: 'name the column with the right answers, and give every row one',
  })
}

/** What is done to gold answers is done to their text, as OpenCompass's functions do it: `true` is "True". */
function asWritten({ dataset }: Pair, gold: PyValue): PyValue {
  const isCleaned = dataset.eval_cfg?.dataset_postprocessor !== undefined
  return isCleaned && (typeof gold === 'number' || typeof gold === 'boolean' || typeof gold === 'bigint') ? pyStr(gold) : gold
}

function goldOf({ dataset, inferencer }: Pair, row: Row): PyValue | undefined {
  if (inferencer.gold) return inferencer.gold(dataset, row)
  const column = dataset.reader_cfg?.output_column
  return column ? dictGet(row, column) : undefined
}

/** What a model or a program judges: each of several answers, else one text; the replies of a chat are one answer. */
function toJudge({ pair, plan }: PairContext, { prediction }: RowAnswer, gold: PyValue | undefined, row: Row): ToJudge {
  const each = eachCleaned(prediction, pair.clean.prediction)
  return {
    row,
    prediction: isChat(plan, prediction) ? pyStr(each) : each,
    reference: gold === undefined ? undefined : cleanerFor(plan, prediction)(asWritten(pair, gold), pair.clean.reference),
  }
}

/** An answer with what was noticed while it was judged, this time and not before. */
function withJudgeNotes(answer: RowAnswer, { notes: told = [] }: Judged): RowAnswer {
  const notes = [...(answer.notes ?? []).filter(({ code }) => !code.startsWith(judgeNotes)), ...told]
  return { ...answer, notes: notes.length === 0 ? undefined : notes }
}

/** The replies of a chat are cleaned one by one, and so is what they should be; samples are when each is judged. */
function cleanerFor(plan: AskPlan, prediction: PyValue): typeof cleaned {
  return isChat(plan, prediction) ? eachCleaned : cleaned
}

/** Whether a prediction is what a model said in the turns of one chat, rather than several answers or one. */
function isChat({ samples }: AskPlan, prediction: PyValue): boolean {
  return isList(prediction) && samples === 1
}

function eachCleaned(value: PyValue, clean: (text: string) => PyValue): PyValue {
  return isList(value) ? value.map((one) => cleaned(one, clean)) : cleaned(value, clean)
}

function cleaned(value: PyValue, clean: (text: string) => PyValue): PyValue {
  return typeof value === 'string' ? clean(value) : value
}

function answerOf({ environment, options }: PairContext, inferred: Inferred, more: readonly Note[], milliseconds: number): RowAnswer {
  const { bodies } = inferred
  const notes = inferred.notes.length + more.length === 0 ? undefined : distinctNotes([...inferred.notes, ...more])
  return {
    prompt_hash: environment.hash(bodies.join('\u0000')),
    prompts: options.keepPrompts ? bodies : undefined,
    prediction: inferred.prediction,
    scores: inferred.scores?.map(rounded),
    finish: inferred.finish,
    tokens: inferred.tokens,
    examples: inferred.examples,
    milliseconds: Math.round(milliseconds),
    notes,
  }
}

function own({ dataset }: Pair, row: Row, examples: readonly Row[], { examples: { used } }: Inferred): Note[] {
  const number = ownExample(row, examples, dataset.reader_cfg)
  return number >= 0 && number < used
    ? [{ code: 'example-is-question', text: 'an example is the row being asked: the prompt shows its answer' }]
    : []
}

/** Enough digits to compare, few enough to read. NaN is no JSON. */
function rounded({ label, value, logProbabilities }: NonNullable<Inferred['scores']>[number]) {
  return {
    ...(label === undefined ? {} : { label }),
    value: Number.isFinite(value) ? value : null,
    log_probabilities: logProbabilities.map((one) => (one === null ? null : Number(one.toFixed(5)))),
  }
}
