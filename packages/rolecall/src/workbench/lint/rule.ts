import type { Span } from '@rolecall/core/internal/jinja'
import type { Finding, Place, Severity, ShownPrompt, Whose } from './finding.ts'
import type { TemplateSubject } from './template-subject.ts'

/** The description of a rule; the docs are generated from it. */
export type RuleText = {
  id: string
  severity: Severity
  /** What it finds, as a sentence. */
  finds: string
  /** Why that is a problem. */
  why: string
  /** The default fix; findings may have a more specific one. */
  fix: string
}

/** A match of a rule. */
export type RuleMatch = {
  /** The responsible code; by default the loop over the messages. */
  at?: Span | undefined
  problem: string
  fix?: string
  severity?: Severity
  shown?: ShownPrompt
}

/** A rule about chat templates. It checks the rendered text, not the code style. */
export type TemplateRule = RuleText & {
  /** A template with a finding, and one without. */
  example: { bad: string; good: string; tokens?: Readonly<Record<string, string>>; addsBos?: boolean; specials?: readonly string[] }
  check(subject: TemplateSubject): readonly RuleMatch[]
}

/** Completes a match to a finding. */
export function findingOf(
  rule: RuleText,
  { problem, fix, severity, shown }: Pick<RuleMatch, 'problem' | 'fix' | 'severity' | 'shown'>,
  where: Whose,
  place: Place,
): Finding {
  return {
    rule: rule.id,
    severity: severity ?? rule.severity,
    ...where,
    place,
    problem,
    fix: fix ?? rule.fix,
    ...(shown ? { shown } : {}),
  }
}
