import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { dictEntries, isDict, PyFloat, parseJson } from '../src/python/index.ts'
import { judge, type Verdict } from './judge.ts'
import { type DocumentedVector, judgeDocumented } from './opencompass/documented.ts'
import { openiclVector } from './opencompass/openicl.ts'
import { pipelineSubject } from './opencompass/pipeline.ts'
import { type UnitVector, unitSubject } from './opencompass/unit.ts'
import type { PipelineVector } from './opencompass/vector.ts'

export type FileReport = {
  total: number
  passed: number
  /** Rule → number of vectors that differ by it. */
  deviations: Record<string, number>
  later: number
  failed: string[]
}

export type Report = { files: Record<string, FileReport> /** Files of a kind that the runner does not know yet. */; unknown: string[] }
export type Failure = { id: string; why: string }

/** Runs every vector file it knows in a folder laid out like `shared/conformance` or one of its subfolders. */
export function runFolder(folder: string, onFailure: (failure: Failure) => void = () => {}): Report {
  const report: Report = { files: {}, unknown: [] }
  for (const file of vectorFiles(folder)) {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    const suite = lines.length > 0 ? suiteOf(lines[0]!) : undefined
    const short = `${suite ?? basename(join(file, '..'))}/${basename(file)}`
    // Files of one name in several folders are told apart by their path.
    const name = short in report.files ? relative(folder, file) : short
    if (suite === undefined) report.unknown.push(name)
    else report.files[name] = runLines(lines, onFailure)
  }
  return report
}

function runLines(lines: readonly string[], onFailure: (failure: Failure) => void): FileReport {
  const report: FileReport = { total: 0, passed: 0, deviations: {}, later: 0, failed: [] }
  for (const line of lines) {
    const vector = parseJson(line)
    const id = String(at(vector, 'id'))
    const verdict = judgeVector(vector)
    report.total++
    if (verdict.kind === 'passed') report.passed++
    else if (verdict.kind === 'later') report.later++
    else if (verdict.kind === 'deviation') report.deviations[verdict.rule] = (report.deviations[verdict.rule] ?? 0) + 1
    else {
      report.failed.push(id)
      onFailure({ id, why: verdict.why })
    }
  }
  return report
}

function judgeVector(json: unknown): Verdict {
  try {
    if (at(json, 'documented') !== undefined) return judgeDocumented(withPlainConfigs(json) as DocumentedVector)
    const subject = subjectOf(json)
    return subject === undefined ? { kind: 'later' } : judge(subject)
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function subjectOf(json: unknown) {
  // Rows keep what only Python's JSON can hold; configs are ordinary objects.
  if (at(json, 'op') !== undefined) return unitSubject(withPlainConfigs(json) as UnitVector)
  const vector = withPlainConfigs(json) as PipelineVector
  return pipelineSubject(vector.id.startsWith('openicl/') ? openiclVector(vector) : vector)
}

const rowKeys = new Set(['entry', 'iceEntries', 'train', 'test'])

function withPlainConfigs(value: unknown, key = ''): unknown {
  if (rowKeys.has(key)) return value
  if (value instanceof PyFloat) return value.value
  if (Array.isArray(value)) return value.map((entry) => withPlainConfigs(entry))
  if (!isDict(value)) return value
  return Object.fromEntries(dictEntries(value).map(([name, entry]) => [name, withPlainConfigs(entry, name)]))
}

/** Vectors tell by their shape what they are, so that files may have any name. */
function suiteOf(line: string): 'opencompass' | undefined {
  const vector = parseJson(line)
  return at(vector, 'promptTemplate') !== undefined || (at(vector, 'group') === 'unit' && at(vector, 'op') !== undefined)
    ? 'opencompass'
    : undefined
}

function at(value: unknown, key: string): unknown {
  return isDict(value) ? new Map(dictEntries(value)).get(key) : undefined
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
