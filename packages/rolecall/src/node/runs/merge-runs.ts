import { appendFileSync, existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { readShard, type Shard } from '../../evaluation/run/shard.ts'
import { AnnotationFile } from './annotations/annotation-file.ts'
import { makeFolder, onDisk } from './disk-error.ts'
import { timestamp } from './evaluate/in-folder.ts'
import { fileInRun, textInRun } from './file-in-run.ts'
import { folderNamed, foldersNamed, shownFolders } from './find-run.ts'
import { isOwnRun } from './own-run.ts'
import { RecordWriter } from './records/record-writer.ts'
import { RunFolder } from './run-folder.ts'
import { findRuns, isRun, type PairFiles, runFiles } from './run-layout.ts'
import { openRun, RunReader } from './run-reader.ts'
import { type ScoredRun, scoreFolder } from './score-run.ts'
import { writtenConfig } from './written-config.ts'

type Part = { run: RunReader; shard: Shard }

/**
 * Merges shards made with `--shard`; the result equals one run over all rows. Takes the shards or their parent folder, in which the
 * latest run of each shard counts. Missing, duplicate, unfinished and unrelated shards are errors.
 */
export async function mergeRuns(given: readonly string[], output?: string): Promise<ScoredRun> {
  return onDisk(
    () => output ?? given.join(', '),
    () => joinParts(given, output),
  )
}

async function joinParts(given: readonly string[], output?: string): Promise<ScoredRun> {
  const parts = given
    .map(folderNamed)
    .flatMap(partsAt)
    .sort((one, other) => one.shard.index - other.shard.index)
  checkParts(parts, given)
  const [first] = parts as [Part, ...Part[]]
  // Shards come from several machines, and a config of functions is read where it was run.
  const areOwn = parts.map(({ run }) => isOwnRun(run.folder, run.info))
  const loaded = await (parts[areOwn.indexOf(true)] ?? first).run.config()
  const { shard: _, ...options } = first.run.info.options
  const pairs = await first.run.plan(loaded)
  const path = output ?? freeFolder(dirname(dirname(first.run.folder)))
  refuseFolderInUse(path)
  const isNew = !existsSync(path)
  makeFolder(path)
  try {
    const folder = new RunFolder(path, { ...first.run.info, options }, pairs, writtenConfig(loaded.config))
    const isOwn = !areOwn.includes(false)
    folder.begin(isOwn)
    for (const files of folder.info.pairs) joinRecords(path, files, parts)
    for (const part of parts) joinAnnotations(fileInRun(path, runFiles.annotations), part)
    const scored = await scoreFolder(folder, pairs, loaded, isOwn ? 'question' : 'recorded-row')
    refuseUnfinished(scored, parts)
    return scored
  } catch (error) {
    // The folder was empty before, so everything in it is ours.
    for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true })
    if (isNew) rmdirSync(path)
    throw error
  }
}

function refuseFolderInUse(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || (found.isDirectory() && readdirSync(path).length === 0)) return
  throw new PromptError('folder-in-use', {
    where: path,
    problem: isRun(path) ? 'this folder already contains a run' : found.isDirectory() ? 'the folder is not empty' : 'this is a file',
    fix: 'choose another folder with -o',
  })
}

function partsAt(path: string): Part[] {
  const runs = isRun(path) ? [openRun(path)] : latestOfEach(findRuns(path).filter(({ info }) => info.options.shard !== undefined))
  if (runs.length === 0) {
    throw new PromptError('no-parts', {
      where: path,
      problem: existsSync(path) ? 'the folder contains no shards' : `there is no folder ${shownFolders(foldersNamed(path))}`,
      fix: 'pass the folder that `rolecall run --shard` wrote its shards to, or the shards',
    })
  }
  return runs.map((run) => {
    const { shard } = run.info.options
    if (shard !== undefined) return { run, shard: readShard(shard, run.folder) }
    throw new PromptError('no-part', {
      where: run.folder,
      problem: 'this is a complete run, not a shard',
      fix: 'merge runs made with --shard',
    })
  })
}

