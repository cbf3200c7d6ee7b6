import type { MutableDict } from '../../../base/python/interpreter/containers.ts'
import { isListValue, type Value } from '../../../base/python/values/value.ts'
import { isVariable } from './server-models.ts'

const secretNames = new Set(['key', 'api_key', 'openai_key', 'secretkey', 'secret_key', 'access_key'])

/**
 * Whether a dict entry is a server's API key. Configs are displayed, recorded and shared, so they must not contain keys;
 * names of environment variables stay.
 */
export function isSecret(dict: MutableDict, name: string, value: Value): boolean {
  if (!secretNames.has(name)) return false
  return (dict.has('type') || dict.has('path') || dict.has('model')) && holdsKey(value)
}

function holdsKey(value: Value): boolean {
  if (isListValue(value)) return value.some(holdsKey)
  return typeof value === 'string' && value !== '' && !isVariable(value)
}
