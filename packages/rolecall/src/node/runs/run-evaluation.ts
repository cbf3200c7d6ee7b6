import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Config } from '../../evaluation/config/config-schema.ts'
import type { Budget } from '../../evaluation/run/budget.ts'
import { checkLimits } from '../../evaluation/run/check-limits.ts'
import { preparePairs } from '../../evaluation/run/prepare-pair.ts'
import { compareGroups } from '../../evaluation/run/record/compare-groups.ts'
import { compareModels, type ScoredPair } from '../../evaluation/run/record/compare-models.ts'
import { totalsOf } from '../../evaluation/run/record/cost.ts'
import { isSamePair, pairText } from '../../evaluation/run/record/pair-name.ts'
import { isFailure } from '../../evaluation/run/record/row-record.ts'
import type { RunSummary } from '../../evaluation/run/record/run-record.ts'
import { groupResults } from '../../evaluation/run/record/summary-groups.ts'
import { type Pair, type RowStore, type RunEvent, type RunOptions, tellPairs } from '../../evaluation/run/run-pairs.ts'
import { readShard } from '../../evaluation/run/shard.ts'
import { checkUserConfig } from '../config/check-user-config.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { ownVersion } from '../own-files.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { AnswerCaches, cacheFolder } from './answer-cache.ts'
import { RunControl } from './control/run-control.ts'
import { type OpenControl, serveControl } from './control/serve-control.ts'
import { makeFolder, onDisk } from './disk-error.ts'
import type { EvaluationOptions, EvaluationRun, OpenQueue } from './evaluation-options.ts'
import { findRun } from './find-run.ts'
import { checkRunnable, nodeEnvironment } from './node-environment.ts'
import { parentsOf } from './outputs-folder.ts'
import { pairsOfRun, scoredBefore, widened } from './pairs-of-run.ts'
import { plannedPairs } from './planned-pairs.ts'
import { pickRemembered } from './remembered-options.ts'
import { countRecorded, limitsOf, startBudget } from './run-budget.ts'
import { RunFolder } from './run-folder.ts'
import { type RunInfo, runFiles } from './run-layout.ts'
import { RunLock } from './run-lock.ts'
import { openRun } from './run-reader.ts'
import { withServedNames } from './served-names.ts'
import { writeLayout } from './write-work-dir.ts'
import { writtenConfig } from './written-config.ts'

/**
 * Runs an evaluation like `rolecall run`: every model on every dataset; writes configs, predictions, results and a summary, and can
 * resume. A plain config is checked first; its paths are relative to the working folder.
 */
export async function runEvaluation(config: Config | LoadedConfig, given: EvaluationOptions = {}): Promise<EvaluationRun> {
  return onDisk(
    () => parentsOf(config, given)[0],
    () => evaluate(config, given),
    '-w FOLDER, or workDir',
  )
}

