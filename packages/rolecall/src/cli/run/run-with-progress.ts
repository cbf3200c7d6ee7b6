import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Pair } from '../../evaluation/run/plan-run.ts'
import { costText, spentText } from '../../evaluation/run/record/cost.ts'
import type { ReachedLimit, Spent } from '../../evaluation/run/record/run-record.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import type { EvaluationEvent, EvaluationOptions, EvaluationRun } from '../../node/runs/evaluation-options.ts'
import { shownFolders } from '../../node/runs/find-run.ts'
import { RowsSoFar } from '../../node/runs/rows-so-far.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import type { StopSignal, Watchdog } from '../../node/watchdog/watchdog.ts'
import { exitCodes, exitNow } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { countText } from '../screen/amounts.ts'
import { printNext } from '../screen/print-screen.ts'
import { colors, noteText, printWarnings } from '../terminal.ts'
import { Progress } from './progress.ts'
import { PaidRows, type PairProgress, sufficientLimit } from './resume-limit.ts'
import type { RunFlags } from './run-flags.ts'
import type { RunWatcher } from './run-watchers.ts'

/** How long rows in flight may take after SIGTERM, in milliseconds; schedulers send SIGKILL soon after it. */
const termGrace = 3000

/**
 * Runs an evaluation with progress. The first Ctrl-C finishes the rows in flight, the second exits immediately; SIGTERM and SIGHUP give them
 * a few seconds. Finished rows are always on disk. Prints how to resume if the run is not complete.
 */
export async function runWithProgress(
  loaded: LoadedConfig,
  options: EvaluationOptions,
  resumeCommand: (folder: string) => string,
  watchdog: Watchdog,
  { json: isJson, verbose: isVerbose }: Pick<RunFlags, 'json' | 'verbose'>,
  log?: RunWatcher,
): Promise<EvaluationRun> {
  const progress = new Progress(process.stderr, undefined, isVerbose)
  const stop = new AbortController()
  const abort = new AbortController()
  let grace: NodeJS.Timeout | undefined
  let folder: string | undefined
  const rows = new RowsSoFar()
  let pairs: readonly Pair[] = []
  const paid = new Map<Pair, PaidRows>()
  const answered = () => answeredRows(rows, pairs)
  const printResumeHint = (reached?: ReachedLimit) => {
    // Nothing to resume if the run did not start.
    if (folder === undefined || !existsSync(folder)) return
    const { done, total } = answered()
    const left = total === undefined || total <= done ? undefined : `the other ${countText(total - done, 'row')}`
    const command = resumeCommand(folder)
    const shown = left === undefined ? {} : { shows: left }
    if (reached === undefined || reached.limit === 'max-time') return printNext([{ command, ...shown }])
    const inPairs = pairs.map((pair): PairProgress => ({ pair, ...rows.of(pair), paid: paid.get(pair) ?? new PaidRows() }))
    const limit = sufficientLimit(reached, inPairs)
    printNext(
      limit === undefined
        ? [{ command: `${command} --dry-run`, shows: 'what the rest takes' }]
        : [{ command: `${command} --${reached.limit} ${limit}`, ...shown }],
    )
  }
  const stopNow = () => {
    progress.clear()
    process.stderr.write(`${colors.yellow('stopped')} without waiting for rows in flight${inFolder(folder)}\n`)
    printResumeHint()
    const failure = {
      code: 'stopped',
      problem: 'the run was stopped',
      fix: 'resume with `rolecall run -r`',
      exit_code: exitCodes.stopped.code,
    } as const
    log?.finish(failure)
    if (isJson) printJson({}, failure)
    exitNow('stopped')
  }
  const endSoon = () => {
    grace = setTimeout(() => {
      abort.abort()
      // A model that does not react to the abort.
      grace = setTimeout(stopNow, termGrace)
    }, termGrace)
  }
  const interrupt = (_: number, signal: StopSignal) => {
    progress.clear()
    if (stop.signal.aborted) {
      if (signal !== 'SIGHUP') return stopNow()
      // The terminal is closed, perhaps after Ctrl-C; this signal may come twice.
      if (grace === undefined) endSoon()
      return
    }
    stop.abort()
    if (signal === 'SIGINT') {
      process.stderr.write(`${colors.yellow('stopping')} when the rows in flight are done; Ctrl-C again stops at once\n`)
      return
    }
    process.stderr.write(`${colors.yellow('stopping')} in ${termGrace / 1000} s, or when the rows in flight are done\n`)
    endSoon()
  }
  watchdog.hear(interrupt, ['SIGINT', 'SIGTERM', 'SIGHUP'])
  const ticking = setInterval(() => progress.tick(), 1000)
  ticking.unref()
  try {
    const done = await runEvaluation(loaded, {
      ...options,
      stop: stop.signal,
      signal: abort.signal,
      control: true,
      onEvent(event) {
        if (event.kind === 'control' && event.action === 'stop') stop.abort()
        if (event.kind === 'prepared') printWarnings(event.notes)
        if (event.kind === 'folder') {
          folder = event.folder
          if (options.reuse !== undefined) printReuse(event)
        }
        if (event.kind === 'folder') pairs = event.pairs
        if (event.kind === 'start' || event.kind === 'row' || event.kind === 'end') rows.add(event)
        if (event.kind === 'row') paidRows(paid, event.pair).add(event.pair, event.record)
        progress.show(event)
        log?.show(event)
      },
    })
    progress.clear()
    if (done.unfinished > 0) {
      const { reached, summary } = done
      const counts = answered()
      process.stderr.write(`${reached ? limitText(reached, counts, done.folder) : interruptedText(counts, done.folder, summary.spent)}\n`)
      printResumeHint(reached)
    }
    return done
  } catch (error) {
    progress.clear()
    if (error instanceof PromptError && folder !== undefined && existsSync(folder)) {
      process.stderr.write(`answered rows are in ${shownFolder(folder)}\n`)
      printResumeHint()
    }
    throw error
  } finally {
    clearInterval(ticking)
    clearTimeout(grace)
    await watchdog.stop()
  }
}

