/** `--smoke` runs a benchmark at its smallest size: its numbers mean nothing, but it checks that the benchmark works. CI does this for all. */
export const isSmoke = process.argv.includes('--smoke')

export function sized(full: number, smallest: number): number {
  return isSmoke ? smallest : full
}
