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

/** A formula that has a box, and adjacent ones: `$\\boxed{2}$ and $\\boxed{3}$`. */
const boxedFormulas = (() => {
  const formula = (open: string, part: string, close: string) => String.raw`${open}${part}*?\\boxed\{${part}+?\}${part}*?(?<!\\)${close}`
  const any = [
    formula(String.raw`(?<!\\)\$\$`, String.raw`(?:[^$]|\$(?!\$))`, String.raw`\$\$`),
    formula(String.raw`(?<!\\)\\\[`, String.raw`(?:[^\\]|\\(?![[\]]))`, String.raw`\\\]`),
    formula(String.raw`(?<![\\\d])\$`, String.raw`(?:\\\$|[^\n$])`, String.raw`\$`),
    formula(String.raw`(?<!\\)\\\(`, String.raw`(?:[^\\\n]|\\(?![()]))`, String.raw`\\\)`),
  ].join('|')
  return new RegExp(String.raw`(?:${any})(?:\s*(?:,?and|,?or|,)\s*(?:${any})){0,5}`, 'g')
})()

/**
 * The boxes that math-verify takes as the answer: those of the last formula and the ones adjacent to it. Boxes outside of formulas
 * are all taken together.
 */
export function answerBoxes(text: string): string[] {
  const last = [...text.matchAll(boxedFormulas)].at(-1)
  return last && last.index + last[0].length > text.lastIndexOf('}') + 1 ? allBoxed(last[0]) : allBoxed(text)
}

function closingBrace(text: string, from: number): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++
    else if (text[at] === '}' && --open === 0) return at
  }
  return -1
}
