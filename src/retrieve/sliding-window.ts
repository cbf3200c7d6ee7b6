/** The k rows before this one; at the beginning, filled up from the end. */
export function slidingWindow(number: number, count: number, total: number): number[] {
  const missing = Math.max(0, count - number)
  const fill = Array.from({ length: missing }, (_, index) => total - missing + index)
  return [...fill, ...Array.from({ length: count - missing }, (_, index) => number - (count - missing) + index)]
}
