import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { type EvaluationOptions, type EvaluationRun, runEvaluation } from '../../node/runs/run-evaluation.ts'
import type { Watchdog } from '../../node/watchdog/watchdog.ts'
import { PromptError } from '../../prompt-error.ts'
import { colors } from '../terminal.ts'
import { Progress } from './progress.ts'

/**
 * Runs, shows how far it is, and minds Ctrl-C: the first finishes the rows that are under way, the second stops at once. Every row
 * that is done is on disk, so that neither loses any. However it ends, it says how to go on.
 */
export async function runWithProgress(
  loaded: LoadedConfig,
  options: EvaluationOptions,
  resumeCommand: (folder: string) => string,
  watchdog: Watchdog,
): Promise<EvaluationRun> {
  const progress = new Progress(process.stderr)
  const stop = new AbortController()
  let folder: string | undefined
  const howToGoOn = () => {
    // Where nothing could begin, there is nothing to go on with.
    if (folder === undefined || !existsSync(folder)) return
    process.stderr.write(`What is done is in ${shownFolder(folder)}. Go on with:\n  ${resumeCommand(folder)}\n`)
  }
  const interrupt = () => {
    progress.clear()
    if (stop.signal.aborted) {
      process.stderr.write(`${colors.yellow('stopped')} without waiting for rows that were under way. `)
      howToGoOn()
      process.exit(130)
    }
    stop.abort()
    process.stderr.write(`${colors.yellow('stopping')} when the rows that are under way are done; Ctrl-C again stops at once\n`)
  }
  watchdog.hear(interrupt)
  const ticking = setInterval(() => progress.tick(), 1000)
  ticking.unref()
  try {
    const done = await runEvaluation(loaded, {
      ...options,
      stop: stop.signal,
      onEvent(event) {
        if (event.kind === 'folder') {
          folder = event.folder
          if (options.reuse !== undefined && !event.resumed)
            process.stderr.write(
              `${colors.yellow('note')} there is no earlier run in ${shownFolder(dirname(folder))} to go on with: a new one begins\n`,
            )
        }
        progress.show(event)
      },
    })
    progress.clear()
    if (done.unfinished > 0) {
      process.stderr.write(
        `${colors.yellow('interrupted')} ${done.unfinished} of ${done.unfinished + done.summary.results.length} pairs are not done. `,
      )
      howToGoOn()
    }
    return done
  } catch (error) {
    progress.clear()
    if (error instanceof PromptError) howToGoOn()
    throw error
  } finally {
    clearInterval(ticking)
    await watchdog.stop()
  }
}

function shownFolder(folder: string): string {
  return relative(process.cwd(), folder) || folder
}
