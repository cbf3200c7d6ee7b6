/**
 * Which filter the samples of lm-evaluation-harness have passed. Versions before 0.4.5 do not name it: they write all rows of the first
 * filter, then all of the second.
 */
export type SampleFilters = {
  names: readonly string[]
  /** Reads the filter of each line of a file, from its start. */
  reader: () => (line: string) => string
}

const unnamed = 'none'

/** `listed`: the filters of the reported metrics, in their order. */
export function sampleFilters(lines: Iterable<string>, listed: readonly string[]): SampleFilters {
  const found = new Set<string>()
  for (const line of lines) found.add(filterOf(line) ?? unnamed)
  const isNamed = found.size > 1 || !found.has(unnamed)
  if (isNamed || listed.length === 0)
    return { names: found.size > 0 ? [...found] : [unnamed], reader: () => (line) => filterOf(line) ?? unnamed }
  return {
    names: listed,
    reader: () => {
      const seen = new Map<string, number>()
      return (line) => {
        const id = /"doc_id": ?(\d+)/.exec(line)?.[1] ?? ''
        const count = seen.get(id) ?? 0
        seen.set(id, count + 1)
        return listed[count] ?? unnamed
      }
    },
  }
}

function filterOf(line: string): string | undefined {
  const found = /"filter": ?("(?:[^"\\]|\\.)*")(?=, ?"metrics")/.exec(line) ?? /"filter": ?("(?:[^"\\]|\\.)*")/.exec(line)
  return found ? (JSON.parse(found[1]!) as string) : undefined
}
