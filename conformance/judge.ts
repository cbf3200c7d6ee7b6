import { fidelityRules, type Quirk, type Quirks, quirksOf } from '../src/base/fidelity/fidelity.ts'
import { type Outcome, outcomeOf, sameValue } from './outcome.ts'

export type Verdict =
  | { kind: 'passed' }
  /** It differs from the reference by this rule, which was found by testing the input. */
  | { kind: 'deviation'; rule: string }
  /** Belongs to a part of the project that is not there yet. */
  | { kind: 'later'; why?: string }
  | { kind: 'failed'; why: string }

/** A vector brought into one shape: what the reference gives, how to get ours, and which rules its input falls under. */
export type Subject = {
  /** Undefined when the reference fails. */
  expected: { value: unknown } | undefined
  produce: (quirks: Quirks) => unknown
  /** Rules whose condition the input fulfils. */
  rules: readonly string[]
}

const compat = quirksOf('opencompass')
const byDefault = quirksOf(undefined)

/**
 * With `compat` the reference's result must come out. By default it must, too, unless the input falls under rules; then
 * reproducing just the quirks of those rules must give the reference's result, which shows that nothing else differs.
 */
export function judge(subject: Subject): Verdict {
  const ours = outcomeOf(() => subject.produce(compat))
  const usual = outcomeOf(() => subject.produce(byDefault))
  return subject.expected ? judgeResult(subject, subject.expected, ours, usual) : judgeFailure(subject, ours, usual)
}

function judgeResult(subject: Subject, expected: { value: unknown }, ours: Outcome, usual: Outcome): Verdict {
  if (!equals(ours, expected)) return { kind: 'failed', why: `compat gives ${show(ours)}, expected ${show(expected)}` }
  if (equals(usual, expected)) return { kind: 'passed' }
  const quirks = subject.rules.filter(isQuirk)
  const withQuirks = (names: readonly Quirk[]) => outcomeOf(() => subject.produce(new Set(names)))
  if (!equals(withQuirks(quirks), expected)) {
    return {
      kind: 'failed',
      why: `by default ${show(usual)}, which its rules (${quirks.join(', ') || 'none'}) do not explain; expected ${show(expected)}`,
    }
  }
  const rule = quirks.find((name) => !equals(withQuirks(quirks.filter((other) => other !== name)), expected))
  return { kind: 'deviation', rule: rule ?? quirks[0]! }
}

function judgeFailure(subject: Subject, ours: Outcome, usual: Outcome): Verdict {
  if ('error' in ours && 'error' in usual) return { kind: 'passed' }
  const promise = subject.rules.find((rule) => !isQuirk(rule))
  if ('value' in ours) {
    return promise
      ? { kind: 'deviation', rule: promise }
      : { kind: 'failed', why: `the reference fails, and no document promises ${show(ours)}` }
  }
  const quirk = subject.rules.filter(isQuirk).find((name) => 'error' in outcomeOf(() => subject.produce(new Set([name]))))
  return (quirk ?? promise)
    ? { kind: 'deviation', rule: (quirk ?? promise)! }
    : { kind: 'failed', why: `the reference and compat fail, by default ${show(usual)}` }
}

function isQuirk(rule: string): rule is Quirk {
  return (fidelityRules as Record<string, { kind: string }>)[rule]?.kind === 'quirk'
}

function equals(outcome: Outcome, expected: { value: unknown }): boolean {
  return 'value' in outcome && sameValue(outcome.value, expected.value)
}

function show(outcome: Outcome): string {
  return 'value' in outcome ? JSON.stringify(outcome.value) : `${outcome.error.code} (${outcome.error.message})`
}
