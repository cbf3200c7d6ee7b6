import type { Found, RuleText } from './rule.ts'

/** How bad a finding is: `error`: prompts are wrong; `warning`: they probably are, or cost more than they must; `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** From the worst to the least. */
export const severities: readonly Severity[] = ['error', 'warning', 'note']

/** Where something is written down: in the source of a template, or in a config. */
export type Place =
  | {
      kind: 'template'
      /** From 1. */
      line: number
      /** From 1, in characters. */
      column: number
      /** The code that stands there. */
      code: string
    }
  | { kind: 'config'; path: string }

/** The prompt that shows a finding. */
export type Shown = {
  /** The conversation or row that it was made from, in words. */
  of: string
  text: string
  /** The part of the text that the finding is about, in UTF-16 offsets. */
  mark?: readonly [start: number, end: number]
}

/** What is wrong, where, how one sees it, and what to do. */
export type Finding = {
  /** The id of the rule. */
  rule: string
  severity: Severity
  /** The file that was examined. */
  subject: string
  /** The part of it: a template by its name, `models[0].chat_template`. Lines and columns are counted within it. */
  part?: string
  place: Place
  problem: string
  fix: string
  shown?: Shown
}

/** Whether a severity is at least as bad as another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least)
}

/** The file, and the part of it, that a finding is about. */
export type Whose = Pick<Finding, 'subject' | 'part'>

/** What a rule found, as it is told. */
export function findingOf(
  rule: RuleText,
  { problem, fix, severity, shown }: Pick<Found, 'problem' | 'fix' | 'severity' | 'shown'>,
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
