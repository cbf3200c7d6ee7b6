export type ChangedLine = { sign: '-' | '+' | ' '; text: string }

/** Two texts without the lines they have in common at the start and at the end, but for one on each side. */
export function changedLines(first: string, second: string): ChangedLine[] {
  if (first === second) return []
  const [before, after] = [first.split('\n'), second.split('\n')]
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const around = (lines: readonly string[], from: number, to: number) => lines.slice(Math.max(0, from), to)
  return [
    ...around(before, start - 1, start).map((text): ChangedLine => ({ sign: ' ', text })),
    ...before.slice(start, before.length - end).map((text): ChangedLine => ({ sign: '-', text })),
    ...after.slice(start, after.length - end).map((text): ChangedLine => ({ sign: '+', text })),
    ...around(before, before.length - end, before.length - end + 1).map((text): ChangedLine => ({ sign: ' ', text })),
  ]
}
