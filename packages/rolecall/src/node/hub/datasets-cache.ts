import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetPart } from './fetch-dataset.ts'
import type { HubName } from './hub-name.ts'

/**
 * The files of a split that Python's `datasets` has prepared: `ORG___NAME/CONFIG/VERSION/HASH/NAME-SPLIT.arrow`. Undefined unless exactly
 * one config is meant and has the split; the latest preparation is used.
 */
export function preparedSplit(cache: string, { id, path }: HubName, part: DatasetPart): string[] | undefined {
  const root = join(cache, id.replaceAll('/', '___'))
  const known = names(root)
  const [first, ...rest] = path?.split('/') ?? []
  const isConfig = first !== undefined && (rest.length > 0 || known.includes(first))
  const config = part.config ?? (isConfig ? first : undefined)
  const split = part.split ?? (rest.length > 0 ? rest.join('/') : isConfig ? undefined : first)
  const chosen = config ?? (known.length === 1 ? known[0] : known.find((one) => one === 'default'))
  if (chosen === undefined || !known.includes(chosen)) return undefined
  const folders = names(join(root, chosen)).flatMap((version) =>
    names(join(root, chosen, version)).map((hash) => join(root, chosen, version, hash)),
  )
  const [latest] = folders.filter((folder) => names(folder).some(isArrow)).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (latest === undefined) return undefined
  const files = names(latest).filter(isArrow)
  const wanted = split === undefined ? ['test', 'validation', 'train'] : [split]
  const found = wanted.map((one) => files.filter((file) => splitOf(file) === one)).find((matching) => matching.length > 0)
  return found?.sort().map((file) => join(latest, file))
}

function isArrow(name: string): boolean {
  return name.endsWith('.arrow') && !name.startsWith('cache-')
}

/** `validation` of `trivia-validation-00000-of-00002.arrow`. */
function splitOf(file: string): string {
  return file
    .replace(/(?:-\d{5}-of-\d{5})?\.arrow$/, '')
    .split('-')
    .at(-1)!
}

function names(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).filter((name) => !name.startsWith('.')) : []
}
