import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const file = new URL('tried-versions.json', import.meta.url)

/** The version of Rolecall that the code of each page last ran with; `npm run docs` runs it and records the version. */
export function triedVersions(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The version in package.json. */
export function currentVersion(): string {
  return JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version
}

/** Records that the code of a page ran with the current version. */
export function recordTried(page: string): void {
  const versions = Object.entries({ ...triedVersions(), [page]: currentVersion() }).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(versions), null, 2)}\n`)
}
