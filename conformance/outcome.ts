import { PromptError } from '../src/index.ts'

/** A vector's outcome: a JSON value or a Rolecall error. Any other exception is a defect and is rethrown. */
export type Outcome = { value: unknown } | { error: PromptError }

export function outcomeOf(produce: () => unknown): Outcome {
  try {
    return { value: produce() }
  } catch (error) {
    if (error instanceof PromptError) return { error }
    throw error
  }
}

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue((a as Dict)[key], (b as Dict)[key]))
  )
}

type Dict = Record<string, unknown>
