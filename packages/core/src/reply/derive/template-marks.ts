// Texts between what a message says are marks and white space; these functions take them apart.

/** What looks like a mark: `<tool_call>`, `[TOOL_CALLS]`, `<｜tool▁sep｜>`. */
const mark = /<[^<>\s][^<>\n]*>|\[\/?[A-Z][A-Z_ ]*[A-Z]\]|◁[^◁▷]*▷|\]<\]\w+\[>\[/gu

export function marksIn(text: string): { text: string; at: number }[] {
  return [...text.matchAll(mark)].map((found) => ({ text: found[0], at: found.index }))
}

/** The first mark, with the words up to the next one if they follow directly: `<|close|>tools<|sep|>`. */
export function firstMark(text: string): { text: string; at: number } | undefined {
  const [first, second] = marksIn(text)
  if (first === undefined || second === undefined) return first
  const gap = text.slice(first.at + first.text.length, second.at)
  return /^\w+$/u.test(gap) ? { text: first.text + gap + second.text, at: first.at } : first
}

/** The last mark and what follows it; if that mark occurs more than once, with the words before it: `<|open|>message role="bot"<|sep|>`. */
export function lastMark(text: string): string {
  const marks = marksIn(text)
  const last = marks.at(-1)
  if (last === undefined) return text.trim()
  const before = marks.at(-2)
  const isOften = marks.filter((one) => one.text === last.text).length > 1
  return text.slice(isOften && before ? before.at : last.at).trim()
}

export function commonPrefix(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}

/** The length of the common prefix of two texts, ignoring white space. */
export function sameLength(a: string, b: string): number {
  let [at, other] = [0, 0]
  for (;;) {
    let [next, nextOther] = [at, other]
    while (/\s/u.test(a[next] ?? '')) next++
    while (/\s/u.test(b[nextOther] ?? '')) nextOther++
    if (next >= a.length || a[next] !== b[nextOther]) return nextOther >= b.length ? next : at
    at = next + 1
    other = nextOther + 1
  }
}

export function commonSuffix(a: string, b: string): string {
  let length = 0
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return a.slice(a.length - length)
}

/** Where to cut a text near `at` without cutting a mark: `at`, or the start of the mark around it. */
export function outsideMark(text: string, at: number): number {
  const inside = marksIn(text).find((one) => one.at < at && at < one.at + one.text.length)
  if (inside) return inside.at
  // A mark may continue after the end of the text.
  const open = Math.max(text.lastIndexOf('<', at - 1), text.lastIndexOf('◁', at - 1))
  return open >= 0 && at - open < 40 && !/[>\s]/u.test(text.slice(open, at)) ? open : at
}

/** What two texts begin with alike, without half a mark. */
export function samePrefix(a: string, b: string): string {
  const same = commonPrefix(a, b).length
  const at = Math.min(outsideMark(a, same), outsideMark(b, same))
  // A mark and the word after it belong together if the words differ: `<|channel|>analysis`, `<|channel|>final`.
  const last = marksIn(a.slice(0, at)).at(-1)
  const isSplit = last !== undefined && last.at + last.text.length === at && [a, b].every((text) => /^\w/u.test(text.slice(at)))
  return a.slice(0, isSplit ? last.at : at)
}

/** What two texts end with alike, from a mark on. */
export function sameSuffix(a: string, b: string): string {
  const same = commonSuffix(a, b)
  const from = a.length - same.length
  const inside = marksIn(a).find((one) => one.at < from && from < one.at + one.text.length)
  return inside ? a.slice(inside.at + inside.text.length) : same
}

/** The marks of a text that white space keeps apart: `<tool_call>\n<function=` is two. */
export function groups(text: string): string[] {
  return text.split(/\s+/u).filter((one) => one !== '')
}

/** The end of the JSON object that starts at `from`; undefined if it does not end. */
export function endOfObject(text: string, from: number): number | undefined {
  let depth = 0
  let isInString = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return undefined
}

/** The text between two words. */
export function textBetween(text: string | undefined, from: string, to: string): string | undefined {
  const start = text?.indexOf(from) ?? -1
  const end = start < 0 ? -1 : text!.indexOf(to, start + from.length)
  return end < 0 ? undefined : text!.slice(start + from.length, end)
}
