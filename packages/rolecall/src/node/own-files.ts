import { existsSync, readFileSync } from 'node:fs'

const moduleUrl: string = import.meta.url
// webpack and Next.js take `new URL('…', import.meta.url)`, also by the name of a constant, for a file to bundle, and fail on a folder.
const here = new URL(moduleUrl.slice(0, moduleUrl.lastIndexOf('/') + 1))
const extension = moduleUrl.endsWith('.ts') ? '.ts' : '.js'

/** The code root (`src` or `dist/js`): the closest folder with the library's entry point. */
const code = folderAbove(here, `index${extension}`)

const root = folderAbove(here, 'package.json')

/** A source file by its path in `src` without extension: TypeScript here, JavaScript in the package. */
export function codeFile(path: string): URL {
  return new URL(`${path}${extension}`, code)
}

/** A file or folder of the package, by its path from the package root. */
export function packageFile(path: string): URL {
  return new URL(path, root)
}

/** The version of the package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}

/** The closest folder, from this one upward, that contains a file of this name. */
function folderAbove(folder: URL, file: string): URL {
  const parent = new URL('../', folder)
  return existsSync(new URL(file, folder)) || parent.href === folder.href ? folder : folderAbove(parent, file)
}
