import { limits } from '../errors/limits.ts'
import { limitError } from './python-error.ts'

/** What a template may use before it is stopped. */
export type Limits = {
  /** Loop turns, calls and items that filters look at; long texts count more. */
  steps: number
  /** Characters of output, and of any single value. */
  output: number
  /** Macros and recursive loops inside one another. */
  depth: number
}

export const defaultLimits: Limits = {
  steps: limits.templateSteps.value,
  output: limits.templateOutput.value,
  depth: limits.templateDepth.value,
}

/** No text, list or number grows beyond this, whatever the limits of a render are. */
const maxLength = 1 << 24
const maxItems = 1 << 21
const maxBits = 1 << 20

export function checkLength(length: number): void {
  if (length > maxLength) throw limitError(`a text of more than ${maxLength.toLocaleString('en-US')} characters`)
}

export function checkItems(count: number): void {
  if (count > maxItems) throw limitError(`a list of more than ${maxItems.toLocaleString('en-US')} items`)
}

export function checkBits(bits: number): void {
  if (bits > maxBits) throw limitError(`a number of more than ${maxBits.toLocaleString('en-US')} bits`)
}
