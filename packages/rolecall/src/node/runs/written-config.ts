import { createHash } from 'node:crypto'
import { withoutSecrets } from '@rolecall/core/internal/errors'
import { isDict, isList, PyFloat, type PyValue } from '@rolecall/core/internal/python'
import type { CheckedConfig } from '../../evaluation/config/check-config.ts'

/**
 * A config as stored beside results: functions, which a TypeScript config may contain, by name and hash of their source; secrets are
 * removed.
 */
export function writtenConfig({ warnings: _, unused: __, ...config }: CheckedConfig): PyValue {
  return written(withoutSecrets(config), '')
}

/** Whether a written config is complete (contains no functions), so that it can be run. */
export function isComplete(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if ('$function' in value) return false
  return Object.values(value).every(isComplete)
}

function written(value: unknown, key: string): PyValue {
  if (typeof value === 'function') {
    return { $function: value.name || key, sha256: createHash('sha256').update(value.toString()).digest('hex') }
  }
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
