import { createHash } from 'node:crypto'
import type { CheckedConfig } from '../../config/check-config.ts'
import { isDict, isList, PyFloat, type PyValue } from '../../python/index.ts'

/** Keys of a config that are nobody else's business. */
const secretKeys = /^(keys?|token|(.*[-_])?(api[-_]?key|(access|auth)[-_]?token|secret([-_]?key)?|authorization|password|cookie))$/i

/** Any header may carry a key: gateways have names of their own for it. */
const headersKey = /^(.*_)?headers$/i

/** Rows are data and no settings, whatever their columns are called. */
const rowsKey = /^(train_)?rows$/

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

type Part = 'settings' | 'headers' | 'rows'

function written(value: unknown, key: string, part: Part = 'settings'): PyValue {
  if (typeof value === 'function') {
    return { $function: value.name || key, sha256: createHash('sha256').update(value.toString()).digest('hex') }
  }
  if (typeof value === 'string' && part !== 'rows') return isSecret(value, key, part) ? { $secret: key } : withoutLogin(value)
  const inner = part !== 'settings' ? part : headersKey.test(key) ? 'headers' : rowsKey.test(key) ? 'rows' : 'settings'
  if (Array.isArray(value)) return value.map((one) => written(one, '', inner))
  if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, written(one, String(name), inner)]))
  if (typeof value !== 'object' || value === null || value instanceof PyFloat) return value as PyValue
  if (!isDict(value as PyValue) && !isList(value as PyValue)) return String(value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, written(one, name, inner)]),
  )
}

/** "$NAME" and ENV name the environment's variable, and are no secret. */
function isSecret(value: string, key: string, part: Part): boolean {
  return (part === 'headers' || secretKeys.test(key)) && !/^(\$[A-Za-z_]\w*|ENV)$/.test(value)
}

/** An address without the name and password that it may have. */
export function withoutLogin(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^\s/?#]*@(?=\S*$)/i, '$1')
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
