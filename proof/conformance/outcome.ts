import { PromptError } from '../../packages/rolecall/src/index.ts'

/** A vector's outcome: a JSON value or a Rolecall error. Any other exception is a defect and is rethrown. */
export type Outcome = { value: unknown } | { error: PromptError }

export function outcomeOf(produce: () => unknown): Outcome {
  try {
    return { value: produce() }
  } catch (error) {
    return refusal(error)
  }
}

export async function outcomeLater(produce: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await produce() }
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error: unknown): Outcome {
  if (error instanceof PromptError) return { error }
  throw error
}

/** Whether an outcome is the reference's: an equal value, or an error where it has none. */
export function agrees(ours: Outcome, expected: { value: unknown } | undefined): boolean {
  return 'error' in ours ? expected === undefined : expected !== undefined && sameValue(ours.value, expected.value)
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

export function show(outcome: Outcome): string {
  if ('error' in outcome) return `${outcome.error.code} (${outcome.error.message})`
  return JSON.stringify(outcome.value, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? 'undefined'
}
