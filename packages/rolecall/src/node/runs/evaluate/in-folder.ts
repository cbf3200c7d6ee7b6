import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ScoredPair } from '../../../evaluation/run/record/compare-models.ts'
import { pairText } from '../../../evaluation/run/record/pair-name.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { ownVersion } from '../../own-files.ts'
import { makeFolder } from '../disk-error.ts'
import type { EvaluationOptions, EvaluationRun } from '../evaluation-options.ts'
import { keyServers } from '../key-servers.ts'
import { pairsOfRun, scoredBefore, widened } from '../pairs-of-run.ts'
import { pickRemembered } from '../remembered-options.ts'
import { RunFolder } from '../run-folder.ts'
import { type RunInfo, runFiles } from '../run-layout.ts'
import { RunLock } from '../run-lock.ts'
import { countSpentBefore } from '../spent-before.ts'
import { writeLayout } from '../write-work-dir.ts'
import { writtenConfig } from '../written-config.ts'
import type { PreparedRun } from './prepared-run.ts'
import { summarizeRun } from './summarize-run.ts'

/** A run with its folder, which no other process writes to. */
export type RunInFolder = PreparedRun & {
  folder: RunFolder
  /** The finished pairs. */
  scored: ScoredPair[]
}

/** How many recorded rows were reused, and remarks for the end of the run. */
export type SentRows = { kept: number; remarks: readonly string[] }

/** Opens the folder of a run for what follows; whatever becomes of that, finished pairs are summarised and the rest can be resumed. */
export async function inFolder(run: PreparedRun, next: (open: RunInFolder) => Promise<SentRows>): Promise<EvaluationRun> {
  const { given, loaded, pairs, parents, reused, known, begin, caches, budget } = run
  const started = new Date()
  const { path, made } = reused === undefined ? newFolder(parents[0], started) : { path: reused, made: [] }
  const lock = new RunLock(join(path, runFiles.lock))
  const scored: ScoredPair[] = []
  let before: ScoredPair[] = []
  let folder: RunFolder | undefined
  let sent: SentRows | undefined
  const summary = (of: RunFolder) => summarizeRun(of, [...scored, ...before], loaded.config.summarizer, begin, budget)
  try {
    folder = new RunFolder(path, infoOf(run, path, started), pairs, writtenConfig(loaded.config), lock.check)
    before = scoredBefore(path, folder.info.pairs, namesOf(run))
    folder.begin()
    given.onEvent?.({ kind: 'folder', folder: path, pairs, resumed: reused !== undefined, lookedIn: parents, changed: folder.changed })
    if (known) countSpentBefore(budget, folder, pairs)
    sent = await next({ ...run, folder, scored })
  } finally {
    try {
      folder?.close()
      if (folder) folder.writeSummary(summary(folder))
    } finally {
      lock.release()
      // A run without any rows cannot be resumed.
      if (!sent && !reused && !lock.lost.aborted && !folder?.hasRows()) removeFolder(path, made)
    }
  }
  const layoutNotes = await writeLayout(path, folder.info)
  return {
    folder: path,
    summary: summary(folder),
    unfinished: pairs.length - scored.length,
    ...(budget.reached && scored.length < pairs.length ? { reached: budget.reached } : {}),
    rerunRows: folder.rerunRows,
    changed: folder.changed,
    kept: sent.kept,
    remarks: [...folder.repairs, ...sent.remarks, ...(caches?.problems ?? []), ...layoutNotes, ...before.map(remarkBefore)],
  }
}

function namesOf({ pairs }: PreparedRun) {
  return pairs.map(({ name }) => name)
}

/** What the folder says about the run; of a resumed one, what it said before, with what is given now. */
function infoOf(run: PreparedRun, path: string, started: Date) {
  const { known, given, loaded, options } = run
  if (!known) return startOf({ name: options.name ?? 'run', started: started.toISOString() }, loaded, options)
  const resumed = startOf(known, loaded, { ...options, ...widened(known.options, given) })
  const servers = keyServers(path, known, loaded)
  return { ...resumed, ...(Object.keys(servers).length > 0 ? { servers } : {}), pairs: pairsOfRun(path, known, namesOf(run), given) }
}

function startOf(info: Pick<RunInfo, 'name' | 'started'>, { file, folder }: LoadedConfig, options: EvaluationOptions) {
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

function remarkBefore({ result }: ScoredPair): string {
  return `${pairText(result)} was not selected this time; its results are from before`
}
