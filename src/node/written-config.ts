import { createHash } from 'node:crypto'
import type { CheckedConfig } from '../config/check-config.ts'
import { isDict, isList, PyFloat, type PyValue } from '../python/index.ts'

/** Keys of a config that are nobody else's business. */
const secretKeys = /^(keys?|(x-)?api[-_]?key|(access[-_])?token|authorization|password|cookie)$/i

/**
 * A config as it is written beside results: functions, which a TypeScript config may have, by their name and a hash of
 * their text; secrets not at all.
 */
export function writtenConfig({ warnings: _, unused: __, ...config }: CheckedConfig): PyValue {
  return written(config, '')
}

/** Whether a written config has all that was in the config, so that it can be run from. */
export function isComplete(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if ('$function' in value) return false
  return Object.values(value).every(isComplete)
}

function written(value: unknown, key: string): PyValue {
  if (typeof value === 'function') {
    return { $function: value.name || key, sha256: createHash('sha256').update(value.toString()).digest('hex') }
  }
  // "$NAME" and ENV name the environment's variable, and are no secret.
  if (secretKeys.test(key) && typeof value === 'string' && !/^(\$|ENV$)/.test(value)) return { $secret: key }
  if (Array.isArray(value)) return value.map((one) => written(one, ''))
  if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, written(one, String(name))]))
  if (typeof value !== 'object' || value === null || value instanceof PyFloat) return value as PyValue
  if (!isDict(value as PyValue) && !isList(value as PyValue)) return String(value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, written(one, name)]),
  )
}

/** A written config to run from: what was secret is read from the environment again. */
export function withoutSecrets(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, withoutSecrets(one)]))
  if (typeof value !== 'object' || value === null || !isDict(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => !(typeof one === 'object' && one !== null && '$secret' in one))
      .map(([key, one]) => [key, withoutSecrets(one)]),
  )
}
