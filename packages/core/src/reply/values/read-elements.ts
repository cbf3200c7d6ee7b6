import { dictFromEntries, type PyValue } from '../../base/python/index.ts'
import type { MarkPair } from '../syntax.ts'
import { itemSchema, propertySchema, typedValue, typesOf } from './typed-value.ts'

/**
 * Reads arguments that are written as elements, `<city>Lima</city>`: an element that holds others is an object, or a list if
 * they are its items. `marks` are what opening and closing tags begin with.
 */
export function readElements(
  text: string,
  marks: MarkPair,
  schema: PyValue | undefined,
): { entries: [string, PyValue][] } | { problem: string } {
  let at = 0
  const entries = readChildren(schema, 0)
  if (entries === undefined || text.slice(at).trim() !== '') return { problem: `expected an argument, found '${text.slice(at, at + 40)}'` }
  return { entries }

  /** The elements from here on; undefined if one of them does not close. */
  function readChildren(parent: PyValue | undefined, depth: number): [string, PyValue][] | undefined {
    const found: [string, PyValue][] = []
    for (;;) {
      const start = /\s*/y
      start.lastIndex = at
      start.test(text)
      const from = start.lastIndex
      if (!text.startsWith(marks.open, from) || text.startsWith(marks.close, from)) return found
      const end = text.indexOf('>', from + marks.open.length)
      if (end < 0 || depth > maxDepth) return undefined
      const key = text.slice(from + marks.open.length, end)
      at = end + 1
      const own = propertySchema(parent, key) ?? (key === 'item' ? itemSchema(parent) : undefined)
      const value = readValue(key, own, depth)
      if (value === undefined) return undefined
      found.push([key, value])
    }
  }

  function readValue(key: string, schema: PyValue | undefined, depth: number): PyValue | undefined {
    const closing = `${marks.close}${key}>`
    const next = text.indexOf(marks.open, at)
    const close = text.indexOf(closing, at)
    if (close < 0) return undefined
    const types = typesOf(schema)
    const isText = types?.size === 1 && types.has('string')
    if (next === close || next < 0 || isText) {
      const written = text.slice(at, close)
      at = close + closing.length
      if (written.trim() === '' && types?.has('array')) return []
      if (written.trim() === '' && types?.has('object')) return {}
      return typedValue(written, schema)
    }
    const children = readChildren(schema, depth + 1)
    if (children === undefined || !text.startsWith(closing, at + leadingSpace(text, at))) return undefined
    at += leadingSpace(text, at) + closing.length
    const isItems = children.length > 0 && children.every(([name]) => name === 'item') && !typesOf(schema)?.has('object')
    return isItems ? children.map(([, value]) => value) : dictFromEntries(children)
  }
}

function leadingSpace(text: string, at: number): number {
  let end = at
  while (end < text.length && /\s/.test(text[end]!)) end++
  return end - at
}

const maxDepth = 100
