import type { RuleName } from './rules.ts'

export type Verdict =
  /** Equal to the reference's result, or both refuse the input. */
  | { kind: 'identical' }
  /** Differs from the reference by this rule, whose condition the input meets, and equals what the rule promises. */
  | { kind: 'rule'; rule: RuleName }
  /** There is no result of a reference to compare with: only properties of our own result were checked. */
  | { kind: 'consistent'; why: string }
  /** Needs something that Rolecall, or this machine, does not have. */
  | { kind: 'unsupported'; why: string }
  | { kind: 'failed'; why: string }

export const identical: Verdict = { kind: 'identical' }

export function failed(why: string): Verdict {
  return { kind: 'failed', why }
}

/** Identical if there is no difference to report. */
export function unless(difference: string | undefined): Verdict {
  return difference === undefined ? identical : failed(difference)
}
