import { dictEntries, isDict, isList, type PyValue } from '../python/index.ts'
import type { Source } from '../text/index.ts'
import { Text } from './values/text.ts'
import { OriginDict, type Value } from './values/value.ts'

/** Where the strings of an input value come from. */
export type Origin = {
  source: Source
  /** Whether a string at this place may hold control tokens: the special tokens themselves, and roles that are known. */
  isControl?: (path: string, value: string) => boolean
}

/** The same value with strings that know where they come from, keys of dicts included. */
export function withOrigins(value: PyValue, origin: Origin): Value {
  return wrap(value, origin.source.path, origin)
}

function wrap(value: PyValue | undefined, path: string, origin: Origin): Value {
  if (typeof value === 'string') return wrapText(value, path, origin)
  if (typeof value !== 'object' || value === null) return value ?? null
  if (isList(value)) return value.map((item, index) => wrap(item, `${path}[${index}]`, origin))
  if (!isDict(value)) return value as Value
  const dict = new OriginDict()
  for (const [key, item] of dictEntries(value)) {
    const place = `${path}.${key}`
    dict.set(key, wrap(item, place, origin))
    dict.keyTexts.set(key, new Text(key, [{ text: key, control: false, source: { ...origin.source, path: place } }]))
  }
  return dict
}

function wrapText(text: string, path: string, { source, isControl }: Origin): Text {
  if (text === '') return new Text('', [])
  const control = isControl?.(path, text) ?? false
  return new Text(text, [{ text, control, source: { ...source, path, span: [0, text.length] } }])
}
