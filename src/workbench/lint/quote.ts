/** A text in quotes, with its line breaks as `\n`. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

/** The mark of a place of a text: from there to the end of what is worth showing. */
export function around(text: string, at: number, length = 40): readonly [number, number] {
  return [at, Math.min(text.length, at + length)]
}

/** The place, or the beginning of the mark or word that it stands in: `<|im_` is not where a reader sees two texts part. */
export function markStart(text: string, at: number): number {
  const open = text.lastIndexOf('<', at - 1)
  if (open >= 0 && /^<[^<>\s]*$/.test(text.slice(open, at)) && /^[^<>\s]*>/.test(text.slice(at))) return open
  const word = /[\p{L}\p{N}]+$/u.exec(text.slice(Math.max(0, at - 40), at))
  return word && /^[\p{L}\p{N}]/u.test(text.slice(at)) ? at - word[0].length : at
}
