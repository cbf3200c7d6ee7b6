/** Options named at one place: "B" is one, "A or C" two. */
export type OptionMention = { letters: string; end: number; isWrapped: boolean }

const noun = String.raw`(?:\s*(?:(?:the\s+)?(?:answer\s+)?(?:options?|choices?|letters?|answers?|statements?|alternative|number)|选项|选择|选)\s*:?)?`
const opening = String.raw`["'“‘(\[{<【「《$\s]*`
const one = String.raw`${noun}${opening}(?:\\boxed\s*\{${opening})?`
const closing = String.raw`["'”’)\]}>】」》$]*`
const first = new RegExp(`${one}([A-Za-z]{1,10})(?![A-Za-z0-9])`, 'iy')
const further = new RegExp(
  String.raw`${closing}(?:\s*([,、/&+;])|\s+(?:and|n?or)\b|\s*(?:以及|或者|或是|及|和|或|与))(?:\s*(?:(?:and|n?or)\b|和|或|与))?${one}([A-Za-z])(?![A-Za-z0-9'’])`,
  'iy',
)
const closed = new RegExp(closing, 'y')

/** Part of a word or of a formula: B-cell, B's, C++, C#, A.M., B = 5, 25 °C. */
const notAlone = /^(?:['’]\w|[-‐‑]\w|[+#°=^_\\]|\s*=|\.[A-Za-z](?![A-Za-z])|\s*[+*×/<>≤≥→]\s|\s*->)/
/** Words that may follow a label; before other words the letter may be an article, or part of a name. */
const goesOn =
  /^\s+(?:because|since|as|for|which|that|due|so|given|is|was|are|and|but|with|where|when|based|according|by|on|in|then|here|from|if|after|not|only|rather|instead|it is|must|should|would|can|cannot|seems|fits?|nor|satisf\w+|meets?|works?|holds?|match(?:es)?|remains?|[^\p{L}\p{N}\s]|\p{Script=Han})/u
/** 选项B是……、B项……: other characters make the letter part of a name (A股, B型, C语言). */
const hanGoesOn = /^\s*(?:[选这该]?项|选|[是为的而因由且并正错不符对即均都也和或与及最才可能更属应]|满足|成立)/u
/** A further label is the subject of the next clause: "B, A is wrong". */
const predicate =
  /^["'”’)\]}>】」$]*\s*(?:(?:is|was|has|does|did|would|can|cannot|seems|because|says|refers|describes|isn['’]t|doesn['’]t)\b|项|选项)/i
const pluralPredicate = /^["'”’)\]}>】」$]*\s*(?:(?:are|were|do|have)\b|[两三四]?[项者个]?(?:均|都|皆))/i

/** The options named at a position in a text; undefined if there is no label, or it is a letter of a word, a name or a formula. */
export function mentionAt(text: string, at: number, options: string): OptionMention | undefined {
  first.lastIndex = at
  const found = first.exec(text)
  if (!found) return undefined
  const [words, said = ''] = found
  const end = at + words.length
  if (said.length > 1) return runOf(said, end, options)
  const letter = said.toUpperCase()
  if (!options.includes(letter)) return undefined
  closed.lastIndex = end
  const close = closed.exec(text)![0]
  const isWrapped = /[)\]}】>」》]/.test(close) || (/[([{【<「《]/.test(words) && end === text.length)
  const several = listedAfter(text, end, said, options)
  if (several) return { letters: letter + several.letters, end: several.end, isWrapped }
  const label = { letters: letter, end: end + close.length, isWrapped }
  const after = text.slice(end, end + 60)
  const rest = after.slice(close.length)
  const endsHere = /^\s*(?:$|\n)/.test(rest)
  // A lower-case letter is a word, or a part of the question, unless nothing follows it: "the answer is a bird", "(a) The mass is …".
  if (said !== letter) return endsHere || /^[.:]\s*(?:$|\n)/.test(rest) ? label : undefined
  if (isWrapped) return label
  if (notAlone.test(after)) return undefined
  // So is the pronoun.
  if (letter === 'I' && !endsHere && !/^[.,:;!?。，：；！？、|<]/.test(rest)) return undefined
  if (endsHere || /^(?:[.,:;!?。，：；！？、|<…【]|\(\p{Script=Han})/u.test(rest)) return label
  return /^\s*\p{Script=Han}/u.test(rest) ? (hanGoesOn.test(rest) ? label : undefined) : goesOn.test(rest) ? label : undefined
}

const wordBefore = /(?<![\w'’-])([A-Za-z]+)\s+$/
/** Words before a label at the start of a sentence; other capitalised words make the letter part of a name. */
const leadsTo =
  /^(?:options?|choices?|statements?|answers?|letters?|alternatives?|so|then|thus|therefore|hence|here|only|and|or|but|that|since|because|as|overall|again|yes|no|either|neither|both|perhaps|maybe|while|with|is|of|among|between|picking|choosing|i|\w+ly)$/i
const takesLetter =
  /^(?:plan|vitamin|group|team|type|class|grade|category|company|firm|drug|patient|person|student|player|figure|table|graph|curve|point|phase|stage|section|part|product|project|sample|model|method|strategy|treatment|hepatitis|influenza|factor|vector|event|set|city|country|school|language|column|row|line|box|list|case|gene|protein|compound|substance|metal|gas|element|machine|node|server|party|bank|stock|bond|investor|witness)$/
const hanTakesLetter = /[素案划组型类班队司品药图表点段级厂校市国学命]$/

/** Whether the words before a letter make it part of a name: Plan B, vitamin C, 维生素C. */
export function isPartOfName(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 30), at)
  const word = wordBefore.exec(before)?.[1]
  if (word === undefined) return hanTakesLetter.test(before)
  return /^[A-Z]/.test(word) ? !leadsTo.test(word) : takesLetter.test(word)
}

/** AC, ABD: letters of a word are not in order. */
function runOf(said: string, end: number, options: string): OptionMention | undefined {
  const inOrder = [...said].every((letter, index) => options.includes(letter) && (index === 0 || letter > said[index - 1]!))
  return inOrder ? { letters: said, end, isWrapped: false } : undefined
}

/** The labels that continue a list: "A, B or C". */
function listedAfter(text: string, start: number, said: string, options: string): { letters: string; end: number } | undefined {
  let letters = ''
  let end = start
  let firstMark: string | undefined
  // A longer list repeats itself.
  while (letters.length < options.length) {
    further.lastIndex = end
    const more = further.exec(text)
    const letter = more?.[2]
    // Labels of a list have the same notation: "A or B", not "A, a bird".
    if (more === null || letter === undefined || (letter === letter.toUpperCase()) !== (said === said.toUpperCase())) break
    const next = further.lastIndex
    const after = text.slice(next, next + 40)
    if (!options.includes(letter.toUpperCase()) || predicate.test(after)) break
    if (letters === '') firstMark = more[1] ?? 'word'
    letters += letter.toUpperCase()
    end = next
  }
  if (letters === '' || (firstMark === ',' && pluralPredicate.test(text.slice(end, end + 40)))) return undefined
  return { letters, end }
}
