import { addEntry, dictEntries, dictGet, dictKeys, isDict, isList, type PyDict, type PyValue } from '../../base/python/index.ts'
import { ContentProblem } from './content.ts'
import { shown, templateError } from './response-template-error.ts'

const placeholder = /^\{([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]+(?:\.[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]+)*)\}$/u
const placeholderInside = /\{[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]+(?:\.[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]+)*\}/u

/** More levels than any message has. */
const mostDepth = 100

/** Texts of a transform are a placeholder, or contain none. */
export function checkTransform(transform: PyValue, where: string, depth = 0): void {
  if (depth > mostDepth)
    throw templateError(where.slice(0, 100), `is nested more than ${mostDepth} levels deep`, 'write a message, which is flatter')
  if (typeof transform === 'string') {
    if (placeholderInside.test(transform) && !placeholder.test(transform))
      throw templateError(where, `${shown(transform)} mixes a placeholder with other text`, 'use the placeholder alone, as "{content}"')
  } else if (isList(transform)) for (const [index, item] of transform.entries()) checkTransform(item, `${where}[${index}]`, depth + 1)
  else if (isDict(transform)) for (const [key, item] of dictEntries(transform)) checkTransform(item, `${where}.${key}`, depth + 1)
}

/** A transform with its placeholders filled. */
export function fillTransform(transform: PyValue, scope: ReadonlyMap<string, PyValue>): PyValue {
  if (typeof transform === 'string') {
    const path = placeholder.exec(transform)?.[1]
    return path === undefined ? transform : lookUp(path.split('.'), scope, transform)
  }
  if (isList(transform)) return transform.map((item) => fillTransform(item, scope))
  if (!isDict(transform)) return transform
  let dict: PyDict = {}
  for (const [key, item] of dictEntries(transform)) dict = addEntry(dict, key, fillTransform(item, scope))
  return dict
}

function lookUp([root, ...keys]: readonly string[], scope: ReadonlyMap<string, PyValue>, shownAs: string): PyValue {
  let value = scope.get(root!)
  if (value === undefined) throw new ContentProblem(`${shownAs} is not defined; there are ${[...scope.keys()].join(', ')}`)
  for (const key of keys) {
    if (!isDict(value)) throw new ContentProblem(`${shownAs} looks for "${key}" in something that is no object`)
    const next: PyValue | undefined = dictGet(value, key)
    if (next === undefined) throw new ContentProblem(`${shownAs} looks for "${key}", and there are ${dictKeys(value).join(', ')}`)
    value = next
  }
  return value
}

/** One value for each item of a list, whose keys are placeholders. */
export function fillEach(transform: PyValue, content: PyValue, captures: ReadonlyMap<string, PyValue>): PyValue {
  if (!isList(content)) throw new ContentProblem('it is no list of objects')
  return content.map((item) => {
    if (!isDict(item)) throw new ContentProblem('an item of the list is no object')
    return fillTransform(transform, new Map([...captures, ...dictEntries(item)]))
  })
}
