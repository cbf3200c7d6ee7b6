import { PromptError } from '../../errors/prompt-error.ts'
import { typeError } from '../python-error.ts'
import { notUnderstood, pythonError, showPlace } from '../syntax/import-error.ts'
import { repr } from '../values/repr.ts'
import { plainText } from '../values/text.ts'
import type { Kwargs, Value } from '../values/value.ts'
import type { Session } from './session.ts'
import { FileValue, PathValue, Unknown } from './values.ts'

/** Python's `os.path` for paths with "/", as text: no disk is looked at. https://docs.python.org/3/library/os.path.html */
export function joinPath(...parts: readonly string[]): string {
  let path = ''
  for (const part of parts) {
    if (part.startsWith('/')) path = part
    else if (path === '' || path.endsWith('/')) path += part
    else path += `/${part}`
  }
  return path
}

export function folderOf(path: string): string {
  const head = path.slice(0, path.lastIndexOf('/') + 1)
  return /^\/*$/.test(head) ? head : head.replace(/\/+$/, '')
}

export function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function normalizePath(path: string): string {
  if (path === '') return '.'
  const isAbsolute = path.startsWith('/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '..' || !isAbsolute) parts.push(part)
  }
  return (isAbsolute ? '/' : '') + parts.join('/') || (isAbsolute ? '/' : '.')
}

/** The name without its ending, and the ending with its dot. */
export function splitEnding(path: string): [string, string] {
  const name = fileOf(path)
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || /^\.+$/.test(name.slice(0, dot))) return [path, '']
  return [path.slice(0, path.length - name.length + dot), name.slice(dot)]
}

/** A path inside the root, or undefined where it leads out of it. */
export function insideRoot(path: string): string | undefined {
  const normal = normalizePath(path)
  if (
    normal.startsWith('/') ||
    normal === '..' ||
    normal.startsWith('../') ||
    /^[A-Za-z]:/.test(normal) ||
    normal.includes('\\') ||
    normal.includes('\0')
  )
    return undefined
  return normal
}

/** A file of the root, to be read as text. */
export function openFile(session: Session, args: readonly Value[], kwargs: Kwargs): Value {
  const [first] = args
  const given = first instanceof PathValue ? first.path : first
  const mode = args[1] ?? kwargs?.get('mode') ?? 'r'
  if (given instanceof Unknown) return given
  if (typeof given !== 'string') throw typeError('expected str, bytes or os.PathLike object')
  if (typeof mode !== 'string' || !/^r?t?$/.test(mode))
    throw notUnderstood(session.at, `opening a file with the mode ${plainText(repr(mode))}`, 'a config may only read text')
  const path = insideRoot(given)
  if (path === undefined)
    throw new PromptError('outside-root', {
      where: showPlace(session.at),
      problem: `"${given}" lies outside the folder that may be read`,
      fix: 'name a folder that has it with --root',
    })
  const text = session.readText(path)
  if (text === undefined)
    throw pythonError(session.at, `there is no file "${path}"`, 'put it there, or name the folder that has it with --root')
  return new FileValue(path, session.made(text.replace(/\r\n?/g, '\n')) as string)
}
