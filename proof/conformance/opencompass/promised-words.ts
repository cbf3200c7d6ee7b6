import type { PyDict } from '../../../packages/core/src/base/python/index.ts'
import type { TurnJson } from './vector.ts'

/** Input that has no prompt: Rolecall must refuse it. */
export class NotWritten extends Error {}

/** Text and token ids. */
export type Words = readonly (string | readonly number[])[]
export type Message = { role: string; content: unknown; [key: string]: unknown }
export type Spoken = { role: string; fallback?: string; words?: string; begin?: Words; end?: Words; generate?: boolean; message?: Message }
export type Item = string | Spoken
export type Part = {
  kind: 'begin' | 'round' | 'end' | 'example' | 'chat'
  items: Item[]
  row: PyDict
  inside?: Part['kind']
  isOpen?: boolean
  /** The template has no round. */
  isAbsent?: boolean
}
export type Said = { text: string } | { parts: readonly Part[] }

/** `begin` or `end`: text, or a list of strings and token ids. */
export function wordsOf(affix: unknown): Words {
  if (affix === undefined) return []
  if (typeof affix === 'string') return affix === '' ? [] : [affix]
  if (Array.isArray(affix)) return affix.map((part) => (typeof part === 'number' ? [part] : String(part)))
  throw new NotWritten('neither text nor token ids')
}

export function flatText(words: Words): string {
  return words.map((one) => (typeof one === 'string' ? one : String(one))).join('')
}

/** Text, or a list of texts and ids if there are ids. */
export function joined(words: Words): unknown {
  const parts: (string | number[])[] = []
  for (const one of words) {
    const last = parts.at(-1)
    if (typeof one !== 'string') Array.isArray(last) ? last.push(...one) : parts.push([...one])
    else if (typeof last === 'string') parts[parts.length - 1] = last + one
    else if (one !== '') parts.push(one)
  }
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

export function listOf(part: unknown): (string | TurnJson)[] {
  return part === undefined ? [] : ([part].flat() as (string | TurnJson)[])
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
