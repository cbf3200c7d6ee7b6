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

/** A formula in any of LaTeX's delimiters, or a bare fraction of numbers; then the per cent sign or word after it. */
const formula = (() => {
  const number = String.raw`-?\d+(?:[.,]\d+)?`
  const any = [
    String.raw`(?<!\\)\$\$((?:[^$]|\$(?!\$))+?)(?<!\\)\$\$`,
    String.raw`(?<!\\)\\\[((?:[^\\]|\\(?![[\]]))+?)(?<!\\)\\\]`,
    String.raw`(?<![\\\d])\$((?:\\\$|[^\n$])+?)(?<!\\)\$`,
    String.raw`(?<!\\)\\\(((?:[^\\\n]|\\(?![()]))+?)(?<!\\)\\\)`,
    String.raw`\s\[([^\n\][]+?)\]\s`,
    String.raw`(-?\\frac\{${number}\}\{${number}\})`,
  ]
  return String.raw`(?:${any.join('|')})\s*(\\?%|[Pp]ercent|[Pp]ercentage|[Pp]ct)?`
})()
const groupsOfFormula = 7

const formulas = `${formula}${String.raw`(?:\s*(?:,?and|,?or|,)\s*${formula})?`.repeat(5)}`
const word = (text: string) => text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** What announces an answer that is not in a box, the surest first. */
const announcements = [
  String.raw`${word('final answer is')}:?\s*${formulas}\.?\s?I hope`,
  String.raw`${word('final answer')}.{0,100}?\s+is:?\s*${formulas}`,
  `${word('answer')}:.{0,50}?${formulas}`,
  `${word('answer')}.{0,50}?${formulas}`,
].map((pattern) => new RegExp(pattern, 'gs'))

/** The formulas that math-verify takes as the answer where no box has it: those that "answer" or "final answer is" announces last. */
export function announcedFormulas(text: string): string[] {
  for (const announcement of announcements) {
    const found = [...text.matchAll(announcement)].sort((one, other) => endOf(other) - endOf(one) || one.index - other.index)[0]
    if (found) return formulasIn(found)
  }
  return []
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length
}

function formulasIn(match: RegExpExecArray): string[] {
  const found: string[] = []
  for (let at = 1; at < match.length; at += groupsOfFormula) {
    const content = match.slice(at, at + groupsOfFormula - 1).find((group) => group !== undefined)
    if (content !== undefined) found.push(match[at + groupsOfFormula - 1] === undefined ? content : `${content}\\%`)
  }
  return found
}

function closingBrace(text: string, from: number): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++
    else if (text[at] === '}' && --open === 0) return at
  }
  return -1
}
