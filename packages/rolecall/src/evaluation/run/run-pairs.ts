import type { Row } from '@rolecall/core/internal/conversation'
import { eventQueue } from '@rolecall/core/internal/text'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { oneByOne } from '../dataset/chunks.ts'
import type { Preparation } from '../dataset/retrieve/retriever.ts'
import { answerRow } from './answer-row.ts'
import { planRequests } from './ask/plan-requests.ts'
import type { OpenedPair } from './ask-row.ts'
import { computeSummary } from './compute-summary.ts'
import { columnsBy, keptColumns, refuseUnknownColumns } from './kept-columns.ts'
import { byModel, byServer, sideBySide } from './lanes.ts'
import type { AnsweredRow } from './layers/layer.ts'
import { OpenModels } from './open-models.ts'
import { baselinesFirst, Opponents } from './opponents.ts'
import { DeferredWrites, type PairContext } from './pair-context.ts'
import type { Pair } from './plan-run.ts'
import { pool } from './pool.ts'
import { preparePairs } from './prepare-pair.ts'
import type { PreparedPairs } from './prepared-pairs.ts'
import { PairTally, type TallyOptions, type TallySubject } from './record/pair-tally.ts'
import { refereeOf } from './referee-of.ts'
import { drawsOf, isRepeatable, settingsText } from './request-key.ts'
import { rowLimit } from './row-limit.ts'
import { setUpInterpreter } from './run-code.ts'
import type { RunEvent } from './run-event.ts'
import type { OpenRows, RunEnvironment, RunOptions } from './run-types.ts'
import { computed, count, endOf, type Running } from './running-pair.ts'
import { shardSize, wholeRun } from './shard.ts'

export { type Pair, planRun } from './plan-run.ts'
export type { RunEvent } from './run-event.ts'
export type { AnswerCache, OpenModelOptions, OpenRows, RowStore, RunEnvironment, RunOptions } from './run-types.ts'

/**
 * Runs every pair, row by row, and yields events in completion order. Memory does not grow with
 * the dataset except for a few bytes per row. A pair that is stopped before its last row has no `end`.
 */
export function runPairs(pairs: readonly Pair[], environment: RunEnvironment, options: RunOptions = {}): AsyncGenerator<RunEvent> {
  const { stop, signal } = options
  // When the consumer stops listening, no more rows are sent.
  return eventQueue((emit, left) =>
    tellPairs(pairs, environment, options, emit, () => left.aborted || Boolean(stop?.aborted || signal?.aborted)),
  )
}

/** The same for a listener: its promise is awaited before more rows are sent. */
export async function tellPairs(
  pairs: readonly Pair[],
  environment: RunEnvironment,
  options: RunOptions,
  emit: Listener,
  isStopped = () => Boolean(options.stop?.aborted || options.signal?.aborted),
): Promise<void> {
  // Requests in token ids are checked as soon as the tokenizers are known.
  for (const pair of pairs) if (pair.inferencer.needsTokenizer) planRequests(pair, { tokenizer: environment.tokenizerOf?.(pair.model) })
  const prepared = options.prepared ?? (await preparePairs(pairs, environment, undefined, options.offline))
  await refuseColumns(pairs, environment)
  const opponents = new Opponents()
  const groups = byModel(baselinesFirst(pairs))
  const run = (group: readonly Pair[], isOver: () => boolean) => runGroup(group, environment, options, emit, isOver, prepared, opponents)
  const isFirst = (group: readonly Pair[]) => group.some(({ isBaseline }) => isBaseline)
  for (const chosen of [groups.filter(isFirst), groups.filter((group) => !isFirst(group))]) {
    await sideBySide(options.remote ? chosen.map((group) => [group]) : byServer(chosen, environment), run, isStopped)
  }
}

/** The number of rows searched for the columns to record. */
const lookedAt = 100

/** Refuses columns that no row has, before anything is sent. */
async function refuseColumns(pairs: readonly Pair[], environment: RunEnvironment): Promise<void> {
  const datasets = new Map(pairs.map(({ dataset, name }) => [dataset, name.dataset]))
  for (const [dataset, where] of datasets) {
    if (keptColumns(dataset).length === 0) continue
    const rows: Row[] = []
    for await (const row of oneByOne((await environment.openRows(dataset)).rows)) {
      if (rows.push(row) === lookedAt) break
    }
    refuseUnknownColumns(dataset, rows, where)
  }
}

type Listener = (event: RunEvent) => void | Promise<void>

