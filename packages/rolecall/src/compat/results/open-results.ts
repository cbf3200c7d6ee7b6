import { evalscopeResults } from './evalscope-results.ts'
import { everyEvalEver } from './every-eval-ever.ts'
import type { ForeignResult, ResultFiles, ResultReader } from './foreign-result.ts'
import { inspectLogs } from './inspect-logs.ts'
import { lmEvalResults } from './lm-eval-results.ts'
import { opencompassResults } from './opencompass-results.ts'
import { plainRows } from './plain-rows.ts'
import { promptfooResults } from './promptfoo-results.ts'
import { startTime } from './start-time.ts'

/** In this order, because files of the later ones would match those of the earlier: evalscope has folders named as OpenCompass names them. */
const readers: readonly ResultReader[] = [lmEvalResults, inspectLogs, everyEvalEver, evalscopeResults, opencompassResults, promptfooResults]

/** The runs of other harnesses in these files, earliest first; empty if no reader recognises them. A folder may hold runs of several. */
export async function openResults(files: ResultFiles): Promise<ForeignResult[]> {
  const results: ForeignResult[] = []
  let unread = files
  for (const reader of readers) {
    const read = await reader.read(unread)
    results.push(...read)
    unread = withoutResults(unread, read)
  }
  // Any file of JSON Lines could be plain rows, also the samples and the data of others.
  if (results.length === 0) results.push(...(await plainRows.read(files)))
  return results
    .map((result) => ({ ...result, started: startTime(result.started) }))
    .sort((left, right) => (left.started < right.started ? -1 : left.started > right.started ? 1 : 0))
}

/** The files that none of these results was read from: a result is a folder, or a file with those beside it that share its name or time. */
function withoutResults(files: ResultFiles, results: readonly ForeignResult[]): ResultFiles {
  if (results.length === 0) return files
  const sources = new Set(results.map(({ source }) => source))
  const folders = [...sources].filter((source) => !files.names.includes(source)).map((source) => (source === '.' ? '' : `${source}/`))
  const isRead = (name: string) => sources.has(name) || folders.some((folder) => name.startsWith(folder))
  return { ...files, names: files.names.filter((name) => !isRead(name)) }
}
