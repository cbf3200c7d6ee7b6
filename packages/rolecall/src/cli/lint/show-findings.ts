import type { Finding, Place, Severity, ShownPrompt } from '../../workbench/lint/finding.ts'
import type { RuleText } from '../../workbench/lint/rule.ts'
import { countText } from '../screen/amounts.ts'
import type { NextStep, ScreenBlock, ScreenRow, Tone } from '../screen/blocks.ts'

const order: readonly Severity[] = ['error', 'warning', 'note']
const tones: Readonly<Record<Severity, Tone>> = { error: 'bad', warning: 'attention', note: 'quiet' }

/** Characters of context around a finding. */
const contextLength = 60
/** Findings that are shown with their fix; the others get a line each. */
const mostFixes = 3

/**
 * Findings by what was checked, most severe first: the worst with their fix, a line for each of the others. `full`: all with fixes and prompts.
 */
export function findingsScreen(
  findings: readonly Finding[],
  ignored: readonly Finding[],
  { full, checked }: { full: boolean; checked: string },
): ScreenBlock[] {
  const [unchecked, found] = [findings.filter(isUnchecked), findings.filter((finding) => !isUnchecked(finding))]
  const subjects = bySubject(found)
  const blocks = [...subjects].flatMap(([subject, group]): ScreenBlock[] => {
    const sorted = group.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
    const head: ScreenBlock = { kind: 'parts', parts: [subject, counts(group)], tone: 'strong' }
    if (full) return [head, ...sorted.map(wholeFinding)]
    const fixed = sorted.filter(({ severity }) => severity !== 'note').slice(0, mostFixes)
    const rest = sorted.slice(fixed.length)
    const evidence = ({ shown }: Finding) =>
      shown ? [{ kind: 'indented' as const, by: 2, blocks: [label('e.g.', [promptLine(shown)])] }] : []
    return [
      head,
      ...fixed.map((finding): ScreenBlock => ({ kind: 'group', blocks: [...withFix(finding), ...evidence(finding)] })),
      ...(rest.length > 0 ? [listed(rest)] : []),
    ]
  })
  const ending = [
    ...(ignored.length > 0 ? [label('ignored', [`${ignored.length}: ${[...new Set(ignored.map(({ rule }) => rule))].join(', ')}`])] : []),
    ...(unchecked.length > 0 ? [label('not checked', uncheckedTexts(unchecked))] : []),
  ]
  return [
    ...(found.length === 0 ? [{ kind: 'parts' as const, parts: [checked, 'nothing found'], tone: 'good' as const }] : blocks),
    ...(ending.length > 0 ? [{ kind: 'group' as const, blocks: ending }] : []),
  ]
}

/** Evidence and fix of the worst finding. */
export function nextAfterLint(findings: readonly Finding[], what: readonly string[], command: string): NextStep[] {
  const [worst] = findings
    .filter((finding) => !isUnchecked(finding))
    .toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
  if (!worst) return []
  return [{ command: [command, 'lint', ...what.slice(0, 1), '--rule', worst.rule, '--full'].join(' '), shows: 'evidence and fix' }]
}

function isUnchecked({ rule }: Finding): boolean {
  return rule === 'not-checked'
}

function uncheckedTexts(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map(({ problem }) => problem))]
}

function bySubject(findings: readonly Finding[]): Map<string, Finding[]> {
  const subjects = new Map<string, Finding[]>()
  for (const finding of findings) {
    const subject = finding.part === undefined ? finding.subject : `${finding.subject} › ${finding.part}`
    subjects.set(subject, [...(subjects.get(subject) ?? []), finding])
  }
  return subjects
}

function counts(findings: readonly Finding[]): string {
  return order
    .flatMap((severity) => {
      const count = findings.filter((finding) => finding.severity === severity).length
      return count === 0 ? [] : [countText(count, severity)]
    })
    .join(', ')
}

function label(text: string, texts: readonly string[]): ScreenBlock {
  return { kind: 'label', label: text, tone: 'quiet', texts }
}

function withFix({ rule, severity, place, problem, fix }: Finding): ScreenBlock[] {
  return [
    severityLabel(severity, [`${position(place)}  ${rule}`]),
    {
      kind: 'indented',
      by: 2,
      blocks: [
        { kind: 'prose', text: problem },
        { kind: 'label', label: '→', tone: 'quiet', texts: [fix], gap: 1 },
      ],
    },
  ]
}

function severityLabel(severity: Severity, texts: readonly string[]): ScreenBlock {
  return { kind: 'label', label: severity, tone: tones[severity], texts }
}

/** A finding with the code it is about and the prompt that shows it. */
function wholeFinding(finding: Finding): ScreenBlock {
  const { place, shown } = finding
  const code = place.kind === 'config' ? '' : place.code.replaceAll(/\s+/g, ' ')
  const evidence = [...(code === '' ? [] : [label('code', [code])]), ...(shown ? [label(shown.of, [inLine(shown.text)])] : [])]
  return { kind: 'group', blocks: [...withFix(finding), { kind: 'indented', by: 2, blocks: evidence }] }
}

/** A line for each finding: the first of a severity names it. */
function listed(findings: readonly Finding[]): ScreenBlock {
  const rows = findings.map(
    ({ severity, place, rule, problem }, index): ScreenRow => ({
      cells: [
        { text: findings[index - 1]?.severity === severity ? '' : severity, tone: tones[severity] },
        { text: position(place), tone: 'quiet' },
        { text: rule },
        { text: problem },
      ],
    }),
  )
  return { kind: 'grid', columns: [{}, { mayShorten: true }, {}, { mayCut: true }], rows }
}

function position(place: Place): string {
  return place.kind === 'config' ? place.path : `${place.line}:${place.column}`
}

/** The prompt in one line around the finding, which is between ⟨ and ⟩. */
function promptLine({ text, mark }: ShownPrompt): string {
  const [start, end] = mark ?? [text.length, text.length]
  const [from, to] = [Math.max(0, start - contextLength), Math.min(text.length, end + contextLength)]
  const before = `${from > 0 ? '…' : ''}${inLine(text.slice(from, start))}`
  const after = `${inLine(text.slice(end, to))}${to < text.length ? '…' : ''}`
  return mark ? `${before}⟨${inLine(text.slice(start, end))}⟩${after}` : before
}

function inLine(text: string): string {
  return text.replaceAll('\n', '⏎')
}

/** The rules. */
export function rulesScreen(rules: readonly RuleText[]): ScreenBlock[] {
  const rows = rules.map(
    ({ id, severity, finds }): ScreenRow => ({
      cells: [{ text: id, tone: 'strong' }, { text: severity, tone: tones[severity] }, { text: finds }],
    }),
  )
  return [{ kind: 'grid', columns: [{}, {}, { mayCut: true }], rows }]
}
