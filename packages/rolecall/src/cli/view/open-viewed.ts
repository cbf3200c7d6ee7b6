import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { checkColumns } from '../../evaluation/run/ask/check-columns.ts'
import type { PresetFlags } from '../../node/config/dataset-flags.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import type { FormatFlags } from '../../node/formats/format-flags.ts'
import { readWholeText } from '../../node/read-whole-file.ts'
import { firstRows } from '../../node/rows/open-rows.ts'
import { dataNotes } from '../../node/runs/data-notes.ts'
import { isInRun } from '../../node/runs/file-in-run.ts'
import { folderNamed, foldersNamed, noRun } from '../../node/runs/find-run.ts'
import { allResultsAt } from '../../node/runs/foreign/open-run-or-results.ts'
import { findRuns, isRun, runFiles, unreadableRuns } from '../../node/runs/run-layout.ts'
import { OpenRun } from '../../server/viewer/open-run.ts'
import { openViewedConfig } from '../../server/viewer/open-viewed-config.ts'
import { RunCaches } from '../../server/viewer/run-caches.ts'
import type { Viewed } from '../../server/viewer/viewer-app.ts'
import { inGivenFormat } from '../given-format.ts'
import { loadOrExample } from '../render/collect-views.ts'
import { colors, printWarnings } from '../terminal.ts'
import { viewHubName } from './view-hub-name.ts'

const fix = 'choose a folder written by `rolecall run`, e.g. outputs/<name>/<time>, or a config file'

/** Maximum number of runs opened from a folder, the latest first. */
const maxRuns = 200

/** Opens the arguments of `view`: configs, run folders or folders of runs, saved conversations. */
export async function openViewed(named: readonly string[], options: FormatFlags & PresetFlags = {}): Promise<Omit<Viewed, 'version'>> {
  const paths: string[] = []
  const runFolders: string[] = []
  const conversations: { name: string; file: string }[] = []
  const configFiles: string[] = []
  const unreadable: UnreadableRun[] = []
  const given: LoadedConfig[] = []
  let flags = options
  for (const text of named) {
    const local = folderNamed(text)
    const found = existsSync(local) ? undefined : await viewHubName(text)
    if (found && 'config' in found) {
      given.push(found.config)
      continue
    }
    if (found && 'template' in found) {
      flags = withTemplate(flags, found.template, text)
      continue
    }
    const path = found?.results ?? local
    paths.push(path)
    const isFolder = existsSync(path) && statSync(path).isDirectory()
    const imported = await foreignRuns(isFolder ? foldersWithoutRuns(path) : [path])
    unreadable.push(...imported.unreadable)
    runFolders.push(...imported.folders)
    const hasRuns = isFolder && (isRun(path) || findRuns(path).length > 0)
    if (imported.folders.length + imported.unreadable.length > 0 && !hasRuns) continue
    if (!existsSync(path) && extname(path) === '') throw noRun(path, foldersNamed(path), fix)
    if (isFolder) runFolders.push(...runsIn(path))
    else {
      const saved = savedConversation(path)
      if (saved) conversations.push({ name: basename(path), file: resolve(path) })
      // A file of messages without replies is also rendered.
      if (!saved?.isTranscript) configFiles.push(path)
    }
  }
  const caches = new RunCaches()
  const opened = runFolders.map((folder) => openRun(folder, caches))
  unreadable.push(...opened.flatMap((run) => ('run' in run ? [] : [run])))
  // An unreadable run is an error if there is no other, else the list of runs says why.
  if (unreadable[0] && opened.every((run) => !('run' in run))) throw unreadable[0].error
  for (const { error } of unreadable)
    printWarnings([{ code: 'run-unreadable', text: `${error.where}: ${error.problem}; the list of runs says so` }])
  const readable = opened.flatMap((one) => ('run' in one ? [one] : []))
  const runs = readable.map(({ run }) => run)
  const loaded = readable.map(({ config }) => config)
  for (const file of configFiles) given.push(await loadOrExample(file, datasetFlags(flags)))
  if (loaded.length === 0 && given.length === 0 && conversations.length === 0) {
    const found = await loadOrExample(undefined, datasetFlags(flags))
    if (found.file === '' && flags.preset === undefined && flags.tasks === undefined) process.stderr.write(`${exampleNote()}\n`)
    given.push(found)
  }
  for (const config of given) await checkRows(config)
  loaded.push(...given.map((config) => inGivenFormat(config, flags)))
  const configs = loaded.map((config, index) => openViewedConfig(config, index, runs[index]))
  const shown = runs.map((run, config) => ({ run, config }))
  return {
    configs,
    runs: shown,
    unreadable,
    conversations,
    async refresh() {
      for (const folder of paths.flatMap(currentRunsIn)) {
        if (shown.some(({ run }) => run.folder === folder)) continue
        const opened = openRun(folder, caches)
        if (!('run' in opened)) continue
        const { run, config } = opened
        shown.push({ run, config: configs.push(openViewedConfig(config, configs.length, run)) - 1 })
      }
    },
  }
}

