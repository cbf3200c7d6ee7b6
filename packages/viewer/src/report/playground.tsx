/** Single-file reports omit the playground, to stay small. */
export function PlaygroundPage() {
  return null
}