/** Rows that have an answer, and all rows if the datasets of all pairs were read. */
export type RowProgress = { done: number; total: number | undefined }

function answeredRows(rows: RowsSoFar, pairs: readonly Pair[]): RowProgress {
  const counts = pairs.map((pair) => rows.of(pair))
  const totals = counts.flatMap(({ total }) => total ?? [])
  return {
    done: counts.reduce((sum, { done }) => sum + done, 0),
    total: totals.length === pairs.length ? totals.reduce((sum, total) => sum + total, 0) : undefined,
  }
}

function answeredText({ done, total }: RowProgress): string {
  return total === undefined
    ? `${countText(done, 'row')} ${done === 1 ? 'is' : 'are'} answered`
    : `${done} of ${countText(total, 'row')} are answered`
}

function interruptedText(answered: RowProgress, folder: string, spent: Spent | undefined): string {
  const amount = spent && spent.tokens > 0 ? `, ${spentText(spent)} so far` : ''
  return `${colors.yellow('interrupted')}: ${answeredText(answered)}${inFolder(folder)}${amount}`
}

function limitText({ limit, value, spent: { tokens, cost } }: ReachedLimit, answered: RowProgress, folder: string): string {
  const spent = { 'max-cost': cost ? costText(cost) : '', 'max-tokens-total': `${tokens.toLocaleString('en')} tokens`, 'max-time': '' }[
    limit
  ]
  const place = `answers are in ${shownFolder(folder)}; no score before all are there`
  const flag = limit === 'max-time' ? `${value} s` : String(value)
  return `${colors.yellow('stopped')} at --${limit} ${flag}: ${answeredText(answered)}${spent === '' ? '' : `, for ${spent}`}\n${place}`
}

function inFolder(folder: string | undefined): string {
  return folder === undefined ? '' : `, in ${shownFolder(folder)}`
}

function paidRows(paid: Map<Pair, PaidRows>, pair: Pair): PaidRows {
  const rows = paid.get(pair) ?? new PaidRows()
  paid.set(pair, rows)
  return rows
}

/**
 * Prints which run is resumed, if any, its folder if new runs go elsewhere, and, before anything is sent, the settings that make recorded rows
 * unusable.
 */
function printReuse({ folder, resumed, lookedIn, changed }: EvaluationEvent & { kind: 'folder' }): void {
  const [newOnes = folder] = lookedIn
  const isElsewhere = lookedIn.slice(1).includes(dirname(folder))
  const text = !resumed
    ? `there is no earlier run in ${shownFolders(lookedIn)} to resume: a new one starts`
    : `resuming ${shownFolder(folder)}${isElsewhere ? `, where runs were written before; new ones go to ${shownFolder(newOnes)}` : ''}`
  const notes = changed.length === 0 ? [text] : [text, `rows that were asked with other settings are asked again: ${changed.join(', ')}`]
  for (const one of notes) process.stderr.write(`${noteText(one)}\n`)
}

function shownFolder(folder: string): string {
  return relative(process.cwd(), folder) || folder
}
