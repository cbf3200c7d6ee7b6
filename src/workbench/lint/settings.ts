import { suggestName } from '../../base/errors/nearest.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Finding, Severity } from './finding.ts'

/** Which rules are asked, and how bad what they find is. */
export type LintSettings = {
  /** Only these rules. */
  only?: readonly string[]
  /** By the id of a rule: another severity, or `off`. */
  rules?: Readonly<Record<string, Severity | 'off'>>
}

/** What was found, and what was found and is not to be told. */
export type Linted = { findings: Finding[]; ignored: Finding[] }

/** Whether a rule is asked at all. What is switched off is still looked for, so that it can be counted. */
export function isAsked(id: string, { only }: LintSettings): boolean {
  return only === undefined || only.includes(id)
}

/** Leaves out what is switched off or ignored, and gives the rest the severity that was asked for. */
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

/** Refuses names that no rule has. */
export function checkRuleNames(names: readonly string[], known: readonly string[], where: string): void {
  for (const name of names) {
    if (known.includes(name)) continue
    throw new PromptError('unknown-rule', { where, problem: `there is no rule "${name}"`, fix: suggestName(name, known) })
  }
}
