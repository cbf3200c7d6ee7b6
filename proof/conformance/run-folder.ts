import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { dictGet, isDict, type PyValue, parseJson } from '../../packages/core/src/base/python/index.ts'
import { type MangleKind, manglings } from './mangle.ts'
import type { Suite, Trial } from './suite.ts'
import { suites } from './suites.ts'
import type { Verdict } from './verdict.ts'

export type FileReport = {
  total: number
  identical: number
  /** Rule → number of vectors that differ by it, and were checked by it. */
  rules: Record<string, number>
  /** Why there is nothing to compare with → count. */
  consistent: Record<string, number>
  /** What is missing → count. */
  unsupported: Record<string, number>
  failed: string[]
}

/** Kind of distortion → how many results were distorted, and the ids of those whose distortion the judge did not notice. */
export type MangleReport = Record<MangleKind, { distorted: number; unnoticed: string[] }>

export type Report = {
  files: Record<string, FileReport>
  /** Files of a kind that the runner does not know. */
  unknown: string[]
  mangled?: MangleReport
}
export type Failure = { id: string; why: string }

export type RunOptions = {
  onFailure?: (failure: Failure) => void
  /** Which vectors of a file are judged; all by default. */
  choose?: (lines: readonly string[]) => readonly string[]
  /** Also judges distorted results. */
  mangle?: boolean
}

/** Runs every supported vector file in a folder with the layout of `shared/conformance` or one of its subfolders. */
export async function runFolder(
  folder: string,
  { onFailure = () => {}, choose = (lines) => lines, mangle }: RunOptions = {},
): Promise<Report> {
  const report: Report = { files: {}, unknown: [], ...(mangle ? { mangled: {} as MangleReport } : {}) }
  for (const file of vectorFiles(folder)) {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    const suite = lines.length > 0 ? suiteOf(lines[0]!) : undefined
    const short = `${suite?.name ?? basename(dirname(file))}/${basename(file)}`
    // The path distinguishes files with the same name in different folders.
    const name = short in report.files ? relative(folder, file) : short
    if (suite === undefined) report.unknown.push(name)
    else report.files[name] = await runLines(choose(lines), suite, dirname(file), onFailure, report.mangled)
  }
  return report
}

async function runLines(
  lines: readonly string[],
  suite: Suite,
  folder: string,
  onFailure: (failure: Failure) => void,
  mangled: MangleReport | undefined,
): Promise<FileReport> {
  const report: FileReport = { total: 0, identical: 0, rules: {}, consistent: {}, unsupported: {}, failed: [] }
  for (const line of lines) {
    const vector = parseJson(line)
    const id = String(isDict(vector) ? (dictGet(vector, 'id') ?? dictGet(vector, 'name')) : undefined)
    const examined = await attempt(() => suite.examine(vector, folder))
    const verdict = 'ours' in examined ? await attempt(() => examined.judge(examined.ours)) : examined
    count(report, verdict, id)
    if (verdict.kind === 'failed') onFailure({ id, why: verdict.why })
    else if (mangled && 'ours' in examined && verdict.kind !== 'consistent') await judgeMangled(examined, verdict, vector, id, mangled)
  }
  await suite.close?.()
  return report
}

function count(report: FileReport, verdict: Verdict, id: string): void {
  report.total++
  if (verdict.kind === 'identical') report.identical++
  else if (verdict.kind === 'rule') add(report.rules, verdict.rule)
  else if (verdict.kind === 'consistent') add(report.consistent, verdict.why)
  else if (verdict.kind === 'unsupported') add(report.unsupported, verdict.why)
  else report.failed.push(id)
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** A distortion is noticed if the judge fails it, or counts the vector differently: the counts are pinned. */
async function judgeMangled(trial: Trial, before: Verdict, vector: PyValue, id: string, report: MangleReport): Promise<void> {
  for (const { kind, ours } of manglings(trial.ours, vector)) {
    const after = await attempt(() => trial.judge(ours))
    report[kind] ??= { distorted: 0, unnoticed: [] }
    report[kind].distorted++
    if (after.kind === before.kind) report[kind].unnoticed.push(before.kind === 'rule' ? `${id} (${before.rule})` : id)
  }
}

async function attempt<Result>(run: () => Result | Promise<Result>): Promise<Result | (Verdict & { kind: 'failed' })> {
  try {
    return await run()
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** The shape of a vector determines its suite, so files may have any name. */
function suiteOf(line: string): Suite | undefined {
  const vector = parseJson(line)
  return isDict(vector) ? suites.find((suite) => suite.recognises(vector)) : undefined
}

function vectorFiles(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) return vectorFiles(path)
      return name.endsWith('.jsonl') ? [path] : []
    })
}
