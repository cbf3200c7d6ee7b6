import { dictEntries, isDict, isList, PyFloat, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { entriesOf } from '../../../packages/core/src/base/python/values/dict.ts'
import { str } from '../../../packages/core/src/base/python/values/repr.ts'
import { plainText } from '../../../packages/core/src/base/python/values/text.ts'
import { isDictValue, Tuple, type Value } from '../../../packages/core/src/base/python/values/value.ts'
import { FunctionMark } from '../../../packages/rolecall/src/compat/lm-eval/yaml/function-mark.ts'

/** The first difference from the expected value, or undefined: texts and booleans are compared exactly, numbers to 1e-9, keys as text in any order. */
export function difference(ours: unknown, expected: PyValue | undefined, at = ''): string | undefined {
  const number = numberOf(expected)
  if (number !== undefined) {
    const own = numberOf(ours)
    if (own !== undefined && (Object.is(own, number) || own === number || Math.abs(own - number) <= 1e-9 * Math.max(1, Math.abs(number))))
      return undefined
    return `${at}: ours ${show(ours)}, expected ${number}`
  }
  const list = ours instanceof Tuple ? ours.items : ours
  if (isList(expected)) {
    if (!Array.isArray(list) || list.length !== expected.length) return `${at}: ours ${show(ours)}, expected ${show(expected)}`
    return first(expected.map((item, index) => () => difference(list[index], item, `${at}[${index}]`)))
  }
  if (ours instanceof FunctionMark) return difference({ $function: ours.path }, expected, at)
  if (isDict(expected)) {
    if (!isDictValue(ours)) return `${at}: ours ${show(ours)}, expected ${show(expected)}`
    const own = new Map(entriesOf(ours).map(([key, value]) => [plainText(str(key)), value] as const))
    const wanted = dictEntries(expected)
    const more = [...own.keys()].find((key) => !wanted.some(([name]) => name === key))
    if (more !== undefined) return `${at}.${more}: not expected`
    return first(
      wanted.map(
        ([key, value]) =>
          () =>
            own.has(key) ? difference(own.get(key), value, `${at}.${key}`) : `${at}.${key}: missing`,
      ),
    )
  }
  return ours === expected ? undefined : `${at}: ours ${show(ours)}, expected ${show(expected)}`
}

/** A result as plain JSON: dicts are objects with their keys as text, tuples lists, floats numbers. */
export function plainOf(value: unknown): unknown {
  if (value instanceof FunctionMark) return { $function: value.path }
  const number = numberOf(value)
  if (number !== undefined) return number
  const list = value instanceof Tuple ? value.items : value
  if (Array.isArray(list)) return list.map(plainOf)
  if (!isDictValue(value as Value)) return value
  return Object.fromEntries(entriesOf(value as never).map(([key, item]) => [plainText(str(key as Value)), plainOf(item)]))
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (value instanceof PyFloat) return value.value
  if (isDict(value)) {
    const [entry, ...others] = dictEntries(value)
    if (entry?.[0] === '$number' && others.length === 0)
      return Number(String(entry[1]).replace('inf', 'Infinity').replace('Infinityinity', 'Infinity'))
  }
  return undefined
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  try {
    return plainText(str(value as Value)).slice(0, 300)
  } catch {
    return String(value)
  }
}
