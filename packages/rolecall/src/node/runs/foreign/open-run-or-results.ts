import { existsSync, statSync } from 'node:fs'
import { basename, dirname, extname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { modelText } from '../../../evaluation/run/record/pair-name.ts'
import { foldersNamed, runAt } from '../find-run.ts'
import { findRuns, isRun } from '../run-layout.ts'
import { openRun, type RunReader } from '../run-reader.ts'
import { type ImportedResult, importAllResults, importResults } from './import-results.ts'

/**
 * Opens what an argument names: an own run as `runAt` resolves it, or results of another harness, read into the cache. `FOLDER#2` is the
 * second run in a folder, `FOLDER#NAME` or `FOLDER/MODEL/DATASET` a part of it; of an own run, `FOLDER#NAME` is a model or a dataset.
 */
export async function openRunOrResults(name: string): Promise<RunReader> {
  if (isOwnRun(name)) return openRun(runAt(name))
  const [, own = '', part = ''] = /^(.+?)#([^#]+)$/.exec(name) ?? []
  if (own !== '' && isOwnRun(own)) return openPart(runAt(own), part, own)
  if (isFile(name) && !mayBeResults(name)) throw notResults(name)
  return openRun((await resultsAt(name)) ?? runAt(name, ', or results of another harness (docs/why.md lists them)'))
}

/** A run of our own, or a folder of them. */
function isOwnRun(name: string): boolean {
  return foldersNamed(name).some((folder) => isRun(folder) || findRuns(folder).length > 0)
}

/** A model or a dataset of an own run. */
function openPart(folder: string, part: string, where: string): RunReader {
  const { pairs } = openRun(folder)
  const models = [...new Set(pairs.map(modelText))]
  if (models.includes(part)) return openRun(folder, { model: part })
  const datasets = [...new Set(pairs.map(({ dataset }) => dataset))]
  if (datasets.includes(part)) return openRun(folder, { dataset: part })
  throw new PromptError('no-pair', {
    where: `${where}#${part}`,
    problem: `the run has neither a model nor a dataset "${part}"`,
    fix: `choose one of ${[...models, ...datasets].join(', ')}`,
  })
}

/** Results of another harness as a run folder; undefined if there are none. */
export async function resultsAt(name: string): Promise<string | undefined> {
  const [, path = name, chosen] = /^(.+?)#([^#]+)$/.exec(name) ?? []
  const { existing, rest } = longestExisting(path)
  if (existing === undefined || !mayBeResults(existing)) return undefined
  const selection = [rest, chosen].filter((one) => one !== undefined && one !== '').join('/')
  return importResults(existing, selection === '' ? undefined : selection)
}

/** All results of other harnesses in a folder or file, the latest first; a part that is named, as for `resultsAt`, is one. */
export async function allResultsAt(name: string): Promise<ImportedResult[]> {
  if (existsSync(name) && mayBeResults(name)) return importAllResults(name)
  const folder = await resultsAt(name)
  return folder === undefined ? [] : [{ folder }]
}

/** The longest existing part of a path, at most two names above its end, and those names. */
function longestExisting(path: string): { existing?: string; rest?: string } {
  for (let [existing, rest] = [path, '']; rest.split('/').length <= 2; ) {
    if (existsSync(existing)) return { existing, rest }
    rest = rest === '' ? basename(existing) : `${basename(existing)}/${rest}`
    // A word that is no path here names no part of this folder.
    if (dirname(existing) === existing || (dirname(existing) === '.' && !path.startsWith('.'))) return {}
    existing = dirname(existing)
  }
  return {}
}

const endings = ['.eval', '.json', '.jsonl']

function mayBeResults(path: string): boolean {
  return statSync(path).isDirectory() || endings.includes(extname(path))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function notResults(path: string): PromptError {
  return new PromptError('unknown-results', {
    where: path,
    problem: `files of results end with ${endings.join(', ')}`,
    fix: path.endsWith('.gz')
      ? `unpack it: gunzip -k ${path}`
      : 'name a run folder, or results of another harness (docs/why.md lists them)',
  })
}
