import { createHash } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { TrainingRow } from '@rolecall/core/internal/masks'
import { describePolicy, wholeTurns } from '@rolecall/core/internal/masks'
import { type ExportCounts, noCounts } from '../../workbench/training/export-counts.ts'
import { type ExportOptions, RowExporter, type WrittenRow } from '../../workbench/training/export-rows.ts'
import { readTrainingChat } from '../../workbench/training/read-training-chat.ts'
import { readRecorded } from '../../workbench/training/recorded-steps.ts'
import { readWholeText } from '../read-whole-file.ts'
import type { RowSource } from '../rows/open-rows.ts'
import { makeFolder, onDisk } from '../runs/disk-error.ts'
import { openRowFile, type RowFile, type RowFileKind } from './row-files.ts'

/** Where an export goes: one file, or a folder of files with `rowsPerFile` rows each. */
export type ExportTarget = { path: string; kind: RowFileKind; rowsPerFile?: number }

/** The manifest beside an export: how it was made, and its counts. */
export type ExportManifest = {
  made: string
  data: readonly string[]
  format: string
  /** Hash of the format's source: a chat template, a meta template or a conversation template. */
  formatHash: string
  tokenizer: string
  tokenizerHash: string
  policy: string
  maxLength?: number
  pack?: number
  files: readonly string[]
  /** Rows read so far; a resumed export continues after them. */
  rowsRead: number
  isComplete: boolean
  counts: ExportCounts
}

export type ExportJob = {
  rows: RowSource
  /** Converts rows that are not plain conversations. */
  trainingRow?: (row: Row, number: number) => Promise<TrainingRow>
  data: readonly string[]
  options: ExportOptions
  target: ExportTarget
  /** Format and tokenizer, as recorded in the manifest. */
  names: Pick<ExportManifest, 'format' | 'formatHash' | 'tokenizer' | 'tokenizerHash'>
  version: string
  isResumed: boolean
  /** An unreadable row is an error, or is counted and skipped. */
  onBadRow: 'error' | 'skip'
  limit?: number
  onProgress?: (counts: ExportCounts) => void
  /** On abort, the file being written is removed; complete files stay. */
  signal?: AbortSignal
}

/**
 * Writes conversations as training rows, with a manifest beside them. Files appear only when complete, and the manifest records how
 * far they go, so a stopped export resumes after the last complete file.
 */
export async function exportTraining(job: ExportJob): Promise<ExportManifest> {
  return onDisk(
    () => job.target.path,
    () => writeRows(job),
    '--out PATH',
  )
}

async function writeRows(job: ExportJob): Promise<ExportManifest> {
  const { target, options, names } = job
  const place = manifestPath(target)
  const before = job.isResumed ? readManifest(place, names) : undefined
  if (before?.isComplete) return before
  makeFolder(resolve(target.rowsPerFile === undefined ? dirname(target.path) : target.path))
  const counts = before?.counts ?? noCounts()
  const files = [...(before?.files ?? [])]
  let rowsRead = before?.rowsRead ?? 0
  let exporter = new RowExporter(options, counts)
  let open: { file: RowFile; name: string; rows: number } | undefined
  const remember = (isComplete: boolean): ExportManifest => {
    const manifest: ExportManifest = {
      made: `rolecall ${job.version}`,
      data: job.data,
      ...names,
      policy: describePolicy({ ...wholeTurns, ...options.policy }),
      maxLength: options.maxLength,
      pack: options.pack,
      files,
      rowsRead,
      isComplete,
      counts,
    }
    writeFileSync(place, `${JSON.stringify(manifest, null, 2)}\n`)
    return manifest
  }
  const write = async (row: WrittenRow | undefined) => {
    if (row === undefined) return
    if (open === undefined) {
      const name = fileName(target, files.length)
      open = { file: await openRowFile(join(...placeOf(target, name)), target.kind), name, rows: 0 }
    }
    open.file.add(row)
    open.rows++
  }
  const close = () => {
    if (open === undefined) return
    open.file.close()
    files.push(open.name)
    open = undefined
  }
  try {
    for await (const { row, number } of job.rows) {
      if (job.signal?.aborted) throw stopped(target, rowsRead, files.length)
      if (number < rowsRead) continue
      if (job.limit !== undefined && counts.conversations + counts.leftOut.unreadable >= job.limit) break
      for (const written of await exportOne(row, number, exporter, job)) await write(written)
      rowsRead = number + 1
      if (open !== undefined && target.rowsPerFile !== undefined && open.rows >= target.rowsPerFile) {
        await write(exporter.end())
        close()
        exporter = new RowExporter(options, counts)
        remember(false)
      }
      job.onProgress?.(counts)
    }
    await write(exporter.end())
    close()
  } catch (error) {
    if (open !== undefined) rmSync(`${join(...placeOf(target, open.name))}.part`, { force: true })
    throw error
  }
  return remember(true)
}

async function exportOne(
  row: Row,
  number: number,
  exporter: RowExporter,
  { onBadRow, data, trainingRow, options }: ExportJob,
): Promise<readonly WrittenRow[]> {
  const where = `${data.join(', ')} › row ${number}`
  try {
    if (trainingRow) return exporter.addRow(await trainingRow(row, number), number)
    const recorded = readRecorded(row, where, options)
    if (recorded) return exporter.addRecorded(recorded, number)
    return exporter.add({ chat: readTrainingChat(row, where), number })
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    if (onBadRow === 'error') throw error.where.startsWith(where) ? error : within(error, where)
    exporter.counts.leftOut.unreadable++
    return []
  }
}

function stopped({ path, rowsPerFile }: ExportTarget, rows: number, files: number): PromptError {
  return new PromptError('stopped', {
    where: path,
    problem: `stopped after ${rows} rows; ${files === 0 ? 'no file is complete' : `${files} complete file${files === 1 ? '' : 's'} kept`}`,
    fix: rowsPerFile === undefined ? 'start again; with --rows-per-file, an export can be resumed' : 'continue with --resume',
  })
}

function within(error: PromptError, where: string): PromptError {
  return new PromptError(error.code, { where: `${where} › ${error.where}`, problem: error.problem, fix: error.fix })
}

function fileName({ path, kind, rowsPerFile }: ExportTarget, number: number): string {
  return rowsPerFile === undefined ? path : `part-${String(number).padStart(5, '0')}.${kind}`
}

function placeOf({ path, rowsPerFile }: ExportTarget, name: string): string[] {
  return rowsPerFile === undefined ? [name] : [path, name]
}

/** The manifest is beside a single file, or inside the folder. */
export function manifestPath({ path, rowsPerFile }: ExportTarget): string {
  return rowsPerFile === undefined ? `${path}.manifest.json` : join(path, 'manifest.json')
}

/** The manifest of the export to resume; an error if its format or tokenizer differ. */
function readManifest(place: string, names: ExportJob['names']): ExportManifest | undefined {
  if (!existsSync(place)) return undefined
  const found = JSON.parse(readWholeText(place)) as ExportManifest
  if (found.formatHash === names.formatHash && found.tokenizerHash === names.tokenizerHash) return found
  throw new PromptError('other-export', {
    where: place,
    problem: `the rows here were written in another format or with another tokenizer (${found.format}, ${found.tokenizer})`,
    fix: 'continue with the same format and tokenizer, or choose another folder',
  })
}

/** The first 16 hex digits of the SHA-256. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
