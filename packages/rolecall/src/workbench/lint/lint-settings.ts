import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import type { Finding, Severity } from './finding.ts'

/** Which rules run, and with which severity. */
export type LintSettings = {
  /** Only these rules. */
  only?: readonly string[]
  /** By rule id: another severity, or `off`. */
  rules?: Readonly<Record<string, Severity | 'off'>>
}

/** Reported and ignored findings. */
export type Linted = { findings: Finding[]; ignored: Finding[] }

/** Whether a rule runs. Rules that are `off` run too, so that ignored findings can be counted. */
export function isSelected(id: string, { only }: LintSettings): boolean {
  return only === undefined || only.includes(id)
}

/** Separates ignored findings and applies configured severities. */
export function settle(findings: readonly Finding[], { rules = {} }: LintSettings, ignores: ReadonlySet<string> = new Set()): Linted {
  const isIgnored = ({ rule }: Finding) => rules[rule] === 'off' || ignores.has(rule)
  return {
    findings: findings
      .filter((finding) => !isIgnored(finding))
      .map((finding) => ({ ...finding, severity: severityOf(rules[finding.rule]) ?? finding.severity })),
    ignored: findings.filter(isIgnored),
  }
}

function severityOf(setting: Severity | 'off' | undefined): Severity | undefined {
  return setting === 'off' ? undefined : setting
}

/** Throws on unknown rule names. */
export function checkRuleNames(names: readonly string[], known: readonly string[], where: string): void {
  for (const name of names) {
    if (known.includes(name)) continue
    throw new PromptError('unknown-rule', { where, problem: `there is no rule "${name}"`, fix: suggestName(name, known) })
  }
}
