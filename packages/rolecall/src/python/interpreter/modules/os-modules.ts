import { PromptError } from '@rolecall/core/internal/errors'
import {
  type Kwargs,
  notUnderstood,
  PythonError,
  plainText,
  pyFloat,
  pythonError,
  repr,
  showPlace,
  Tuple,
  typeError,
  typeName,
  type Value,
} from '@rolecall/core/internal/python'
import { strictText, withoutBadBytes } from '../../library/decode-text.ts'
import { generator } from '../containers.ts'
import { fileOf, folderOf, insideRoot, joinPath, normalizePath, splitEnding } from '../paths.ts'
import type { Session } from '../session.ts'
import { type Builtin, FileValue, PathValue, Unknown } from '../values.ts'
import { defineModule, native, onText, textOf, unknownOr } from './define-module.ts'

/** Paths as text; only files under the root exist. */
export const osPath = defineModule('os.path', {
  join: native('join(a, *p)', (session, args) => unknownOr(args, () => session.made(joinPath(...args.map(pathText))))),
  dirname: onPath('dirname', folderOf),
  basename: onPath('basename', fileOf),
  normpath: onPath('normpath', normalizePath),
  abspath: onPath('abspath', normalizePath),
  realpath: onPath('realpath', normalizePath),
  expanduser: onPath('expanduser', (given) => given),
  splitext: native('splitext(p)', (_, args) => unknownOr(args, () => new Tuple(splitEnding(pathText(args[0]))))),
  exists: native('exists(path)', exists),
  isfile: native('isfile(path)', (session, args) => (session.program ? isKind(session, args, 'file') : exists(session, args))),
  isdir: native('isdir(s)', (session, args) => isKind(session, args, 'folder')),
  isabs: native('isabs(s)', (_, [given]) => pathText(given).startsWith('/')),
  sep: '/',
})

/** `os.environ` is a dict that starts empty for each import: configs give a default for variables they read. */
export const os = defineModule('os', {
  path: osPath,
  getenv: native('getenv(key, default=None)', (session, [name, otherwise = null]) => session.environment.get(textOf(name)) ?? otherwise),
  getcwd: native('getcwd()', () => '.'),
  listdir: native("listdir(path='.')", (session, [given = '.']) => session.made([...namesIn(session, given)])),
  walk: native('walk(top)', (session, [top]) => generator([...walk(session, pathText(top))])),
  makedirs: native('makedirs(name, mode=None, exist_ok=False)', () => null),
  sep: '/',
  linesep: '\n',
})

/** The names in a folder, by code points: Python gives them in the order of the disk, which differs. */
function namesIn(session: Session, given: Value): readonly string[] {
  if (session.program === undefined) throw notUnderstood(session.at, 'the names in a folder', 'write them out')
  const path = pathText(given)
  const names = session.program.data.names(path)
  if (names === undefined) throw new PythonError('FileNotFoundError', `[Errno 2] No such file or directory: '${path}'`)
  return names
}

function* walk(session: Session, top: string): Iterable<Value> {
  if (session.program?.data.kind(top) !== 'folder') return
  const names = namesIn(session, top)
  const isFolder = (name: string) => session.program?.data.kind(joinPath(top, name)) === 'folder'
  const folders = names.filter(isFolder)
  session.step(names.length + 1)
  yield new Tuple([top, session.made(folders), session.made(names.filter((name) => !isFolder(name)))])
  for (const folder of folders) yield* walk(session, joinPath(top, folder))
}

function isKind(session: Session, [path]: readonly Value[], kind: 'file' | 'folder'): Value {
  if (path instanceof Unknown) return path
  if (session.program === undefined) throw notUnderstood(session.at, 'a question about a folder', 'write the answer out')
  return session.program.data.kind(pathText(path)) === kind
}

/** A path that is given as text or as a `Path`. */
function pathText(value: Value | undefined): string {
  return value instanceof PathValue ? value.path : textOf(value)
}

function onPath(name: string, run: (text: string) => string) {
  const inner = onText(name, run)
  return native(`${name}(path)`, (session, [path], kwargs, scope) =>
    inner.call(session, [path instanceof PathValue ? path.path : path!], kwargs, scope),
  )
}

function exists(session: Session, [path]: readonly Value[]): Value {
  if (path instanceof Unknown) return path
  if (session.program !== undefined) return session.program.data.kind(pathText(path)) !== undefined
  const inside = insideRoot(pathText(path))
  return inside !== undefined && session.readText(inside) !== undefined
}

const path = native('Path(*args)', (_, args) =>
  unknownOr(
    args,
    (): Value =>
      new PathValue(joinPath(...(args.length === 0 ? ['.'] : args.map((arg) => (arg instanceof PathValue ? arg.path : textOf(arg)))))),
  ),
)

export const pathlib = defineModule('pathlib', { Path: path, PurePath: path, PosixPath: path })

/** `path.name` of a `pathlib.Path`; undefined for what it does not have here. */
export function pathAttribute({ path }: PathValue, name: string): Value | undefined {
  const [stem, suffix] = splitEnding(fileOf(path))
  switch (name) {
    case 'parent':
      return new PathValue(folderOf(path) || '.')
    case 'name':
      return fileOf(path)
    case 'stem':
      return stem
    case 'suffix':
      return suffix
    case 'parts':
      return new Tuple(path.split('/').filter((part) => part !== ''))
    default:
      return Object.hasOwn(methods, name) ? methods[name]!(path) : undefined
  }
}

