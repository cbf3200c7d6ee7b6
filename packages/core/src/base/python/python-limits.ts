import { limits } from '../errors/limits.ts'
import { limitError } from './python-error.ts'

/** The resources a template may use before it is stopped. */
export type Limits = {
  /** Loop turns, calls and items that filters look at; long texts count more. */
  steps: number
  /** Characters of output, and of any single value. */
  output: number
  /** Macros and recursive loops inside one another. */
  depth: number
}

export const defaultLimits: Limits = {
  steps: limits.templateSteps,
  output: limits.templateOutput,
  depth: limits.templateDepth,
}

/** Bounds on a single text, list or number, independent of the limits of a render. */
export const maxTextLength = 1 << 24

const maxItems = 1 << 21

const maxBits = 1 << 20

export function checkLength(length: number, limit = maxTextLength): void {
  if (length > limit) throw limitError(`a text of more than ${limit.toLocaleString('en-US')} characters`)
}

export function checkItems(count: number): void {
  if (count > maxItems) throw limitError(`a list of more than ${maxItems.toLocaleString('en-US')} items`)
}

export function checkBits(bits: number): void {
  if (bits > maxBits) throw limitError(`a number of more than ${maxBits.toLocaleString('en-US')} bits`)
}

/** Counts work: the render of a template, or the run of a program. */
export type StepCounter = { step(cost?: number): void }

/** Comparing and searching texts shorter than this is free. */
export const longText = 4096

let payer: StepCounter | undefined

/** Work since the last step, in fractions of a step: a step is 1,024 characters, or two visited values. */
let owed = 0

/**
 * Charges the work of `run` to a counter. Comparisons, `repr` and hashing visit values deep inside, where
 * no render is at hand, and a list that contains the same list many times is larger than it looks.
 */
export function metered<Result>(by: StepCounter, run: () => Result): Result {
  const [outerStepCounter, outerOwed] = [payer, owed]
  payer = by
  owed = 0
  try {
    return run()
  } finally {
    payer = outerStepCounter
    owed = outerOwed
  }
}

/** Counts visited values. */
export function touch(values = 1): void {
  owed += 512 * values
  if (owed >= 1024) pay()
}

/** Counts characters that are read or written. */
export function touchText(length: number): void {
  owed += length
  if (owed >= 1024) pay()
}

/** Counts characters that are processed one by one. */
export function touchCharacters(length: number): void {
  touchText(32 * length)
}

/** Counts a multiplication, division or power of big numbers, whose cost grows faster than their length. */
export function touchBits(bits: number): void {
  if (bits > 1024) payer?.step(Math.ceil((bits / 1024) ** 1.5))
}

function pay(): void {
  const steps = owed >> 10
  owed &= 1023
  payer?.step(steps)
}
