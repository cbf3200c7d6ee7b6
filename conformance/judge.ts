import { fidelityRules, type Quirk, type Quirks, quirksOf } from '../src/base/fidelity/fidelity.ts'
import { type Outcome, outcomeOf, sameValue } from './outcome.ts'

export type Verdict =
  | { kind: 'passed' }
  /** Differs from the reference by this rule, which was determined from the input. */
  | { kind: 'deviation'; rule: string }
  /** Belongs to a part of the project that does not exist yet. */
  | { kind: 'later'; why?: string }
  | { kind: 'failed'; why: string }

/** A vector in a common shape: the reference's result, how to compute ours, and the rules that apply to its input. */
export type Subject = {
  /** Undefined if the reference fails. */
  expected: { value: unknown } | undefined
  produce: (quirks: Quirks) => unknown
  /** Rules whose condition the input meets. */
  rules: readonly string[]
}

const compat = quirksOf('opencompass')
const byDefault = quirksOf(undefined)

/**
 * `compat` must reproduce the reference's result. So must the default, unless rules apply to the input; then
 * reproducing exactly the quirks of those rules must give the reference's result, which proves that nothing else differs.
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