async function evaluate(config: Config | LoadedConfig, given: EvaluationOptions): Promise<EvaluationRun> {
  registerScoringPlugIns()
  const opened = 'config' in config ? config : { file: '', folder: process.cwd(), config: checkUserConfig(config, process.cwd(), '') }
  const begin = performance.now()
  const { options, folder: reused, parents, info: known, shard } = resumed(config, given)
  const { loaded, notes } = await withServedNames(opened, options.models)
  const pairs = plannedPairs(loaded, options)
  const environment = given.environment ?? nodeEnvironment(loaded.folder)
  const limits = limitsOf(options)
  checkLimits(limits, pairs)
  given.queue?.check(loaded.config, given)
  // Before creating a folder: a run that fails here leaves nothing worth keeping.
  const prepared = await preparePairs(pairs, environment, given.environment ? undefined : checkRunnable)
  given.onEvent?.({ kind: 'prepared', notes: [...notes, ...prepared.notes] })
  const started = new Date()
  const { path, made } = reused === undefined ? newFolder(parents[0], started) : { path: reused, made: [] }
  const lock = new RunLock(join(path, runFiles.lock))
  const cache = options.cache ?? cacheFolder() ?? false
  const caches = cache === false ? undefined : new AnswerCaches(cache)
  const names = pairs.map(({ name }) => name)
  const scored: ScoredPair[] = []
  let before: ScoredPair[] = []
  let folder: RunFolder | undefined
  let isDone = false
  let kept = 0
  let queue: OpenQueue | undefined
  let remarks: readonly string[] = []
  let socket: OpenControl | undefined
  const budgeted = startBudget(limits, options.stop, given.onEvent)
  const { budget, stop, recall, end } = budgeted
  try {
    const info = known
      ? { ...infoOf(known, loaded, { ...options, ...widened(known.options, given) }), pairs: pairsOfRun(path, known, names, given) }
      : infoOf({ name: options.name ?? 'run', started: started.toISOString() }, loaded, options)
    folder = new RunFolder(path, info, pairs, writtenConfig(loaded.config), lock.check)
    before = scoredBefore(path, folder.info.pairs, names)
    folder.begin()
    const writing = folder
    given.onEvent?.({ kind: 'folder', folder: path, pairs, resumed: reused !== undefined, lookedIn: parents })
    const { name, started: since } = folder.info
    if (known) countRecorded(budget, folder, pairs)
    const control = given.control ? new RunControl(folder, pairs, budgeted, given.onEvent) : undefined
    if (control) socket = await serveControl(path, control.answer)
    queue = await given.queue?.open({
      name,
      started: since,
      folder: path,
      loaded,
      pairs,
      options: { ...options, stop: recall },
      shards: shard?.count ?? 1,
      sync: () => writing.sync(),
      onEvent: given.onEvent ?? (() => {}),
    })
    const isCounted = () => budget.limits.maxCost !== undefined || budget.limits.maxTokensTotal !== undefined
    const storeFor = (pair: Pair) => writing.storeFor(pair, 'key', isCounted)
    const optionsOf = (retryErrors: boolean): RunOptions => ({
      ...(queue ? { remote: queue } : {}),
      ...definedOnly({
        logProbabilities: options.logProbabilities,
        limit: options.limit,
        retryCut: options.retryCut,
        workers: options.workers,
        stop,
        signal: options.signal,
        shard,
      }),
      prepared,
      budget,
      keepPrompts: options.prompts ?? false,
      retryErrors,
      storeFor: (pair) => (queue ? reportingStore(storeFor(pair), queue, retryErrors) : storeFor(pair)),
      ...(caches ? { cacheFor: (settings: string) => caches.for(settings) } : {}),
      onWait: (wait) => given.onEvent?.({ kind: 'wait', wait }),
    })
    const { onEvent } = given
    let isAgain = false
    /** Seconds of the earlier rounds of each pair. */
    const earlier = new Map<Pair, number>()
    const listen = (raw: RunEvent) => {
      const event = raw.kind === 'end' ? withSeconds(raw, earlier.get(raw.pair) ?? 0) : raw
      const isStored = event.kind === 'row' && event.from === 'stored'
      if (isStored && !isAgain) kept++
      if (event.kind === 'end') {
        earlier.set(event.pair, event.result.seconds)
        scored.push(event)
        writing.writeResult(event.result)
      }
      control?.count(event)
      if (!isStored || !isAgain) onEvent?.(event)
    }
    await tellPairs(pairs, environment, optionsOf(options.retryErrors ?? false), listen)
    while (control?.takeRetry()) {
      isAgain = true
      scored.length = 0
      given.onEvent?.({ kind: 'again' })
      await tellPairs(pairs, environment, optionsOf(true), listen)
    }
    isDone = true
  } finally {
    end()
    socket?.close()
    remarks = (await queue?.close(isDone)) ?? []
    try {
      // Even if the server is gone: finished pairs are summarised, and the rest can be resumed.
      folder?.close()
      if (folder) writeSummary(folder, [...scored, ...before], loaded, begin, budget)
    } finally {
      lock.release()
      // A run without any rows cannot be resumed.
      if (!isDone && !reused && !lock.lost.aborted && !folder?.hasRows()) removeFolder(path, made)
    }
  }
  const layoutNotes = await writeLayout(path, folder.info)
  return {
    folder: path,
    summary: summaryOf(folder, [...scored, ...before], loaded.config.summarizer, begin, budget),
    unfinished: pairs.length - scored.length,
    ...(budget.reached && scored.length < pairs.length ? { reached: budget.reached } : {}),
    rerunRows: folder.rerunRows,
    kept,
    remarks: [
      ...folder.repairs,
      ...remarks,
      ...(socket?.problem === undefined ? [] : [socket.problem]),
      ...(caches?.problems ?? []),
      ...layoutNotes,
      ...before.map(remarkBefore),
    ],
  }
}

function withSeconds(event: RunEvent & { kind: 'end' }, earlier: number): RunEvent & { kind: 'end' } {
  return earlier === 0 ? event : { ...event, result: { ...event.result, seconds: earlier + event.result.seconds } }
}

/** A store that reports recorded rows to the queue, which can then drop their answers. */
function reportingStore(store: RowStore, queue: OpenQueue, retriesErrors = false): RowStore {
  return {
    ...store,
    find(...given) {
      const found = store.find(...given)
      if (found && !(retriesErrors && isFailure(found))) queue.recorded(found.key)
      return found
    },
    add(record) {
      store.add(record)
      queue.recorded(record.key)
    },
  }
}

