/** Ways to split a text into chunks: whole, per character, and at several fixed sizes. */
export function chunkingsOf(text: string): string[][] {
  const byLength = (length: number) =>
    Array.from({ length: Math.ceil(text.length / length) }, (_, n) => text.slice(n * length, (n + 1) * length))
  return [[text], ...[1, 2, 3, 7, 16, 17].map(byLength)]
}
