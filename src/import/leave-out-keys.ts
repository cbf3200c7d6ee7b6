import type { Note } from '../note.ts'
import { isVariable } from './server-models.ts'

/**
 * Takes keys out of an entry, wherever a model stands in it: a config is shown, recorded and passed on, and a key is none of its business.
 * Names of environment variables stay.
 */
export function leaveOutKeys(entry: unknown, where: string, notes: Note[]): void {
  if (Array.isArray(entry)) {
    for (const [index, item] of entry.entries()) leaveOutKeys(item, `${where}[${index}]`, notes)
    return
  }
  if (typeof entry !== 'object' || entry === null) return
  const record = entry as Record<string, unknown>
  for (const [name, value] of Object.entries(record)) {
    if (isModel(record) && ['key', 'api_key', 'secretkey'].includes(name) && holdsKey(value)) {
      delete record[name]
      notes.push({
        code: 'key',
        where: `${where}.${name}`,
        text: 'the key was left out: put it into an environment variable, OPENAI_API_KEY or the one that key_env names',
      })
    } else leaveOutKeys(value, `${where}.${name}`, notes)
  }
}

function isModel(record: Readonly<Record<string, unknown>>): boolean {
  return typeof record.type === 'string' || typeof record.path === 'string' || typeof record.model === 'string'
}

function holdsKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsKey)
  return typeof value === 'string' && value !== '' && !isVariable(value)
}
