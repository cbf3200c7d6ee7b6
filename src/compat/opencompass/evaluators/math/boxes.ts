/** The content of each closed \boxed{…} in a text. */
export function allBoxed(text: string): string[] {
  const boxes: string[] = []
  const begin = '\\boxed{'
  for (let at = text.indexOf(begin); at >= 0; ) {
    const from = at + begin.length
    const to = closingBrace(text, from)
    if (to < 0) return boxes
    boxes.push(text.slice(from, to))
    at = text.indexOf(begin, to)
  }
  return boxes
}

function closingBrace(text: string, from: number): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++
    else if (text[at] === '}' && --open === 0) return at
  }
  return -1
}
