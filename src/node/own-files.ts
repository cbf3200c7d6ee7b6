import { existsSync, readFileSync } from 'node:fs'

/** The folder of the code: `src`, `dist` or `dist/bundle`. In the bundle all code lies one level below it, as this file does here. */
const code = new URL('../', import.meta.url)

const root = rootAbove(code)

/** A file of the code by its path in `src`, without its ending: TypeScript here, JavaScript in the package. */
export function codeFile(path: string): URL {
  return new URL(`${path}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, code)
}

/** A file or folder of the package by its path from the root. */
export function packageFile(path: string): URL {
  return new URL(path, root)
}

/** The version of the package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}

function rootAbove(folder: URL): URL {
  const parent = new URL('../', folder)
  return existsSync(new URL('package.json', parent)) || parent.href === folder.href ? parent : rootAbove(parent)
}
