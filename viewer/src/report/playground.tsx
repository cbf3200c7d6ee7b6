/** A report in one file has no playground: it stays small. */
export function PlaygroundPage() {
  return null
}
