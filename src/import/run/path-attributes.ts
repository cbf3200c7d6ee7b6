import { typeError } from '../../python/python-error.ts'
import { typeName } from '../../python/values/type-name.ts'
import { Tuple, type Value } from '../../python/values/value.ts'
import { openFile } from './open-file.ts'
import { fileOf, folderOf, insideRoot, joinPath, normalizePath, splitEnding } from './paths.ts'
import type { Session } from './session.ts'
import { Builtin, FileValue, type Native, PathValue } from './values.ts'

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
      return Object.hasOwn(methods, name) ? new Builtin(name, methods[name]!(path)) : undefined
  }
}

const methods: Readonly<Record<string, (path: string) => Native>> = {
  resolve: (path) => () => new PathValue(normalizePath(path)),
  absolute: (path) => () => new PathValue(normalizePath(path)),
  as_posix: (path) => () => path,
  joinpath: (path) => (_, args) => joinPaths([new PathValue(path), ...args]),
  with_suffix: (path) => (_, args) => new PathValue(`${splitEnding(path)[0]}${String(args[0])}`),
  exists: (path) => (session) => isThere(session, path),
  is_file: (path) => (session) => isThere(session, path),
  open: (path) => (session, args, kwargs) => openFile(session, [path, ...args], kwargs),
  read_text: (path) => (session) => {
    const file = openFile(session, [path], undefined)
    return file instanceof FileValue ? file.text : file
  },
}

function isThere(session: Session, path: string): boolean {
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
