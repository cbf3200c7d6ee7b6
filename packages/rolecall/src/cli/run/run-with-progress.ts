import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { spentText } from '../../evaluation/run/record/cost.ts'
import type { ReachedLimit, Spent } from '../../evaluation/run/record/run-record.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import type { EvaluationEvent, EvaluationOptions, EvaluationRun } from '../../node/runs/evaluation-options.ts'
import { shownFolders } from '../../node/runs/find-run.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import type { StopSignal, Watchdog } from '../../node/watchdog/watchdog.ts'
import { exitCodes, exitNow } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { colors, printWarnings } from '../terminal.ts'
import { Progress } from './progress.ts'
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
  isJson: boolean,
  log?: RunWatcher,
): Promise<EvaluationRun> {
  const progress = new Progress(process.stderr)
  const stop = new AbortController()
  const abort = new AbortController()
  let grace: NodeJS.Timeout | undefined
  let folder: string | undefined
  const printResumeHint = (more = '') => {
    // Nothing to resume if the run did not start.
    if (folder === undefined || !existsSync(folder)) return
    process.stderr.write(`Answered rows are in ${shownFolder(folder)}. Resume with:\n  ${resumeCommand(folder)}${more}\n`)
  }
  const stopNow = () => {
    progress.clear()
    process.stderr.write(`${colors.yellow('stopped')} without waiting for rows in flight. `)
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
        progress.show(event)
        log?.show(event)
      },
    })
    progress.clear()
    if (done.unfinished > 0) {
      const { reached } = done
      process.stderr.write(
        `${colors.yellow(reached ? 'limit reached' : 'interrupted')} ${done.unfinished} of ${done.unfinished + done.summary.results.length} pairs ${done.unfinished === 1 ? 'is' : 'are'} not finished${spentSoFar(done.summary.spent)}. `,
      )
      printResumeHint(reached ? higherLimit(reached) : '')
    }
    return done
  } catch (error) {
    progress.clear()
    if (error instanceof PromptError) printResumeHint()
    throw error
  } finally {
    clearInterval(ticking)
    clearTimeout(grace)
    await watchdog.stop()
  }
}

/** Twice the limit; or about twice what was spent if that is more, because the limit was lowered. */
export function higherLimit({ limit, value, spent: { tokens, cost } }: ReachedLimit): string {
  if (limit === 'max-time') return ''
  const spent = limit === 'max-cost' ? (cost?.amount ?? 0) : tokens
  return ` --${limit} ${spent > 2 * value ? Number((2 * spent).toPrecision(2)) : 2 * value}`
}

function spentSoFar(spent: Spent | undefined): string {
  return spent && spent.tokens > 0 ? `, ${spentText(spent)} so far` : ''
}

/** Prints which run is resumed, if any, and its folder if new runs go elsewhere. */
function printReuse({ folder, resumed, lookedIn }: EvaluationEvent & { kind: 'folder' }): void {
  const [newOnes = folder] = lookedIn
  const isElsewhere = lookedIn.slice(1).includes(dirname(folder))
  const text = !resumed
    ? `there is no earlier run in ${shownFolders(lookedIn)} to resume: a new one starts`
    : `resuming ${shownFolder(folder)}${isElsewhere ? `, where runs were written before; new ones go to ${shownFolder(newOnes)}` : ''}`
  process.stderr.write(`${colors.yellow('note')} ${text}\n`)
}

function shownFolder(folder: string): string {
  return relative(process.cwd(), folder) || folder
}