const methods: Readonly<Record<string, (path: string) => Builtin>> = {
  resolve: (path) => native('resolve(strict=False)', () => new PathValue(normalizePath(path))),
  absolute: (path) => native('absolute()', () => new PathValue(normalizePath(path))),
  as_posix: (path) => native('as_posix()', () => path),
  joinpath: (path) => native('joinpath(*other)', (_, args) => joinPaths([new PathValue(path), ...args])),
  with_suffix: (path) => native('with_suffix(suffix)', (_, args) => new PathValue(`${splitEnding(path)[0]}${String(args[0])}`)),
  exists: (path) => native('exists()', (session) => isThere(session, path)),
  is_file: (path) => native('is_file()', (session) => isThere(session, path)),
  open: (path) => native('open(mode=None, **kwargs)', (session, args, kwargs) => openFile(session, [path, ...args], kwargs)),
  read_text: (path) =>
    native('read_text(encoding=None)', (session) => {
      const file = openFile(session, [path], undefined)
      return file instanceof FileValue ? file.rest() : file
    }),
}

function isThere(session: Session, path: string): boolean {
  if (session.program !== undefined) return session.program.data.kind(path) !== undefined
  const inside = insideRoot(path)
  return inside !== undefined && session.readText(inside) !== undefined
}

/** `a / b`, where one of the two is a `Path`. */
export function joinPaths(parts: readonly Value[]): Value {
  const texts = parts.map((part) => (part instanceof PathValue ? part.path : part))
  const odd = texts.find((text) => typeof text !== 'string')
  if (odd !== undefined) throw typeError(`unsupported operand type(s) for /: 'PosixPath' and '${typeName(odd)}'`)
  return new PathValue(joinPath(...(texts as string[])))
}

/** The Python that the vectors of this project were made with. */
export const pythonVersion = new Tuple([3, 11, 0, 'final', 0])

const floatInfo = defineModule('sys.float_info', {
  min: pyFloat(2 ** -1022),
  max: pyFloat(Number.MAX_VALUE),
  epsilon: pyFloat(Number.EPSILON),
})

/** The part of `sys` that configs and tasks use. */
export const sys = defineModule('sys', {
  version_info: pythonVersion,
  maxunicode: 0x10ffff,
  maxsize: 2n ** 63n - 1n,
  float_info: floatInfo,
})

/** A file of the root, to be read as text. */
export function openFile(session: Session, args: readonly Value[], kwargs: Kwargs): Value {
  const [first] = args
  const given = first instanceof PathValue ? first.path : first
  const { mode = args[1] ?? 'r', encoding = null, newline = null, errors = null, ...others } = Object.fromEntries(kwargs ?? [])
  const [other] = Object.keys(others)
  if (other !== undefined) throw notUnderstood(session.at, `"${other}" of open`, 'leave it out')
  if (given instanceof Unknown) return given
  if (typeof given !== 'string') throw typeError('expected str, bytes or os.PathLike object')
  if (typeof mode !== 'string' || !/^r?t?$/.test(mode))
    throw notUnderstood(session.at, `opening a file with the mode ${plainText(repr(mode))}`, 'a config may only read text')
  if (session.program !== undefined) return openData(session, given, { encoding, newline, errors })
  const path = insideRoot(given)
  if (path === undefined)
    throw new PromptError('outside-root', {
      where: showPlace(session.at),
      problem: `"${given}" is outside the folder that may be read`,
      fix: 'name a folder that has it with --root',
    })
  const text = session.readText(path)
  if (text === undefined) throw pythonError(session.at, `there is no file "${path}"`, 'add it, or name its folder with --root')
  return new FileValue(path, session.made(text.replace(/\r\n?/g, '\n')) as string)
}

type TextOptions = Readonly<Record<'encoding' | 'newline' | 'errors', Value>>

/** A data file as text, as Python's `open` decodes it. */
function openData(session: Session, path: string, { encoding, newline, errors }: TextOptions): Value {
  const bytes = session.program?.data.bytes(path)
  if (bytes === undefined) throw new PythonError('FileNotFoundError', `[Errno 2] No such file or directory: '${path}'`)
  const name = typeof encoding === 'string' ? encoding.toLowerCase().replace(/[_ ]/g, '-') : 'utf-8'
  if (!['utf-8', 'utf8', 'utf-8-sig', 'ascii'].includes(name)) throw notUnderstood(session.at, `the encoding "${name}"`, 'use utf-8')
  if (errors !== null && errors !== 'strict' && errors !== 'ignore')
    throw notUnderstood(session.at, 'this "errors"', 'use strict or ignore')
  session.grant(bytes.length)
  const decoded = errors === 'ignore' ? withoutBadBytes(bytes) : strictText(bytes)
  if (decoded === undefined) throw new PythonError('UnicodeDecodeError', "'utf-8' codec can't decode bytes: invalid start byte")
  const text = name === 'utf-8-sig' ? decoded.replace(/^\ufeff/, '') : decoded
  return new FileValue(path, session.made(newline === '' ? text : text.replace(/\r\n?/g, '\n')) as string)
}
