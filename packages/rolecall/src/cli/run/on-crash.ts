import { exitNow } from '../exit-codes.ts'
import { failureOfError, reportError } from '../report-error.ts'
import type { RunWatcher } from './run-watchers.ts'

/** Until the returned function is called, an unhandled error, e.g. in a user's evaluator, ends the run like any other error. */
export function onCrash(log: RunWatcher, isJson: boolean): () => void {
  const crash = (error: unknown) => {
    try {
      log.finish(failureOfError(error))
    } finally {
      // Also if the log cannot be written.
      reportError(error, isJson)
      exitNow()
    }
  }
  process.once('uncaughtException', crash)
  return () => process.off('uncaughtException', crash)
}
