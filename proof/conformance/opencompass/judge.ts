import { type Quirk, type Quirks, quirksOf } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { agrees, type Outcome, outcomeOf, show } from '../outcome.ts'
import { type OpenCompassRuleName, opencompassRules } from '../rules/opencompass.ts'
import { givesSo } from '../rules.ts'
import type { Trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'
import { NotWritten } from './promised-words.ts'

/** A vector in a common shape: the reference's result, how to compute ours, and the rules that apply to its input. */
export type Subject = {
  /** Undefined if the reference fails. */
  expected: { value: unknown } | undefined
  produce: (quirks: Quirks) => unknown
  /** Rules whose condition the input meets. */
  rules: readonly OpenCompassRuleName[]
  /** What the documents promise, computed without the library; throws `NotWritten` if that is nothing. */
  promised: () => unknown
}

const byDefault = quirksOf(undefined)
const compat = quirksOf('opencompass')

export function examineSubject(subject: Subject): Trial {
  return {
    ours: [byDefault, compat].map((quirks) => outcomeOf(() => subject.produce(quirks))),
    judge: ([usual, ours]) =>
      subject.expected ? judgeResult(subject, subject.expected, ours!, usual!) : judgeFailure(subject, ours!, usual!),
  }
}

/**
 * `compat` must reproduce the reference's result. So must the default, unless rules apply to the input. Then reproducing exactly the quirks
 * of those rules must give the reference's result, which proves that nothing else differs, and the default must be what they promise.
 */
function judgeResult(subject: Subject, expected: { value: unknown }, ours: Outcome, usual: Outcome): Verdict {
  if (!agrees(ours, expected)) return failed(`compat gives ${show(ours)}, expected ${show(expected)}`)
  if (agrees(usual, expected)) return identical
  const quirks = subject.rules.filter(isQuirk)
  const withQuirks = (names: readonly Quirk[]) => outcomeOf(() => subject.produce(new Set(names)))
  const explained = agrees(withQuirks(quirks), expected)
  if (!explained) return failed(`by default ${show(usual)}, rules (${quirks.join(', ') || 'none'}) do not explain ${show(expected)}`)
  const needed = quirks.filter((name) => !agrees(withQuirks(quirks.filter((other) => other !== name)), expected))
  return judgeDefault(subject, usual, needed.length > 0 ? needed : quirks)
}

function judgeFailure(subject: Subject, ours: Outcome, usual: Outcome): Verdict {
  if ('error' in ours && 'error' in usual) return identical
  const quirks = subject.rules.filter(isQuirk)
  if ('error' in ours) {
    const failing = quirks.filter((name) => 'error' in outcomeOf(() => subject.produce(new Set([name]))))
    return judgeDefault(subject, usual, failing)
  }
  // Under compat a promise is kept with the quirks that apply.
  const isKept = [promisedValue(subject), resultOf(outcomeOf(() => subject.produce(new Set(quirks))))].some(
    (value) => value && agrees(ours, value),
  )
  if (!isKept) return failed(`the reference fails, compat gives ${show(ours)}, promised ${shownPromise(subject)}`)
  const promises = subject.rules.filter((rule) => !isQuirk(rule))
  return judgeDefault(subject, usual, 'error' in usual ? quirks : promises)
}

function resultOf(outcome: Outcome): { value: unknown } | undefined {
  return 'value' in outcome ? outcome : undefined
}

/** The default differs from the reference: it must be what one of these rules gives, and what the documents promise. */
function judgeDefault(subject: Subject, usual: Outcome, rules: readonly OpenCompassRuleName[]): Verdict {
  const rule = rules.find((name) => givesSo(name, usual))
  if (rule === undefined) return failed(`by default ${show(usual)}, which none of its rules (${rules.join(', ') || 'none'}) gives`)
  // A refusal is a promise by itself: its rule has tested the input, and names the error.
  if ('value' in usual && !agrees(usual, promisedValue(subject)))
    return failed(`by default ${show(usual)}, promised by ${rule}: ${shownPromise(subject)}`)
  return { kind: 'rule', rule }
}

function promisedValue({ promised }: Subject): { value: unknown } | undefined {
  try {
    return { value: promised() }
  } catch (error) {
    if (error instanceof NotWritten) return undefined
    throw error
  }
}

function shownPromise(subject: Subject): string {
  const promised = promisedValue(subject)
  return promised ? show(promised) : 'nothing'
}

function isQuirk(rule: OpenCompassRuleName): rule is Quirk {
  return opencompassRules[rule].kind === 'quirk'
}
