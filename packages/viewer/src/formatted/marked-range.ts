/** Private characters around a marked range, which survive rendering. */
const [open, close] = ['\uE000', '\uE001']

export type MarkedRange = readonly [start: number, end: number]

/** A text with private characters around a range; unchanged if it has such characters. */
export function withMark(text: string, mark: MarkedRange | undefined): string {
  if (!mark || mark[1] > text.length || text.includes(open) || text.includes(close)) return text
  return `${text.slice(0, mark[0])}${open}${text.slice(...mark)}${close}${text.slice(mark[1])}`
}

export function withoutMark(text: string): string {
  return text.replaceAll(open, '').replaceAll(close, '')
}

/** The same occurrence of a range's text in a rewritten text; undefined if the texts have a different number of them. */
export function moveMark(text: string, mark: MarkedRange | undefined, rewritten: string): MarkedRange | undefined {
  if (!mark) return undefined
  const wanted = text.slice(...mark)
  const [before, after] = [startsOf(text, wanted), startsOf(rewritten, wanted)]
  const at = before.length === after.length ? after[before.indexOf(mark[0])] : undefined
  return at === undefined ? undefined : [at, at + wanted.length]
}

function startsOf(text: string, wanted: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) starts.push(at)
  return starts
}
