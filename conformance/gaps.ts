import type { Report } from './run-folder.ts'

/** What Rolecall does not support yet, with the reason. Anything else that is missing makes the runner fail. */
type Gap = { what: RegExp; reason: string }

/** Unsupported vectors, by what they need. */
const unsupported: readonly Gap[] = [{ what: /is not installed$|are not installed$/, reason: 'optional packages; CI installs them' }]

/** Files of a kind that the runner does not know, by name. */
const unknownFiles: readonly Gap[] = []

/** What a report lacks without a reason in these lists. */
export function unlistedGaps({ files, unknown }: Report): string[] {
  const missing = new Set(Object.values(files).flatMap((file) => Object.keys(file.unsupported)))
  const isListed = (gaps: readonly Gap[], name: string) => gaps.some(({ what }) => what.test(name))
  return [
    ...[...missing].filter((name) => !isListed(unsupported, name)).map((name) => `not supported: ${name}`),
    ...unknown.filter((name) => !isListed(unknownFiles, name)).map((name) => `file not recognised: ${name}`),
  ]
}
