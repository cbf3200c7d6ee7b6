import { readFileSync } from 'node:fs'

/** The folder of the code: `src`, or `dist` when built. There all code lies one level below it, as this file does here. */
const code = new URL('../', import.meta.url)

/** A file of the code by its path in `src`, without its ending: TypeScript here, JavaScript in the package. */
export function codeFile(path: string): URL {
  return new URL(`${path}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, code)
}

/** A file or folder of the package by its path from the root. */
export function packageFile(path: string): URL {
  return new URL(`../${path}`, code)
}

/** The version of the package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}
