import { Tuple, type Value } from '../../../python/values/value.ts'
import { fileOf, folderOf, insideRoot, joinPath, normalizePath, splitEnding } from '../paths.ts'
import type { Session } from '../session.ts'
import { PathValue, Unknown } from '../values.ts'
import { defineModule, native, onText, textOf, unknownOr } from './define-module.ts'

/** Paths as text; only files of the root can be asked for. */
export const osPath = defineModule('os.path', {
  join: native('join', (session, args) => unknownOr(args, () => session.made(joinPath(...args.map(pathText))))),
  dirname: onPath('dirname', folderOf),
  basename: onPath('basename', fileOf),
  normpath: onPath('normpath', normalizePath),
  abspath: onPath('abspath', normalizePath),
  realpath: onPath('realpath', normalizePath),
  expanduser: onPath('expanduser', (given) => given),
  splitext: native('splitext', (_, args) => unknownOr(args, () => new Tuple(splitEnding(pathText(args[0]))))),
  exists: native('exists', exists),
  isfile: native('isfile', exists),
  sep: '/',
})

/** `os.environ` is a dict of the import's own, which begins empty: a config that asks for a variable says what it means without it. */
export const os = defineModule('os', {
  path: osPath,
  getenv: native('getenv', (session, [name, otherwise = null]) => session.environment.get(textOf(name)) ?? otherwise),
  getcwd: native('getcwd', () => '.'),
  sep: '/',
  linesep: '\n',
})

/** A path that is given as text or as a `Path`. */
function pathText(value: Value | undefined): string {
  return value instanceof PathValue ? value.path : textOf(value)
}

function onPath(name: string, run: (text: string) => string) {
  const inner = onText(name, run)
  return native(name, (session, [first, ...rest], kwargs, scope) =>
    inner.call(session, first === undefined ? [] : [first instanceof PathValue ? first.path : first, ...rest], kwargs, scope),
  )
}

function exists(session: Session, [path]: readonly Value[]): Value {
  if (path instanceof Unknown) return path
  const inside = insideRoot(pathText(path))
  return inside !== undefined && session.readText(inside) !== undefined
}
