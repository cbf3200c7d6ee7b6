import { dictEntries, isDict, isList, type PyValue } from '../../packages/core/src/base/python/index.ts'
import { PromptError } from '../../packages/rolecall/src/index.ts'
import type { Outcome } from './outcome.ts'

/** How `--mangle` distorts our results, to measure what the judge notices. */
const distortions = {
  /** The longest text loses its second half; without texts, the longest list or object its last entry. */
  truncate: (value: unknown) => atLongest(value, (text) => text.slice(0, Math.floor(text.length / 2))) ?? withoutLast(value),
  empty: (value: unknown) => emptied(value),
  'swap roles': (value: unknown) => changed(value, mapTexts(value, swapRoles)),
  'drop a separator': (value: unknown) => atLongest(value, withoutSeparator),
  'lose the system text': (value: unknown, vector: PyValue) => changed(value, withoutSystem(value, systemTexts(vector))),
  'change a number': (value: unknown) => changed(value, withOtherNumber(value)),
  refuse: () => new PromptError('mangled', { where: 'the result', problem: 'it was distorted', fix: 'none' }),
} as const satisfies Record<string, (value: unknown, vector: PyValue) => unknown>

export type MangleKind = keyof typeof distortions | 'accept'

export const mangleKinds: readonly MangleKind[] = [...(Object.keys(distortions) as (keyof typeof distortions)[]), 'accept']

/** Every distortion that changes one of a vector's results; the other results stay. */
export function* manglings(ours: readonly Outcome[], vector: PyValue): Generator<{ kind: MangleKind; ours: readonly Outcome[] }> {
  for (const [index, outcome] of ours.entries()) {
    if ('error' in outcome) {
      yield { kind: 'accept', ours: ours.with(index, { value: '' }) }
      continue
    }
    for (const [kind, distort] of Object.entries(distortions) as [
      keyof typeof distortions,
      (value: unknown, vector: PyValue) => unknown,
    ][]) {
      const value = distort(outcome.value, vector)
      if (value === undefined) continue
      yield { kind, ours: ours.with(index, value instanceof PromptError ? { error: value } : { value }) }
    }
  }
}

type Dict = Record<string, unknown>

function isObject(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

/** The value with its longest text changed; undefined if there is none, or it stays the same. */
function atLongest(value: unknown, change: (text: string) => string): unknown {
  const longest = textsIn(value).reduce((one, other) => (other.length > one.length ? other : one), '')
  const other = change(longest)
  if (other === longest) return undefined
  let isDone = false
  return mapTexts(value, (text) => {
    if (isDone || text !== longest) return text
    isDone = true
    return other
  })
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)])) : value
}

function changed(before: unknown, after: unknown): unknown {
  return JSON.stringify(before, asText) === JSON.stringify(after, asText) ? undefined : after
}

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function withoutLast(value: unknown): unknown {
  if (!isObject(value)) return undefined
  const inner = Object.entries(value).reduce<[string, unknown] | undefined>(
    (longest, entry) => (sizeOf(entry[1]) > (longest ? sizeOf(longest[1]) : 0) ? entry : longest),
    undefined,
  )
  if (inner) {
    const shorter = withoutLast(inner[1])
    if (shorter === undefined) return undefined
    return Array.isArray(value) ? value.with(Number(inner[0]), shorter) : { ...value, [inner[0]]: shorter }
  }
  if (sizeOf(value) === 0) return undefined
  return Array.isArray(value) ? value.slice(0, -1) : Object.fromEntries(Object.entries(value).slice(0, -1))
}

function sizeOf(value: unknown): number {
  return isObject(value) ? Object.keys(value).length : 0
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? undefined : ''
  if (Array.isArray(value)) return value.length === 0 ? undefined : []
  if (isObject(value)) return changed(value, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, emptied(item) ?? item])))
  return typeof value === 'number' && value !== 0 ? 0 : undefined
}

const pairs = [
  ['user', 'assistant'],
  ['HUMAN', 'BOT'],
  ['Human', 'Bot'],
  ['USER', 'ASSISTANT'],
] as const

function swapRoles(text: string): string {
  return pairs.reduce((swapped, [one, other]) => {
    const names: Record<string, string> = { [one]: other, [other]: one }
    return swapped.replace(new RegExp(`\\b(?:${one}|${other})\\b`, 'g'), (name) => names[name]!)
  }, text)
}

/** Without its first newline between words, else without its first space. */
function withoutSeparator(text: string): string {
  const other = text.replace(/(?<=\S)\n(?=\S)/, '')
  return other === text ? text.replace(/(?<=\S) (?=\S)/, '') : other
}

/** What a vector's input says as the system: messages and turns of that role, and settings of that name. */
function systemTexts(vector: PyValue): string[] {
  if (isList(vector)) return vector.flatMap(systemTexts)
  if (!isDict(vector)) return []
  const entries = dictEntries(vector).filter(([key]) => key !== 'expected')
  const isSystem = entries.some(([key, value]) => key === 'role' && /^system$/i.test(String(value)))
  return entries.flatMap(([key, value]) => {
    const says = isSystem
      ? /^(?:content|prompt)$/.test(key)
      : /^(?:system|system_message|override_system_message|meta_instruction)$/.test(key)
    return says && typeof value === 'string' ? [value] : systemTexts(value)
  })
}

function withoutSystem(value: unknown, texts: readonly string[]): unknown {
  const isSystem = (item: unknown) => isObject(item) && /^system$/i.test(String(item.role))
  const lost = (text: string) => texts.filter((one) => one.trim() !== '').reduce((left, one) => left.replace(one, ''), text)
  if (typeof value === 'string') return lost(value)
  if (Array.isArray(value)) return value.filter((item) => !isSystem(item)).map((item) => withoutSystem(item, texts))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSystem(item, texts)])) : value
}

function withOtherNumber(value: unknown): unknown {
  let isDone = false
  const change = (item: unknown): unknown => {
    if (isDone) return item
    if (typeof item === 'number') {
      isDone = true
      return item + 1
    }
    if (Array.isArray(item)) return item.map(change)
    return isObject(item) ? Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, change(inner)])) : item
  }
  return change(value)
}
