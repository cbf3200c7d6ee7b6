import { PromptError } from '@rolecall/core/internal/errors'
import type { EntryComments } from '@rolecall/core/internal/python'
import { ImportLimitError, isListValue, PyFloat, PySet, pyStr, Tuple, typeName, type Value } from '@rolecall/core/internal/python'
import { constantOf } from '../../../python/interpreter/constant-of.ts'
import { isMutableDict, type MutableDict, refuseUnknown } from '../../../python/interpreter/containers.ts'
import { toPyValue } from '../../../python/interpreter/convert.ts'
import { folderOf, insideRoot, joinPath } from '../../../python/interpreter/paths.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { Builtin, ClassRef, ellipsis, FileValue, NameRef, PathValue, Unknown, UserFunction } from '../../../python/interpreter/values.ts'
import { isVariable } from './server-models.ts'

/** Where prompt text occurs. */
const textKeys = new Set(['prompt', 'content', 'template', 'begin', 'end', 'meta_instruction'])

type RemarkMap = WeakMap<object, Map<string | number, EntryComments>>

/** A value to convert to plain data, with its location. */
export type ConversionContext = {
  session: Session
  /** The config, by its path from the root. */
  file: string
  remarks: RemarkMap
  /** Lists and dicts that occur in several places stay one object; each occurrence counts towards the limit. */
  known: Map<Value, { made: unknown; steps: number }>
  /** The location of the current value. */
  path: (string | number)[]
  steps: number
  /** Locations of dicts with keys that are not strings, as config keys must be. */
  otherKeys: { where: string; type: string; keys: string[] }[]
}

export function newConversion(session: Session, remarks: RemarkMap, file: string): ConversionContext {
  return { session, file, remarks, known: new Map(), path: [], steps: 0, otherKeys: [] }
}

/**
 * Converts a value for a config: plain data, with classes and functions by name. The documents' `...` is omitted.
 * Shared parts count as steps for each occurrence: expanded, they can be huge.
 */
export function toConfigValue(conversion: ConversionContext, value: Value, where: string): unknown {
  conversion.path = [where]
  return convert(conversion, value)
}

function convert(conversion: ConversionContext, value: Value): unknown {
  const { session, path } = conversion
  count(conversion, 1)
  if (path.length > 101) throw new ImportLimitError(session.at, `${shown(conversion).slice(0, 100)} is nested more than 100 levels deep`)
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value
  if (value instanceof PyFloat) return value.value
  if (typeof value === 'bigint') return Number(value)
  const known = conversion.known.get(value)
  if (known !== undefined) {
    count(conversion, known.steps)
    return known.made
  }
  const before = conversion.steps
  const made = isMutableDict(value) ? dictOf(conversion, value) : otherOf(conversion, value)
  if (typeof made === 'object') conversion.known.set(value, { made, steps: conversion.steps - before })
  return made
}

function count(conversion: ConversionContext, steps: number): void {
  conversion.steps += steps
  conversion.session.step(steps)
}

function otherOf(conversion: ConversionContext, value: Exclude<Value, string | number | boolean | null>): unknown {
  if (isListValue(value)) return listOf(conversion, value, value)
  if (value instanceof Tuple || value instanceof PySet) return listOf(conversion, value, value.items)
  if (conversion.path.at(-1) === 'type') {
    const own = ownPath(conversion, value)
    if (own !== undefined) return own
  }
  if (value instanceof NameRef || value instanceof UserFunction || value instanceof Builtin) return value.name
  if (value instanceof PathValue) return value.path
  if (value instanceof Unknown) refuseUnknown(conversion.session, value)
  throw new PromptError('not-understood', {
    where: shown(conversion),
    problem: value instanceof FileValue ? 'an open file is not a value of a config' : 'this value is not plain data',
    fix: 'write a string, a number, a list or a dict',
  })
}