type Task =
  | { kind: 'start'; running: Running }
  /** `isKept`: an earlier part recorded an answer that is expected to be reused. */
  | { kind: 'row'; running: Running; row: Row; id: number; isKept: boolean }
  | { kind: 'read'; running: Running }
/** A task that is not a row has no result. */
type Done = AnsweredRow | undefined

async function runGroup(
  pairs: readonly Pair[],
  environment: RunEnvironment,
  options: RunOptions,
  emit: Listener,
  isStopped: () => boolean,
  prepared: PreparedPairs,
  opponents: Opponents,
): Promise<void> {
  const models = new OpenModels(environment, options, { isBatch: true })
  const onResult = (answered: Done, task: Task): void | Promise<void> => {
    const { kind, running } = task
    if (kind === 'start') {
      const { context, total, kept } = running
      return emit({ kind: 'start', pair: context.pair, total, ...(kept > 0 ? { kept } : {}) })
    }
    if (kind === 'read') running.isRead = true
    else running.pending--
    // Where one record no longer fits its row, others may not either.
    if (kind === 'row' && task.isKept) running.kept = answered?.from === 'stored' ? Math.max(0, running.kept - 1) : 0
    const counted = answered ? count(running, answered, emit) : undefined
    const { isRead, pending, missing } = running
    if (!isRead || pending > 0 || (missing > 0 && !options.offline)) return counted
    const ended = () => {
      const computing = computed(running)
      // A pair whose program over all rows was interrupted has not ended.
      const end = () => (options.signal?.aborted && computing ? undefined : emit(endOf(running, environment.now())))
      return computing ? computing.then(end) : end()
    }
    return counted ? counted.then(ended) : ended()
  }
  try {
    if (!options.offline) await setUpInterpreters(pairs, models)
    const given = tasks(pairs, environment, options, models, isStopped, emit, prepared, opponents)
    const { remote: elsewhere } = options
    const atOnce = elsewhere ? () => elsewhere.room(pairs[0]!.name) : () => models.concurrency
    const onRoom = (look: () => void) => (elsewhere ? elsewhere.onRoom(look) : models.onRoom(look))
    await pool({ given, atOnce, onRoom, work, onResult })
  } finally {
    await models.close()
  }
}

function work(task: Task): Done | Promise<Done> {
  if (task.kind !== 'row') return undefined
  const { running, row, id } = task
  running.pending++
  const { context } = running
  const examples = running.opened.examplesFor(row, id)
  const { inferencer } = context.pair
  if (inferencer.needsTokenizer && !context.plan.tokenizer && !context.options.offline) {
    return Promise.all([examples, context.opened()]).then(([found]) => answerRow(context, row, id, found))
  }
  // Known rows do not wait for the event loop.
  return examples instanceof Promise ? examples.then((found) => answerRow(context, row, id, found)) : answerRow(context, row, id, examples)
}

/** Programs that cannot run are found before the first request. */
async function setUpInterpreters(pairs: readonly Pair[], models: OpenModels): Promise<void> {
  for (const { evaluator, name } of pairs) {
    if (!evaluator.setup) continue
    const failed = await setUpInterpreter(await models.interpreter(name.dataset, evaluator.setup.files), evaluator.setup)
    if (failed !== undefined) throw evaluator.setup.error(failed)
  }
}