/** Runs are sorted latest first. */
function latestOfEach(runs: ReturnType<typeof findRuns>): RunReader[] {
  const seen = new Set<string>()
  return runs.flatMap(({ folder, info }) => {
    const isFirst = !seen.has(dirname(folder))
    seen.add(dirname(folder))
    return isFirst ? [new RunReader(folder, info)] : []
  })
}

function checkParts(parts: readonly Part[], given: readonly string[]): void {
  const where = given.join(', ')
  const [first] = parts as [Part, ...Part[]]
  const name = ({ run: { folder } }: Part) => relative(process.cwd(), folder) || folder
  for (const part of parts) {
    const differs =
      part.shard.count !== first.shard.count
        ? `${part.run.info.options.shard} and ${first.run.info.options.shard} split the rows into different numbers of shards`
        : optionsText(part) !== optionsText(first)
          ? 'they were run with different options'
          : configText(part) === configText(first)
            ? undefined
            : 'they were run with different configs'
    if (differs === undefined) continue
    throw new PromptError('foreign-part', {
      where: name(part),
      problem: `this shard is not part of the same run as ${name(first)}: ${differs}`,
      fix: 'merge shards of one run',
    })
  }
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    if (next?.shard.index !== part.shard.index) continue
    throw new PromptError('double-part', {
      where,
      problem: `shard ${part.run.info.options.shard} is given twice: ${name(part)} and ${name(next)}`,
      fix: 'remove one of them',
    })
  }
  const there = new Set(parts.map(({ shard }) => shard.index))
  const missing = Array.from({ length: first.shard.count }, (_, index) => index).filter((index) => !there.has(index))
  if (missing.length === 0) return
  throw new PromptError('missing-part', {
    where,
    problem: `${missing.length === 1 ? 'a shard is' : `${missing.length} shards are`} missing: ${missing.map((index) => `${index + 1}/${first.shard.count}`).join(', ')}`,
    fix: 'run them with --shard, or pass their folders as well',
  })
}

/** Concurrency and cache location may differ between machines. */
function optionsText({ run: { info } }: Part): string {
  const { shard: _, workers: __, cache: ___, ...options } = info.options
  return JSON.stringify(Object.entries(options).sort())
}

function configText({ run }: Part): string | undefined {
  return textInRun(run.folder, runFiles.config)
}

function joinRecords(path: string, files: PairFiles, parts: readonly Part[]): void {
  const writer = new RecordWriter(fileInRun(path, files.predictions))
  for (const { run, shard } of parts) {
    const pair = run.find(files)
    if (!pair?.hasRecords) continue
    for (const record of pair.rows()) if (record.id % shard.count === shard.index) writer.add(record)
  }
  writer.close({ sort: true })
}

/** Rows have the same numbers in all parts. */
function joinAnnotations(file: string, { run }: Part): void {
  const text = new AnnotationFile(run.folder).text().trimEnd()
  if (text !== '') appendFileSync(file, `${text}\n`)
}

function refuseUnfinished({ missing }: ScoredRun, parts: readonly Part[]): void {
  if (missing.length === 0) return
  const { count } = parts[0]!.shard
  const counts = new Map<number, number>()
  for (const { rows } of missing) for (const row of rows) counts.set(row % count, (counts.get(row % count) ?? 0) + 1)
  const lacking = [...counts].sort(([one], [other]) => one - other).map(([index, rows]) => `${index + 1}/${count} lacks ${rows} rows`)
  throw new PromptError('unfinished-part', {
    where: parts[[...counts.keys()][0]!]!.run.folder,
    problem: `some rows have not run yet: ${lacking.join(', ')}`,
    fix: 'resume those shards (`rolecall run --shard … -r`), then merge again',
  })
}

function freeFolder(parent: string): string {
  const base = join(parent, timestamp(new Date()))
  for (let number = 1; ; number++) {
    const path = number === 1 ? base : `${base}_${number}`
    if (!existsSync(path)) return path
  }
}
