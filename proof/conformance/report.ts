import { unlistedGaps } from './gaps.ts'
import { mangleKinds } from './mangle.ts'
import type { FileReport, MangleReport, Report } from './run-folder.ts'

/** The report as a table, followed by the rules, what was not compared, and what the judge did not notice. */
export function formatReport(report: Report): string {
  const { files, unknown, mangled } = report
  const rows = Object.entries(files).map(([name, file]) => ({ name, cells: cellsOf(file) }))
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const lines = rows.map(({ name, cells }) => `${name.padEnd(width)}  ${cells.join(', ')}`)
  lines.push(...counted('checked by rule (docs/fidelity.md):', sumOf(files, 'rules')))
  lines.push(...counted('self-consistent only, because there is no result to compare with:', sumOf(files, 'consistent')))
  lines.push(...counted('not supported:', sumOf(files, 'unsupported')))
  if (unknown.length > 0) lines.push('', `files that were not recognised: ${unknown.join(', ')}`)
  const gaps = unlistedGaps(report)
  if (gaps.length > 0) lines.push('', 'not listed in conformance/gaps.ts:', ...gaps.map((gap) => `  ${gap}`))
  if (mangled) lines.push('', ...formatMangled(mangled))
  return lines.join('\n')
}

function cellsOf({ total, identical, rules, consistent, unsupported, failed }: FileReport): string[] {
  const other = [
    [countOf(rules), 'by rule'],
    [countOf(consistent), 'self-consistent'],
    [countOf(unsupported), 'not supported'],
    [failed.length, 'FAILED'],
  ] as const
  return [`${identical}/${total} identical`, ...other.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))]
}

export function countOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function sumOf(files: Report['files'], key: 'rules' | 'consistent' | 'unsupported'): Map<string, number> {
  const sums = new Map<string, number>()
  for (const file of Object.values(files))
    for (const [name, count] of Object.entries(file[key])) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

function counted(title: string, counts: ReadonlyMap<string, number>): string[] {
  if (counts.size === 0) return []
  return ['', title, ...[...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `  ${String(count).padStart(5)}  ${name}`)]
}

function formatMangled(mangled: MangleReport): string[] {
  const lines = mangleKinds.flatMap((kind) => {
    const { distorted = 0, unnoticed = [] } = mangled[kind] ?? {}
    const share = distorted === 0 ? 100 : (100 * (distorted - unnoticed.length)) / distorted
    const missed = unnoticed.length > 0 ? `; not: ${unnoticed.slice(0, 8).join(', ')}${unnoticed.length > 8 ? ', …' : ''}` : ''
    return [`  ${kind.padEnd(22)} ${distorted - unnoticed.length} of ${distorted} (${share.toFixed(2)} %)${missed}`]
  })
  return ['distorted results that the judge noticed:', ...lines]
}

/** The least share of distortions of a kind that must be noticed. */
const noticedShare = 0.99

/** Whether a vector failed, something is missing that is not listed, or the judge overlooks distortions. */
export function hasFailures(report: Report): boolean {
  const overlooks = Object.values(report.mangled ?? {}).some(
    ({ distorted, unnoticed }) => unnoticed.length > (1 - noticedShare) * distorted,
  )
  return overlooks || Object.values(report.files).some(({ failed }) => failed.length > 0) || unlistedGaps(report).length > 0
}