async function* tasks(
  pairs: readonly Pair[],
  environment: RunEnvironment,
  options: RunOptions,
  models: OpenModels,
  isStopped: () => boolean,
  emit: Listener,
  prepared: PreparedPairs,
  opponents: Opponents,
): AsyncGenerator<Iterable<Task>> {
  const { shard = wholeRun, budget } = options
  const doubts = new DeferredWrites()
  for (const pair of pairs) {
    if (isStopped()) return
    const onProgress = (preparation: Preparation) => void emit({ kind: 'prepare', pair, ...preparation })
    const opened = await environment.openRows(pair.dataset, { onProgress })
    const limit = rowLimit(options.limit, opened.total, pair.name.dataset)
    const most = opened.total === undefined ? undefined : Math.min(opened.total, limit)
    const context = contextOf(pair, opened, environment, options, models, doubts, prepared.columns.get(pair.dataset), opponents)
    const { setup } = pair.evaluator
    const running: Running = {
      context,
      compute: (program) =>
        computeSummary(program, {
          ...{ environment, options, store: context.store, setup },
          interpreter: () => models.interpreter(pair.name.dataset, setup?.files),
        }),
      opened,
      findings: prepared.findings.get(pair) ?? [],
      tally: new PairTally(subjectOf(pair), pair.evaluator, tallyOptions(pair.dataset)),
      started: environment.now(),
      total: most === undefined ? undefined : shardSize(most, shard),
      kept: 0,
      pending: 0,
      missing: 0,
      withoutTokens: 0,
      isRead: false,
    }
    options.remote?.begin(pair, running.total)
    // Unanswered rows come first: recorded ones are processed while the model works.
    const known = options.offline ? undefined : running.context.store?.known?.()
    const isKept = (id: number) => (options.retryErrors ? known?.(id) === 'answered' : known?.(id) !== undefined)
    if (known && most !== undefined) for (let id = shard.index; id < most; id += shard.count) if (isKept(id)) running.kept++
    yield [{ kind: 'start', running }]
    for (const isKnown of known ? [false, true] : [undefined]) {
      const { rows } = isKnown ? await environment.openRows(pair.dataset) : opened
      let id = 0
      // Recorded rows cost nothing: they are processed even if no more may be sent.
      const isSpent = () => !isKnown && running.missing > 0 && budget?.reached !== undefined
      function* wanted(stretch: Iterable<Row>): Generator<Task> {
        for (const row of stretch) {
          if (isStopped() || isSpent() || id >= limit) return
          const isNow = isKnown === undefined || isKnown === (known?.(id) !== undefined)
          if (id % shard.count === shard.index && isNow) yield { kind: 'row', running, row, id, isKept: isKept(id) }
          id++
        }
      }
      for await (const stretch of rows) {
        yield wanted(stretch)
        if (isStopped()) return
        if (isSpent() || id >= limit) break
      }
    }
    options.remote?.read(pair)
    yield [{ kind: 'read', running }]
  }
}

function tallyOptions(dataset: DatasetConfig): TallyOptions {
  return { by: columnsBy(dataset), cluster: dataset.cluster, samples: dataset.n }
}

/** Absent values are omitted: results are compared with those read from files. */
function subjectOf({ name, model, dataset, isBaseline }: Pair): TallySubject {
  const { compat } = dataset
  const axes = model.axes || dataset.axes ? { ...dataset.axes, ...model.axes } : undefined
  return {
    ...name,
    ...(axes ? { axes: name.format === undefined ? axes : { ...axes, format: name.format } } : {}),
    ...(compat === undefined ? {} : { compat }),
    ...(isBaseline ? { baseline: true } : {}),
  }
}

function contextOf(
  pair: Pair,
  { exampleNumber }: OpenRows,
  environment: RunEnvironment,
  options: RunOptions,
  models: OpenModels,
  doubts: DeferredWrites,
  columns: ReadonlySet<string> | undefined,
  opponents: Opponents,
): PairContext {
  const hashOf = (of: Pair) => environment.hash(settingsText(of, environment.identify?.(pair.model) ?? '')).slice(0, 32)
  const asked = hashOf(pair)
  // Workers compute the keys from the config alone.
  const before = options.remote ? undefined : options.keyServerOf?.(pair)
  const settings = before === undefined ? asked : hashOf({ ...pair, model: { ...pair.model, base_url: before } as ModelConfig })
  const store = options.storeFor?.(pair)
  const cache = options.cacheFor?.(asked)
  const tokenizer = pair.inferencer.needsTokenizer ? environment.tokenizerOf?.(pair.model) : undefined
  const draws = drawsOf(pair)
  const keepAnswer = opponents.keeperOf(pair)
  let opened: OpenedPair | Promise<OpenedPair> | undefined
  const context: PairContext = {
    pair,
    environment,
    options,
    settings,
    plan: planRequests(pair, { tokenizer, columns }),
    isRepeatable: isRepeatable(pair),
    columns: keptColumns(pair.dataset),
    ...(exampleNumber ? { exampleNumber } : {}),
    ...(draws ? { draws } : {}),
    ...(store ? { store } : {}),
    ...(cache ? { cache } : {}),
    ...refereeOf(pair, environment, options, models, opponents, store),
    ...(keepAnswer ? { keepAnswer } : {}),
    deferred: doubts,
    ...(pair.judge && options.remote ? { judgeOpened: () => models.judge(pair.judge!) } : {}),
    opened() {
      // A judge that cannot be opened must fail before the first request, not after the last answer.
      opened ??= Promise.all([models.for(pair), pair.judge && models.judge(pair.judge)]).then(([model]) => {
        const plan = planRequests(pair, { tokenizer: model.tokenizer, columns })
        if (pair.inferencer.needsTokenizer) context.plan = plan
        opened = { plan, model }
        return opened
      })
      return opened
    },
  }
  return context
}
