import { suggestName } from './nearest.ts'
import { PromptError } from './prompt-error.ts'

/** What the value of an option must be. */
export type KeyCheck = { kind: string; holds: (value: unknown) => boolean }

/** A check for every option of a type. */
export type ChecksOf<Options> = { readonly [Key in keyof Required<Options>]: KeyCheck }

export const isString: KeyCheck = { kind: 'a string', holds: (value) => typeof value === 'string' }
export const isBoolean: KeyCheck = { kind: 'true or false', holds: (value) => typeof value === 'boolean' }
export const isFunction: KeyCheck = { kind: 'a function', holds: (value) => typeof value === 'function' }
export const isList: KeyCheck = { kind: 'a list', holds: Array.isArray }
export const isObject: KeyCheck = { kind: 'an object', holds: (value) => typeof value === 'object' && value !== null }
/** Its value is checked elsewhere, or by its type alone. */
export const isAnything: KeyCheck = { kind: 'a value', holds: () => true }
export const isNumber: KeyCheck = { kind: 'a number', holds: (value) => typeof value === 'number' && Number.isFinite(value) }

/**
 * Checks the options of a public function: their names and their types; absent ones may be undefined. Schemas (`check`) say more, but are a
 * tenth of what a page loads for replies or templates.
 */
export function checkOptionsOf(options: object, checks: Readonly<Record<string, KeyCheck>>, where: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new PromptError('wrong-type', { where, problem: `expected an object, found ${kindOf(options)}`, fix: 'write an object' })
  for (const key in options) {
    const place = `${where} › ${key}`
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined
    if (check === undefined)
      throw new PromptError('unknown-key', {
        where: place,
        problem: `"${key}" is not known here`,
        fix: suggestName(key, Object.keys(checks)),
      })
    const value = (options as Readonly<Record<string, unknown>>)[key]
    if (value !== undefined && !check.holds(value))
      throw new PromptError('wrong-type', {
        where: place,
        problem: `expected ${check.kind}, found ${kindOf(value)}`,
        fix: `give ${check.kind}`,
      })
  }
}

/** A description of a value for error messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`
  return `the ${typeof value} ${String(value)}`
}
