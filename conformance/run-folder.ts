import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { dictGet, isDict, type PyValue, parseJson } from '../src/base/python/index.ts'
import type { Verdict } from './judge.ts'
import type { Suite } from './suite.ts'
import { suites } from './suites.ts'

export type FileReport = {
  total: number
  passed: number
  /** Rule → number of vectors that deviate by it. */
  deviations: Record<string, number>
  later: number
  /** Reason for deferred vectors, if known → count. */
  laterBecause: Record<string, number>
  failed: string[]
}

export type Report = { files: Record<string, FileReport> /** Files of a kind that the runner does not support yet. */; unknown: string[] }
export type Failure = { id: string; why: string }

/** Runs every supported vector file in a folder with the layout of `shared/conformance` or one of its subfolders. */
export async function runFolder(
  folder: string,
  onFailure: (failure: Failure) => void = () => {},
  /** Which vectors of a file are judged; all by default. */
  chosen: (lines: readonly string[]) => readonly string[] = (lines) => lines,
): Promise<Report> {
  const report: Report = { files: {}, unknown: [] }
  for (const file of vectorFiles(folder)) {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    const suite = lines.length > 0 ? suiteOf(lines[0]!) : undefined
    const short = `${suite?.name ?? basename(dirname(file))}/${basename(file)}`
    // The path distinguishes files with the same name in different folders.
    const name = short in report.files ? relative(folder, file) : short
    if (suite === undefined) report.unknown.push(name)
    else report.files[name] = await runLines(chosen(lines), suite, dirname(file), onFailure)
  }
  return report
}

async function runLines(
  lines: readonly string[],
  suite: Suite,
  folder: string,
  onFailure: (failure: Failure) => void,
): Promise<FileReport> {
  const report: FileReport = { total: 0, passed: 0, deviations: {}, later: 0, laterBecause: {}, failed: [] }
  for (const line of lines) {
    const vector = parseJson(line)
    const id = String(isDict(vector) ? dictGet(vector, 'id') : undefined)
    const verdict = await judgeVector(suite, vector, folder)
    report.total++
    if (verdict.kind === 'passed') report.passed++
    else if (verdict.kind === 'later') {
      report.later++
      if (verdict.why) report.laterBecause[verdict.why] = (report.laterBecause[verdict.why] ?? 0) + 1
    } else if (verdict.kind === 'deviation') report.deviations[verdict.rule] = (report.deviations[verdict.rule] ?? 0) + 1
    else {
      report.failed.push(id)
      onFailure({ id, why: verdict.why })
    }
  }
  await suite.close?.()
  return report
}

async function judgeVector(suite: Suite, vector: PyValue, folder: string): Promise<Verdict> {
  try {
    return await suite.judge(vector, folder)
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
