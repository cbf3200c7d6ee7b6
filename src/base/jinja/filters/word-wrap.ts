import { valueError } from '../../python/python-error.ts'

/** Python's `textwrap.wrap` for one line, with tabs and other white space left as they are. */
export function wrapLines(line: string, width: number, breakLongWords: boolean, breakOnHyphens: boolean): string[] {
  if (width <= 0) throw valueError(`invalid width ${width} (must be > 0)`)
  const chunks = line.split(breakOnHyphens ? hyphenated : spaced).filter((chunk) => chunk !== undefined && chunk !== '')
  const lines: string[] = []
  chunks.reverse()
  while (chunks.length > 0) {
    const current: string[] = []
    let length = 0
    // White space at the start of a line is dropped, except at the very start.
    if (lines.length > 0 && chunks.at(-1)!.trim() === '') chunks.pop()
    while (chunks.length > 0) {
      const size = [...chunks.at(-1)!].length
      if (length + size > width) break
      current.push(chunks.pop()!)
      length += size
    }
    const next = chunks.at(-1)
    if (next !== undefined && [...next].length > width) {
      const space = width - length
      if (breakLongWords) {
        const characters = [...next]
        const at = breakOnHyphens && characters.length > space ? hyphenAt(next, space) : space
        current.push(characters.slice(0, at).join(''))
        chunks[chunks.length - 1] = characters.slice(at).join('')
        if (chunks.at(-1) === '') chunks.pop()
      } else if (current.length === 0) current.push(chunks.pop()!)
    }
    if (current.length > 0 && current.at(-1)!.trim() === '') current.pop()
    if (current.length > 0) lines.push(current.join(''))
  }
  return lines
}

function hyphenAt(word: string, space: number): number {
  const hyphen = word.lastIndexOf('-', space - 1)
  return hyphen > 0 && /[^-]/.test(word.slice(0, hyphen)) ? hyphen + 1 : space
}

const spaced = /([\t\n\v\f\r ]+)/
// After a hyphen between letters, and around dashes: https://docs.python.org/3/library/textwrap.html#textwrap.TextWrapper.break_on_hyphens
const hyphenated = /([\t\n\v\f\r ]+|(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_]))|(?<=\p{L}{2}-)(?=\p{L}{2})|(?<=\p{L}-)(?=\p{L}-\p{L})/u
