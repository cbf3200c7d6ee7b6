import type { Report } from './run-folder.ts'

/** The report as a table, followed by the deviations by rule. */
export function formatReport({ files, unknown }: Report): string {
  const rows = Object.entries(files).map(([name, { total, passed, deviations, later, laterBecause, failed }]) => {
    const byRule = Object.entries(deviations).map(([rule, count]) => `${rule} ${count}`)
    return {
      name,
      cells: [
        `${passed}/${total} passed`,
        ...(later > 0 ? [`${later} later${Object.keys(laterBecause).length > 0 ? ` (${Object.keys(laterBecause).join('; ')})` : ''}`] : []),
        ...(failed.length > 0 ? [`${failed.length} FAILED`] : []),
        ...byRule,
      ],
    }
  })
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const lines = rows.map(({ name, cells }) => `${name.padEnd(width)}  ${cells.join(', ')}`)
  const rules = new Map<string, number>()
  for (const { deviations } of Object.values(files))
    for (const [rule, count] of Object.entries(deviations)) rules.set(rule, (rules.get(rule) ?? 0) + count)
  if (rules.size > 0)
    lines.push(
      '',
      'deviations by rule (docs/fidelity.md):',
      ...[...rules].sort((a, b) => b[1] - a[1]).map(([rule, count]) => `  ${String(count).padStart(5)}  ${rule}`),
    )
  if (unknown.length > 0) lines.push('', `not known to the runner yet: ${unknown.join(', ')}`)
  return lines.join('\n')
}

export function hasFailures({ files }: Report): boolean {
  return Object.values(files).some(({ failed }) => failed.length > 0)
}
