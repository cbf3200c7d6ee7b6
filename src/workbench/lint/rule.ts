import type { Severity, Shown } from './finding.ts'
import type { TemplateSubject } from './template-subject.ts'

/** What every rule says of itself: the docs are printed from it. */
export type RuleText = {
  id: string
  severity: Severity
  /** What it finds, as a sentence. */
  finds: string
  /** What goes wrong because of it. */
  why: string
  /** What to do, unless a finding says it better. */
  fix: string
}

/** Start and end of some code in the source of a template. */
export type Span = { start: number; end: number }

/** One thing that a rule found. */
export type Found = {
  /** The code that does it; by default the loop over the messages. */
  at?: Span | undefined
  problem: string
  fix?: string
  severity?: Severity
  shown?: Shown
}

/** A rule about chat templates. It examines what the template writes, not how its code looks. */
export type TemplateRule = RuleText & {
  /** A template in which it finds something, and one in which it does not. */
  example: { bad: string; good: string; tokens?: Readonly<Record<string, string>>; addsBos?: boolean; specials?: readonly string[] }
  check(subject: TemplateSubject): readonly Found[]
}