function writeSummary(
  folder: RunFolder,
  scored: readonly ScoredPair[],
  { config }: LoadedConfig,
  begin: number,
  budget: Pick<Budget, 'reached' | 'spent'>,
): void {
  folder.writeSummary(summaryOf(folder, scored, config.summarizer, begin, budget))
}

/** The summary of all pairs, with comparisons and groups. */
export function summaryOf(
  { info }: { info: RunInfo },
  scored: readonly ScoredPair[],
  summarizer: Config['summarizer'],
  begin: number,
  budget?: Pick<Budget, 'reached' | 'spent'>,
): RunSummary {
  // Pairs finish in any order; the summary uses that of the config.
  const placeOf = ({ result }: ScoredPair) => info.pairs.findIndex((pair) => isSamePair(pair, result))
  const sorted = [...scored].sort((one, other) => placeOf(one) - placeOf(other))
  const results = sorted.map(({ result }) => result)
  const comparisons = compareModels(sorted)
  const summaryGroups = summarizer?.summary_groups ?? []
  const groupComparisons = compareGroups(summaryGroups, sorted)
  const { groups, notes } = groupResults(summaryGroups, results)
  return {
    name: info.name,
    started: info.started,
    seconds: (performance.now() - begin) / 1000,
    version: info.rolecall,
    ...(results.length < info.pairs.length ? unfinished(budget) : {}),
    shard: info.options.shard,
    results,
    totals: totalsOf(results),
    ...(comparisons.length > 0 ? { comparisons } : {}),
    ...(groupComparisons.length > 0 ? { groupComparisons } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    ...(notes.length > 0 ? { groupNotes: notes } : {}),
    ...(summarizer?.dataset_abbrs ? { shown: summarizer.dataset_abbrs.map((one) => [one].flat()[0]!) } : {}),
  }
}

function unfinished(budget: Pick<Budget, 'reached' | 'spent'> | undefined): Pick<RunSummary, 'unfinished' | 'reached' | 'spent'> {
  const reached = budget?.reached
  return { unfinished: true, ...(reached ? { reached } : {}), ...(budget ? { spent: budget.spent } : {}) }
}

/** The run to resume; its original options apply unless overridden. */
export function resumed(config: Config | LoadedConfig, given: EvaluationOptions) {
  const parents = parentsOf(config, given)
  const folder = given.reuse === undefined ? undefined : findRun(parents, given.reuse)
  const info = folder === undefined ? undefined : openRun(folder).info
  if (info && given.layout !== undefined && given.layout !== info.options.layout)
    throw new PromptError('other-layout', {
      where: '--layout',
      problem: 'the run was started without it, and its files keep their places',
      fix: `write the layout with \`rolecall publish ${folder} --export-format ${given.layout}\`, or start a new run`,
    })
  const options: EvaluationOptions = info ? { ...info.options, ...definedOnly(given) } : given
  return { options, folder, parents, info, shard: options.shard === undefined ? undefined : readShard(options.shard) }
}

function remarkBefore({ result }: ScoredPair): string {
  return `${pairText(result)} was not selected this time; its results are from before`
}

function infoOf(info: Pick<RunInfo, 'name' | 'started'>, { file, folder }: LoadedConfig, options: EvaluationOptions) {
  const cache = typeof options.cache === 'string' ? resolve(options.cache) : options.cache
  return {
    name: info.name,
    started: info.started,
    rolecall: ownVersion(),
    ...(file === '' ? {} : { config: file }),
    folder,
    options: pickRemembered({ ...options, prompts: options.prompts || undefined, cache }) as RunInfo['options'],
  }
}

/** Runs that start in the same second get different folders. */
function newFolder(parent: string, started: Date): { path: string; made: readonly string[] } {
  const made = makeFolder(parent)
  for (let number = 1; ; number++) {
    const path = join(parent, `${timestamp(started)}${number === 1 ? '' : `_${number}`}`)
    try {
      mkdirSync(path)
      return { path, made }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Removes a run's folder and the parents created for it, if they are empty. */
function removeFolder(path: string, made: readonly string[]): void {
  rmSync(path, { recursive: true, force: true })
  try {
    for (const folder of made) rmdirSync(folder)
  } catch {
    // Another run is using it now.
  }
}

export function timestamp(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
  return `${day}_${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}

function definedOnly<Given extends object>(given: Given): { [Key in keyof Given]?: Exclude<Given[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}
