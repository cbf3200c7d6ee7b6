import { kindOf } from '../../config/check.ts'
import { PromptError } from '../../prompt-error.ts'
import { dictEntries, isDict } from '../../python/index.ts'

/** A config as JSON holds it: objects are plain objects. Floats that look like integers (`2.0`) stay what they are. */
export function plainConfig(value: unknown, where: string): Record<string, unknown> {
  if (!isDict(value))
    throw new PromptError('wrong-type', { where, problem: `expected an object, found ${kindOf(value)}`, fix: 'write { … }' })
  return plainValue(value) as Record<string, unknown>
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue)
  return isDict(value) ? Object.fromEntries(dictEntries(value).map(([key, entry]) => [key, plainValue(entry)])) : value
}
