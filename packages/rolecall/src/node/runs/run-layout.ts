import { createHash } from 'node:crypto'
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { check, PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import type { MainMetric } from '../../evaluation/run/record/main-metric.ts'
import { isSamePair, modelText, nameOf, type PairName } from '../../evaluation/run/record/pair-name.ts'
import type { PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { logProbabilitiesToKeep } from '../../evaluation/run/record/trim-scores.ts'
import { upgradeResult } from '../../evaluation/run/record/upgrade-result.ts'

import { bySamplingField } from '../../model/language-model/sampling-settings.ts'
import { fileInRun, isInRun, jsonInRun } from './file-in-run.ts'
import { pathInRun, refuseLinks } from './inside-run.ts'

import type { RememberedOption } from './remembered-options.ts'

/** A pair's files, relative to the run's folder, and its main metric, which older runs lack. */
export type PairFiles = PairName & { predictions: string; results: string; figure?: MainMetric | undefined }

/** `configs/run.json`: what was run, and from which folder, so that its rows can be read again. */
export type RunInfo = z.infer<typeof runInfoSchema>

const runOptionsSchema = z.looseObject({
  models: z.string().optional(),
  datasets: z.string().optional(),
  formats: z.string().optional(),
  limit: z.number().optional(),
  ...bySamplingField(() => z.number().optional()),
  maxOutLen: z.number().optional(),
  stopTexts: z.array(z.string()).readonly().optional(),
  prompts: z.boolean().optional(),
  logProbabilities: z.enum(logProbabilitiesToKeep).optional(),
  /** `2/4`: the second of four shards. */
  shard: z.string().optional(),
  workers: z.number().optional(),
  /** The folder of the answer cache, if not the user's; false disables it. */
  cache: z.union([z.string(), z.literal(false)]).optional(),
  allowUnscorable: z.boolean().optional(),
  /** Requests of all models go in batches. */
  batch: z.boolean().optional(),
  /** Results are also written as another program lays them out; the run's own rows and results are then in `rolecall/`. */
  layout: z.literal('opencompass').optional(),
  maxCost: z.number().optional(),
  maxTokensTotal: z.number().optional(),
  maxTime: z.number().optional(),
} satisfies Record<RememberedOption, z.ZodType>)

/** In version 1, a format given by `--formats` was part of the model's name; since 2, it is a field of the pair. */
export const runVersion = 2

const runInfoSchema = z.looseObject({
  version: z.literal(runVersion),
  name: z.string(),
  started: z.string(),
  rolecall: z.string(),
  /** The config file; absent for a run started from TypeScript. */
  config: z.string().optional(),
  /** The folder that paths in the config are relative to. */
  folder: z.string(),
  options: runOptionsSchema,
  /** The addresses that keys of rows contain, by model, where its server has moved since. */
  servers: z.record(z.string(), z.unknown()).optional(),
  /** That the user of this machine started the run: see own-run.ts. */
  own: z.string().optional(),
  /** What came from a hub: the commit of each repository, and the hashes of the files that were used. */
  hub: z.array(z.object({ repository: z.string(), commit: z.string(), files: z.record(z.string(), z.string()) })).optional(),
  pairs: z.array(
    z.object({
      model: z.string(),
      format: z.string().optional(),
      dataset: z.string(),
      predictions: pathInRun,
      results: pathInRun,
      figure: z
        .object({
          metric: z.string(),
          kind: z.enum(['verdict', 'graded', 'quantity']),
          unit: z.string(),
          direction: z.enum(['higher', 'lower']),
          range: z.tuple([z.number().nullable(), z.number().nullable()]).optional(),
          isMeanOfRows: z.literal(false).optional(),
        })
        .optional(),
    }),
  ),
})

const earlierRunInfo = runInfoSchema.extend({ version: z.literal(1) })

/** The files of a run, relative to its folder. */
export const runFiles = {
  info: 'configs/run.json',
  config: 'configs/config.json',
  lock: 'run.lock',
  /** The socket of a run in progress, for `rolecall runs ctl`, or the file that contains its path. */
  control: 'control.sock',
  controlPath: 'control.path',
  /** Tokens of answers that were replaced, which limits still count. */
  replaced: 'replaced.jsonl',
  /** What reviewers noted on rows. */
  annotations: 'annotations.jsonl',
  summary: { json: 'summary/summary.json', markdown: 'summary/summary.md', csv: 'summary/summary.csv', text: 'summary/summary.txt' },
} as const

/** How a damaged file of a run is replaced. */
export const remedies = {
  info: 'restore the file, or move the run folder away',
  config: 'restore the file, or write it again with the config that was run: rolecall run CONFIG -r',
  scores: 'write it again: rolecall score RUN',
} as const

/** The files and folders of a run, wherever its info says that its pairs are. */
const ownFiles: readonly string[] = [
  'predictions',
  'results',
  'batches',
  'rolecall',
  'rows',
  ...Object.values(runFiles.summary),
  ...Object.values(runFiles).filter((file) => typeof file === 'string'),
]

/**
 * Assigns `predictions/<model>/<dataset>.jsonl` and `results/<model>/<dataset>.json` to each pair, in `rolecall/` beside another layout.
 * Pairs never share a file, and known pairs keep theirs.
 */
export function layOut(names: readonly PairName[], known: readonly PairFiles[] = [], layout?: RunInfo['options']['layout']): PairFiles[] {
  const top = layout === undefined ? '' : 'rolecall/'
  const predictionsAt = (path: string) => `${top}predictions/${path}.jsonl`
  const taken = new Set(known.map(({ predictions }) => predictions.toLowerCase()))
  return names.map((name) => {
    const own = known.find((files) => isSamePair(files, name))
    if (own) return own
    const { model, format, dataset } = name
    const plain = `${fileName(modelText(name))}/${fileName(dataset)}`
    // Names that differ only in case or in characters not allowed in paths would collide.
    const isTaken = taken.has(predictionsAt(plain).toLowerCase())
    const path = isTaken
      ? `${plain}-${createHash('sha256')
          .update(JSON.stringify(format === undefined ? [model, dataset] : [model, format, dataset]))
          .digest('hex')
          .slice(0, 8)}`
      : plain
    taken.add(predictionsAt(path).toLowerCase())
    return { ...nameOf(name), predictions: predictionsAt(path), results: `${top}results/${path}.json` }
  })
}

/** A name made safe for a path: model names often contain slashes. */
function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._+-]+/gu, '_').slice(0, 80)
  return /^\.*$/.test(safe) ? `_${safe}` : safe
}

