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

/** Where `lm_eval.tasks.folder.utils` may be: below one of the folders around the file that names it, the nearest first. */
export function taskPaths(module: string, file: string): string[] {
  const path = /^lm_eval\.tasks\.(.+)$/.exec(module)?.[1]?.replaceAll('.', '/')
  if (path === undefined) return []
  const folders = file.split('/').slice(0, -1)
  return Array.from({ length: folders.length + 1 }, (_, up) => joinPath(...folders.slice(0, folders.length - up), path))
}