/** The path of a class or function of the user's own: of the config itself, or of a module that can be read. */
function ownPath({ session, file }: ConversionContext, value: Value): string | undefined {
  if (value instanceof ClassRef) return `${file}:${value.name}`
  if (value instanceof UserFunction) return /^\w+$/.test(value.name) ? `${value.scope.file}:${value.name}` : undefined
  if (!(value instanceof NameRef) || !value.declared || /^(?:opencompass|ais_bench|mmengine)\./.test(value.path)) return undefined
  const module = value.path.slice(0, value.path.lastIndexOf('.')).replaceAll('.', '/')
  const folders = [folderOf(file), '']
  const isThere = folders.some((folder) => {
    const path = insideRoot(joinPath(folder, module))
    return path !== undefined && [`${path}.py`, `${path}/__init__.py`].some((candidate) => session.readText(candidate) !== undefined)
  })
  return isThere ? value.path : undefined
}

function listOf(conversion: ConversionContext, from: object, items: readonly Value[]): unknown[] {
  const list: unknown[] = []
  const marks = conversion.session.remarks.get(from)
  for (const [index, item] of items.entries()) {
    conversion.path.push(index)
    if (item === ellipsis) leftOut(conversion)
    else {
      mark(conversion.remarks, list, list.length, marks?.get(index))
      list.push(convert(conversion, item))
    }
    conversion.path.pop()
  }
  return list
}

function dictOf(conversion: ConversionContext, dict: MutableDict): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  const marks = conversion.session.remarks.get(dict)
  const others = [...dict.keys()].filter((key) => typeof key !== 'string')
  if (others.length > 0)
    conversion.otherKeys.push({ where: shown(conversion), type: typeName(others[0]!), keys: others.map((key) => pyStr(toPyValue(key))) })
  for (const [key, item] of dict) {
    const name = typeof key === 'string' ? key : pyStr(toPyValue(key))
    conversion.path.push(name)
    if (item === ellipsis) leftOut(conversion)
    else if (isSecret(dict, name, item)) keyLeftOut(conversion)
    else {
      mark(conversion.remarks, object, name, marks?.get(key))
      const made =
        item instanceof NameRef && item.declared && textKeys.has(name) ? constantOf(conversion.session, item) : convert(conversion, item)
      if (name === '__proto__') Object.defineProperty(object, name, { value: made, enumerable: true, configurable: true, writable: true })
      else object[name] = made
    }
    conversion.path.pop()
  }
  return object
}

function shown({ path: [first, ...rest] }: ConversionContext): string {
  return `${first}${rest.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')}`
}

function mark(remarks: RemarkMap, container: object, key: string | number, remark: EntryComments | undefined): void {
  if (remark === undefined) return
  const known = remarks.get(container)
  if (known) known.set(key, remark)
  else remarks.set(container, new Map([[key, remark]]))
}

function leftOut(conversion: ConversionContext): void {
  conversion.session.notes.push({ code: 'left-out', where: shown(conversion), text: 'it is "..." in the file, and was left out' })
}

function keyLeftOut(conversion: ConversionContext): void {
  conversion.session.notes.push({
    code: 'key',
    where: shown(conversion),
    text: 'the key was left out: put it into an environment variable, OPENAI_API_KEY or the one that key_env names',
  })
}

const secretNames = new Set(['key', 'api_key', 'openai_key', 'secretkey', 'secret_key', 'access_key'])

/**
 * Whether a dict entry is a server's API key. Configs are displayed, recorded and shared, so they must not contain keys;
 * names of environment variables stay.
 */
function isSecret(dict: MutableDict, name: string, value: Value): boolean {
  if (!secretNames.has(name)) return false
  return (dict.has('type') || dict.has('path') || dict.has('model')) && holdsKey(value)
}

function holdsKey(value: Value): boolean {
  if (isListValue(value)) return value.some(holdsKey)
  return typeof value === 'string' && value !== '' && !isVariable(value)
}
