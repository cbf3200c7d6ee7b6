import { evalscopeResults } from './evalscope-results.ts'
import { everyEvalEver } from './every-eval-ever.ts'
import type { ForeignResult, ResultFiles, ResultReader } from './foreign-result.ts'
import { inspectLogs } from './inspect-logs.ts'
import { lmEvalResults } from './lm-eval-results.ts'
import { opencompassResults } from './opencompass-results.ts'
import { plainRows } from './plain-rows.ts'
import { promptfooResults } from './promptfoo-results.ts'

/** In this order, because plain JSON Lines would match files of others. */
const readers: readonly ResultReader[] = [
  lmEvalResults,
  inspectLogs,
  everyEvalEver,
  evalscopeResults,
  opencompassResults,
  promptfooResults,
  plainRows,
]

/** The runs of another harness in these files, earliest first; empty if no reader recognises them. */
export async function openResults(files: ResultFiles): Promise<ForeignResult[]> {
  for (const reader of readers) {
    const found = await reader.read(files)
    if (found.length > 0) return found.sort((one, other) => (one.started < other.started ? -1 : one.started > other.started ? 1 : 0))
  }
  return []
}
