import type { Finding, Place, Severity, ShownPrompt } from '../../workbench/lint/finding.ts'
import type { RuleText } from '../../workbench/lint/rule.ts'
import { colors, printable } from '../terminal.ts'

const paints: Readonly<Record<Severity, (text: string) => string>> = { error: colors.red, warning: colors.yellow, note: colors.cyan }

/** Characters of context around a finding. */
const contextLength = 60

/** Findings for the terminal: by file, most severe first, with their prompts, and counts at the end. */
export function showFindings(findings: readonly Finding[], ignored: readonly Finding[], { full }: { full: boolean }): string {
  const order: readonly Severity[] = ['error', 'warning', 'note']
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const key = finding.part === undefined ? finding.subject : `${finding.subject} › ${finding.part}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  const shown = [...groups].map(([subject, group]) => {
    const sorted = group.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
    return [colors.bold(printable(subject)), ...sorted.map((finding) => showFinding(finding, full))].join('\n')
  })
  const counts = order.map((severity) => counted(findings.filter((one) => one.severity === severity).length, severity))
  const hidden = ignored.length === 0 ? '' : `, ${ignored.length} ignored (${[...new Set(ignored.map(({ rule }) => rule))].join(', ')})`
  return `${[...shown, `${counts.join(', ')}${hidden}`].join('\n\n')}\n`
}

function counted(count: number, severity: Severity): string {
  return `${count} ${severity}${count === 1 ? '' : 's'}`
}

function showFinding({ rule, severity, place, problem, fix, shown }: Finding, full: boolean): string {
  const lines = [
    `  ${paints[severity](severity)} ${colors.bold(rule)} ${colors.dim(showPlace(place))}`,
    `    ${printable(problem)}`,
    `    ${colors.dim('→')} ${printable(fix)}`,
  ]
  if (shown) lines.push(`    ${colors.dim(`${printable(shown.of)}:`)} ${showPrompt(shown, full)}`)
  return lines.join('\n')
}

function showPlace(place: Place): string {
  if (place.kind === 'config') return printable(place.path)
  const code = place.code.replaceAll(/\s+/g, ' ')
  return `${place.line}:${place.column}${code === '' ? '' : ` ${printable(code)}`}`
}

/** The prompt in one line, with the finding underlined. */
function showPrompt({ text, mark }: ShownPrompt, full: boolean): string {
  const inLine = (part: string) => printable(part.replaceAll('\n', '⏎'))
  const [start, end] = mark ?? [text.length, text.length]
  const [from, to] = full ? [0, text.length] : [Math.max(0, start - contextLength), Math.min(text.length, end + contextLength)]
  const before = `${from > 0 ? '…' : ''}${inLine(text.slice(from, start))}`
  const after = `${inLine(text.slice(end, to))}${to < text.length ? '…' : ''}`
  return `${before}${colors.underline(inLine(text.slice(start, end)))}${after}`
}

/** Lists the rules. */
export function showRules(rules: readonly RuleText[]): string {
  const width = Math.max(...rules.map(({ id }) => id.length))
  return rules.map(({ id, severity, finds }) => `${id.padEnd(width)}  ${paints[severity](severity.padEnd(7))}  ${finds}\n`).join('')
}