/** Reads the `configs/run.json` of a run's folder. */
export function readRunInfo(folder: string): RunInfo {
  if (isInRun(folder, runFiles.info)) refuseLinks(folder, namesOf(ownFiles))
  const content = jsonInRun(folder, runFiles.info, remedies.info)
  if (content === undefined) {
    throw new PromptError('no-run', {
      where: folder,
      problem: existsSync(folder) ? 'this is not a run folder: it has no configs/run.json' : 'there is no such folder',
      fix: 'choose a folder written by `rolecall run`, e.g. outputs/<name>/<time>',
    })
  }
  const file = fileInRun(folder, runFiles.info)
  const { version, rolecall = '' } = Object(content) as { version?: unknown; rolecall?: unknown }
  if (typeof version === 'number' && version > runVersion) {
    throw new PromptError('newer-run', {
      where: file,
      problem: `a newer Rolecall${rolecall === '' ? '' : ` (${rolecall})`} wrote this run: its layout version is ${version}, and this Rolecall reads up to ${runVersion}`,
      fix: 'update Rolecall (npm install rolecall@latest), or start a new run',
    })
  }
  const info = check(runInfoSchema, upgraded(content), file)
  const named = namesOf(info.pairs.flatMap(({ predictions, results }) => [predictions, results]))
  refuseLinks(folder, new Set([...named].filter((name) => !namesOf(ownFiles).has(name))))
  return info
}

/** The first names of paths. */
function namesOf(paths: readonly string[]): Set<string> {
  return new Set(paths.map((path) => path.split('/')[0]!))
}

/** The result of a pair, if there is one. Its names are taken from the pair, because older runs stored them differently. */
export function readResult(folder: string, pair: PairFiles): PairResult | undefined {
  const result = jsonInRun(folder, pair.results, remedies.scores) as Parameters<typeof upgradeResult>[0] | undefined
  return result === undefined ? undefined : { ...upgradeResult(result), ...nameOf(pair) }
}

/** The summary of a run, if there is one. */
export function readSummary(folder: string): RunSummary | undefined {
  return jsonInRun(folder, runFiles.summary.json, remedies.scores) as RunSummary | undefined
}

/** Upgrades version 1, in which a pair's model was `tiny as chatml` if the options had `formats: chatml`. */
function upgraded(content: unknown): unknown {
  const earlier = earlierRunInfo.safeParse(content)
  if (!earlier.success) return content
  const { options, pairs, ...info } = earlier.data
  const formats = (options.formats ?? '').split(',').map((name) => name.trim())
  return {
    ...info,
    version: runVersion,
    options,
    pairs: pairs.map((pair) => {
      const format = formats.find((name) => name !== '' && pair.model.endsWith(` as ${name}`))
      return format === undefined ? pair : { ...pair, model: pair.model.slice(0, -` as ${format}`.length), format }
    }),
  }
}

export function isRun(folder: string): boolean {
  return isInRun(folder, runFiles.info)
}

/** `outputs/<name>/shard-2-of-4/<time>`, and one level more. */
const deepest = 4

/** The runs in a folder or at most `depth` levels below it (`outputs`, `outputs/<name>`), latest first. */
export function findRuns(parent: string, depth = deepest): { folder: string; info: RunInfo }[] {
  // Unreadable runs are skipped here; opening one by name reports the error.
  const found = runFolders(resolve(parent), depth).flatMap((folder) => readable(folder) ?? [])
  const startOf = ({ folder, info }: (typeof found)[number]) => `${info.started} ${folder}`
  return found.sort((one, other) => (startOf(one) < startOf(other) ? 1 : -1))
}

/** Run folders whose `configs/run.json` is unreadable. */
export function unreadableRuns(parent: string, depth = deepest): string[] {
  return runFolders(resolve(parent), depth).filter((folder) => !readable(folder))
}

function readable(folder: string): { folder: string; info: RunInfo } | undefined {
  try {
    return { folder, info: readRunInfo(folder) }
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

function runFolders(folder: string, depth: number): string[] {
  if (isRun(folder)) return [folder]
  if (depth === 0 || !existsSync(folder) || !statSync(folder).isDirectory()) return []
  return foldersIn(folder).flatMap(({ name }) => runFolders(join(folder, name), depth - 1))
}

function foldersIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  } catch (error) {
    // A folder of another user, or one that was removed meanwhile.
    if (['EACCES', 'EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
