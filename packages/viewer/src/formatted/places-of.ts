/** The positions of a text, not inside a longer word or number. */
export function placesOf(text: string, mark: string): [start: number, end: number][] {
  const found: [number, number][] = []
  const isWord = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character) && /[a-z0-9]/i.test(character)
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    const end = at + mark.length
    const isInside = (isWord(text[at - 1]) && isWord(mark[0])) || (isWord(text[end]) && isWord(mark.at(-1)))
    if (!isInside) found.push([at, end])
  }
  return found
}
