import { type Assertion, isFulfilled, isNegated, isRubric } from './assertions.ts'
import type { JavaScript, JavaScriptResult } from './call-javascript.ts'

/** What a row holds of its test. */
export type PromptfooTest = {
  assert: readonly Assertion[]
  threshold?: number | undefined
  /** What all assertions look at, made of the output. */
  transform?: JavaScript | undefined
  /** An output that is JSON is what it stands for. */
  isStructured?: boolean
}

/** What functions see beside the output. */
export type TestContext = { vars: Readonly<Record<string, unknown>>; prompt: string }

/** The result of an assertion. `reason` is what a failed one says. */
type Outcome = { type: string; passed: boolean; score: number; weight: number; reason?: string }

export type TestResult = { correct: boolean; score: number; outcomes: readonly Outcome[]; problem?: string }

/** A function to call; the generator goes on with what it came to. */
type Calls<Result> = Generator<{ javascript: JavaScript; args: readonly unknown[] }, Result, JavaScriptResult>

/**
 * Evaluates a test: it passes if all assertions hold or, with a threshold, if their weighted mean reaches it. `verdicts` are the judge's, one
 * for each rubric.
 */
export function* evaluateTest(
  { assert, threshold, transform, isStructured }: PromptfooTest,
  output: string,
  verdicts: readonly (boolean | undefined)[],
  context: TestContext,
): Calls<TestResult> {
  const given = isStructured ? structured(output) : output
  const read = transform === undefined ? { value: given } : yield* transformed(transform, given, context)
  if ('problem' in read) return { correct: false, score: 0, outcomes: [], problem: `the transform failed: ${read.problem}` }
  const remaining = [...verdicts]
  const outcomes: Outcome[] = []
  for (const one of assert) {
    const outcome = yield* outcomeOf(one, read.value, remaining, context)
    if ('problem' in outcome) return { correct: false, score: 0, outcomes, problem: outcome.problem }
    outcomes.push(outcome)
  }
  return { ...summed(outcomes, threshold), outcomes }
}

function structured(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}

function summed(outcomes: readonly Outcome[], threshold: number | undefined): { correct: boolean; score: number } {
  const weights = outcomes.reduce((sum, { weight }) => sum + weight, 0)
  const reached = outcomes.reduce((sum, { weight, score }) => sum + score * weight, 0)
  const score = outcomes.length === 0 ? 1 : weights === 0 ? 0 : reached / weights
  return { score, correct: threshold === undefined || outcomes.length === 0 ? outcomes.every(({ passed }) => passed) : score >= threshold }
}

function* outcomeOf(
  assertion: Assertion,
  given: unknown,
  verdicts: (boolean | undefined)[],
  context: TestContext,
): Calls<Outcome | { problem: string }> {
  const { type, weight = 1, transform, assert, threshold } = assertion
  const read = transform === undefined ? { value: given } : yield* transformed(transform, given, context)
  if ('problem' in read) return { problem: `the transform of ${type} failed: ${read.problem}` }
  if (assert) {
    const members: Outcome[] = []
    for (const member of assert) {
      const outcome = yield* outcomeOf(member, read.value, verdicts, context)
      if ('problem' in outcome) return outcome
      members.push(outcome)
    }
    const { correct, score } = summed(members, threshold)
    const failed = members.filter(({ passed }) => !passed).map(({ type: name, reason }) => reason ?? name)
    return settled({ type, weight, passed: correct, score, ...(correct ? {} : { reason: `assert-set: ${failed.join('; ')}` }) })
  }
  if (assertion.javascript) {
    const value = type.endsWith('regex') ? textOf(read.value) : read.value
    const config = assertion.config === undefined ? {} : { config: assertion.config }
    const called = yield { javascript: assertion.javascript, args: [value, { ...context, test: { vars: context.vars }, ...config }] }
    return settled({ type, weight, ...verdictOf(called, assertion) })
  }
  if (isRubric(assertion)) {
    const passed = (verdicts.shift() === true) !== isNegated(type)
    return settled({ type, weight, passed, score: Number(passed), ...(passed ? {} : { reason: wordsOf(assertion) }) })
  }
  const passed = isFulfilled(assertion, textOf(read.value))
  return settled({ type, weight, passed, score: Number(passed), ...(passed ? {} : { reason: wordsOf(assertion) }) })
}

/** An assertion of weight 0 is only reported. */
function settled(outcome: Outcome): Outcome {
  return outcome.weight === 0 ? { ...outcome, passed: true } : outcome
}

function* transformed(transform: JavaScript, output: unknown, context: TestContext): Calls<{ value: unknown } | { problem: string }> {
  const called = yield { javascript: transform, args: [output, context] }
  if ('problem' in called) return called
  return called.value === null ? { problem: 'it returned nothing' } : called
}

/** What a function said of an output: true or false, a score, or both with a reason. */
function verdictOf(called: JavaScriptResult, assertion: Assertion): Pick<Outcome, 'passed' | 'score' | 'reason'> {
  const inverse = isNegated(assertion.type)
  const failed = (reason: string) => ({ passed: false, score: 0, reason: `${assertion.type} ${reason}` })
  if ('problem' in called) return failed(`failed: ${called.problem}`)
  const { value } = called
  if (typeof value === 'boolean') return verdict(value !== inverse, Number(value !== inverse))
  if (typeof value === 'number')
    return verdict((assertion.threshold === undefined ? value > 0 : value >= assertion.threshold) !== inverse, value)
  const { pass, score, reason } = (value ?? {}) as { pass?: unknown; score?: unknown; reason?: unknown }
  if (typeof pass !== 'boolean' || typeof score !== 'number' || typeof reason !== 'string')
    return failed('returned neither true, false, a number nor { pass, score, reason }')
  return { ...verdict(pass !== inverse, score), ...(pass === inverse ? { reason } : {}) }

  function verdict(passed: boolean, points: number): Pick<Outcome, 'passed' | 'score' | 'reason'> {
    return { passed, score: points, ...(passed ? {} : { reason: wordsOf(assertion) }) }
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function wordsOf({ type, value }: Assertion): string {
  return `${type}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`
}
