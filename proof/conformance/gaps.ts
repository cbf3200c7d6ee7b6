import type { Report } from './run-folder.ts'

/** What Rolecall does not support, with the reason. Anything else that is missing makes the runner fail. */
type Gap = { what: RegExp | readonly string[]; reason: string }

/** Unsupported vectors, by what they need. */
const unsupported: readonly Gap[] = [
  { what: /(?:is|are) not installed$/, reason: 'an optional package; CI installs it' },
  { what: /^not proven: /, reason: 'the template writes calls that cannot be read back as written, such as strings without quotes' },
  {
    what: ['SRbenchDataset'],
    reason: 'it computes with arrays of several dimensions, which the interpreter refuses; it runs with --with-python',
  },
]

/** Files of a kind that the runner does not know, by name. */
const unknownFiles: readonly Gap[] = [{ what: /^response-templates\//, reason: 'response templates of transformers are not read yet' }]

/** What a report lacks without a reason in these lists. */
export function unlistedGaps({ files, unknown }: Report): string[] {
  const missing = new Set(Object.values(files).flatMap((file) => Object.keys(file.unsupported)))
  const isListed = (gaps: readonly Gap[], name: string) =>
    gaps.some(({ what }) => (what instanceof RegExp ? what.test(name) : what.includes(name)))
  return [
    ...[...missing].filter((name) => !isListed(unsupported, name)).map((name) => `not supported: ${name}`),
    ...unknown.filter((name) => !isListed(unknownFiles, name)).map((name) => `file not recognised: ${name}`),
  ]
}

/** Names in the lists that no vector needs any more: they would excuse a class that is removed by mistake. */
export function staleGaps(files: Readonly<Record<string, { unsupported: Readonly<Record<string, number>> }>>): string[] {
  const missing = new Set(Object.values(files).flatMap((file) => Object.keys(file.unsupported)))
  return unsupported.flatMap(({ what }) => (what instanceof RegExp ? [] : what.filter((name) => !missing.has(name))))
}