/** A model on a hub is viewed in its own chat template. */
function withTemplate(flags: FormatFlags & PresetFlags, template: string, name: string): FormatFlags & PresetFlags {
  if (flags.chatTemplate === undefined) return { ...flags, chatTemplate: template }
  throw new PromptError('two-formats', {
    where: name,
    problem: 'a page has one chat template, and another is given',
    fix: 'view one model at a time, or compare two with `rolecall diff`',
  })
}

function exampleNote(): string {
  return `${colors.yellow('note')} no config found in this folder or its parents; showing a built-in example. Give a config or a folder of runs to see yours`
}

type UnreadableRun = { folder: string; error: PromptError }

/** The runs of other harnesses in these folders or files, the latest ones. */
async function foreignRuns(paths: readonly string[]): Promise<{ folders: string[]; unreadable: UnreadableRun[] }> {
  const folders: string[] = []
  const unreadable: UnreadableRun[] = []
  for (const path of paths)
    for (const imported of await allResultsAt(path)) {
      if ('folder' in imported) folders.push(imported.folder)
      else unreadable.push({ folder: imported.source, error: imported.error })
    }
  if (folders.length > maxRuns) warnOfOthers(paths[0]!, folders.length)
  return { folders: folders.slice(0, maxRuns), unreadable }
}

/** The largest folders below a folder that have no run of ours: results of other harnesses may lie beside our runs. */
function foldersWithoutRuns(path: string): string[] {
  if (isRun(path)) return []
  if (findRuns(path).length + unreadableRuns(path).length === 0) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => foldersWithoutRuns(join(path, name)))
}

/** A run with its config, or why it cannot be read. */
function openRun(folder: string, caches: RunCaches): { run: OpenRun; config: LoadedConfig } | UnreadableRun {
  try {
    const run = new OpenRun(folder, caches)
    return { run, config: run.loadedConfig() }
  } catch (error) {
    if (error instanceof PromptError) return { folder, error }
    throw error
  }
}

/** The current runs in a folder; runs that cannot be read yet appear the next time. */
function currentRunsIn(path: string): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory() || isRun(path)) return []
  return findRuns(path)
    .slice(0, maxRuns)
    .filter(({ folder }) => isInRun(folder, runFiles.config))
    .map(({ folder }) => resolve(folder))
}

/** The flags that replace a config's datasets. */
function datasetFlags({ format: _, ...flags }: FormatFlags & PresetFlags): PresetFlags {
  return flags
}

/** Warns about columns that no row has and about faults in the rows, like `render`. Prompts can be viewed before the files exist. */
async function checkRows({ config, folder }: LoadedConfig): Promise<void> {
  // CheckedConfig leaves `infer_cfg` out of its type, because templates are checked when compiled; the value keeps it.
  for (const dataset of config.datasets as unknown as readonly DatasetConfig[]) {
    const rows = await firstRows(dataset, folder).catch(() => undefined)
    if (rows) printWarnings([...checkColumns(dataset, rows).notes, ...(await dataNotes(dataset, folder))])
  }
}

function runsIn(path: string): string[] {
  if (isRun(path)) return [path]
  const all = findRuns(path)
  const found = all.slice(0, maxRuns)
  if (all.length > maxRuns) warnOfOthers(path, all.length)
  if (found.length > 0) return [...found.map(({ folder }) => folder), ...unreadableRuns(path)]
  throw noRun(path, [resolve(path)], fix)
}

function warnOfOthers(path: string, runs: number): void {
  const text = `${path} has ${runs} runs; showing the latest ${maxRuns}. Give a subfolder to see others`
  printWarnings([{ code: 'runs-left-out', text }])
}

/** Recognises a saved conversation: JSON with `messages`; a transcript also has `steps`. */
function savedConversation(path: string): { isTranscript: boolean } | undefined {
  if (!path.endsWith('.json') || !existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readWholeText(path))
    if (typeof value !== 'object' || value === null || !('messages' in value)) return undefined
    return { isTranscript: 'steps' in value }
  } catch {
    return undefined
  }
}
