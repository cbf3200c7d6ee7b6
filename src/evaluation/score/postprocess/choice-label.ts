/** A parsed label: its letter, and where it ends. */
export type Label = { letter: string; end: number; isWrapped: boolean }

const noun = String.raw`(?:(?:the\s+)?(?:option|choice|letter|answer|statement|number|选项|选择|选)\s*:?\s*)?`
const opening = String.raw`["'“‘(\[{<【「$\s]*`
const start = new RegExp(String.raw`\s*${noun}${opening}(?:\\boxed\s*\{\s*)?${opening}([A-Za-z])(?![A-Za-z0-9])`, 'iy')

/** Part of a word or of a formula: B-cell, B's, C++, C#, A.M., B = 5, 25 °C, 血型B型. */
const notAlone = /^(?:['’]\w|[-‐‑]\w|[+#°=^_\\]|\s*=|\.[A-Za-z](?![A-Za-z])|[型级类股])/
/** Words that may follow a label; before other words the letter may be an article, or part of a name. */
const goesOn =
  /^\s+(?:because|since|as|for|which|that|due|so|given|is|was|and|but|with|where|when|based|according|by|on|in|then|here|from|if|after|not|only|\p{Script=Han}|[^\p{L}\p{N}\s])/u
const closing = /^["'”’)\]}>】」$]*/
const listed =
  /^["'”’)\]}>】」$\s]*(?:[,、/&+]|\s+(?:and|or)\s|及|和|或|与)\s*(?:and\s+|or\s+|和|或)?(?:option\s+|选项)?\(?([A-Za-z])\)?(?![A-Za-z0-9'’])(?!\s+(?:is|was|has|does|would|can|cannot|seems|because)\b)/
const denied =
  /^["'”’)\]}>】」$]*[\s.:,-]*(?:(?:is|was|are|seems|项|选项|的?说法|表述)\s*)?(?:also\s+)?(?:not\b|n['’]t\b|in(?:correct|accurate|valid)|wrong|false|untrue|unlikely|rejected|ruled out|eliminated|no\b|不|错|有误|排除)/i

/** The label of an option at a position in a text; undefined if there is none, if it is negated, or if others are named with it. */
export function labelAt(text: string, at: number, options: string): Label | undefined {
  start.lastIndex = at
  const found = start.exec(text)
  if (!found) return undefined
  const [words, said = ''] = found
  const letter = said.toUpperCase()
  if (!options.includes(letter)) return undefined
  const end = at + words.length
  const after = text.slice(end, end + 60)
  const other = listed.exec(after)?.[1]
  if (denied.test(after) || (other !== undefined && other !== letter && options.includes(other.toUpperCase()) && isLabel(other, said)))
    return undefined
  const closed = closing.exec(after)![0]
  const isWrapped = /[)\]}】>]/.test(closed) || /[([{【<]/.test(words)
  if (isWrapped) return { letter, end: end + closed.length, isWrapped }
  if (notAlone.test(after)) return undefined
  const rest = after.slice(closed.length)
  const endsHere = /^\s*(?:$|\n)/.test(rest)
  // A lower-case letter is a word unless nothing follows it: "the answer is a bird".
  if (said !== letter) return endsHere || /^[.:]\s*(?:$|\n)/.test(rest) ? { letter, end, isWrapped } : undefined
  const isLone = endsHere || /^[.,:;!?。，：；！？、|<]/.test(rest) || /^\p{Script=Han}/u.test(rest) || goesOn.test(rest)
  return isLone ? { letter, end: end + closed.length, isWrapped } : undefined
}

/** Adjacent labels have the same notation: "A or B", not "A, a bird". */
function isLabel(other: string, said: string): boolean {
  return (other === other.toUpperCase()) === (said === said.toUpperCase())
}
