/** Python's `%` for ints: the result has the sign of the divisor. */
export function pythonModulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
