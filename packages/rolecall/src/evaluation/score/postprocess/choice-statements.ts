import { announcements } from './announcements.ts'
import { boxedParts, withoutThoughts } from './answer-text.ts'
import { isPartOfName, mentionAt, type OptionMention } from './option-mention.ts'
import type { OptionTexts } from './option-texts.ts'
import { stanceBefore } from './stance.ts'

/** A reply to a multiple-choice question: as written, as plain text, and what its options are. */
export type ChoiceReply = { text: string; said: string; options: string; texts: OptionTexts; isCut: boolean }

/**
 * The option that a reply states as its answer; undefined if it states none, or several.
 *
 *     reply        = … announcement | whole text | verdict | label line | bold label
 *     announcement = "the answer is" named | \boxed{named}      the last one counts, unless it is retracted
 *     verdict      = label "is correct" | "only" label "fits"   only if all verdicts agree
 *     label line   = label ("." | ")" | ":") text               lists of the options do not count
 *     named        = label | text of an option
 */
export function readChoice(reply: ChoiceReply): string | undefined {
  const { options, texts } = reply
  const said = withoutFormer(afterRetraction(beforeNextQuestion(reply.said, options)))
  const announced = lastAnnounced(said, options, texts)
  if (announced) return single(announced)
  if (reply.isCut) return labelOfCut(said, options, texts)
  return (
    texts.whole(said) ??
    labelWithText(said, options, texts) ??
    single(calledRight(said, options, texts)) ??
    judgedRight(said, options) ??
    single(labelledLines(said, options)) ??
    single(boldLabels(reply.text, options)) ??
    texts.whole(said.split('\n').at(-1)!) ??
    (isOneSentence(said) ? texts.end(said) : undefined)
  )
}

/** The letter, if all are equal. */
function single(letters: string): string | undefined {
  return new Set(letters).size === 1 ? letters[0] : undefined
}

/** Base models continue with the next question after the answer. */
function beforeNextQuestion(said: string, options: string): string {
  const next = /\n[ \t]*(?:Question|Q|题目|问题)\s*\d*\s*[:：]/.exec(said)
  if (!next) return said
  const before = said.slice(0, next.index)
  return [...before].some((letter) => options.includes(letter)) ? before : said
}

const retraction =
  /\b(?:wait|no|hmm+|oops|actually|sorry|but|hold on|hang on)\b[\s,.!…—–-]*(?:(?:that|this|it|my answer)(?:['’]s|\s+(?:is|was|seems))\s+(?:actually\s+|clearly\s+)?(?:wrong|incorrect|not (?:right|correct|it)|a mistake)|(?:that|this|it)\s+(?:can['’]?t|cannot|can not|isn['’]t|wasn['’]t)\s+(?:be\s+)?(?:right|correct|it))\b|\bchanged my mind\b[\s,.:;—–-]*|(?:^|[。！？…\n,，])\s{0,3}(?:(?:等等|等一下|哦|啊|嗯)[，,。…\s]{0,4})?(?:不对|错了)(?=[，,。！…])/gi

/** "Wait, that is wrong" takes back what was said before. */
function afterRetraction(said: string): string {
  const last = [...said.matchAll(retraction)].at(-1)
  return last ? said.slice(last.index + last[0].length) : said
}

const former =
  /\b(?:(?:the|my)(?:\s+\w+)?\s+(?:answer|choice|guess|pick)\s+(?:was|were|had been)|(?:i|we)\s+(?:used to|was|were|had|initially|originally|previously|first))\b[^.\n]{0,60}?(?:\b(?:but|however|though)\b|[,;]\s+(?=(?:i\s+)?now\b))|(?:原来|原先|之前|先前|刚才|起初|最初|一开始)[^。\n]{0,20}?(?:[,，;；]?(?:但是?|不过|可是)|[,，;；。](?=[^。\n]{0,10}(?:现在|如今)))/gi

/** "My answer was A, but …": what it says about A no longer holds. */
function withoutFormer(said: string): string {
  return said.replace(former, '')
}

type Statement = { at: number; letters: string; isDenied: boolean }

/** The letters of the last announcement that is not denied: one, or several; undefined if nothing is announced. */
function lastAnnounced(said: string, options: string, texts: OptionTexts): string | undefined {
  const statements: Statement[] = []
  for (const { at, end, said: inside } of boxedParts(said)) {
    const letters = texts.whole(inside) ?? mentionAt(inside, 0, options)?.letters
    if (letters !== undefined) statements.push({ at, letters, isDenied: isCalledWrong(said, end) })
  }
  for (const { behind, isDenied, isOfWrong } of announcements(said, 'choices')) {
    const named = announcedAt(said, behind, isDenied, options, texts)
    // "The wrong answer is A" after "the correct answer is B" does not replace it.
    statements.push(...named.map((one) => (isOfWrong ? { ...one, at: -1 } : one)))
  }
  let last: string | undefined
  for (const { letters, isDenied } of statements.sort((one, other) => one.at - other.at)) {
    if (!isDenied) last = letters
    else if (last !== undefined && single(last) !== undefined && letters.includes(last)) last = undefined
  }
  return last
}

/** The answer is Paris (B). The answer is Paris, option B. */
const namedAfter =
  /^(?:[^.,;:\n]|(?<=\d)\.(?=\d)){1,100}?(?:,?\s*\(|,\s*(?:which is |that is |i\.e\.,? )?(?:option|choice)\s+\(?)([A-Z])\)?(?=\s*(?:[.,;]|$))/

const denial = /\s*(?:(?:definitely|certainly|clearly|probably|surely|simply|likely|most likely)\s+)*(?:not|never|neither|anything but)\b/iy
const butRather = /["')\]]*[,;，；]?\s*(?:but\b(?:\s+(?:rather|instead|it is))?|rather\b|而是|应该?是|(?:it|that)(?:['’]s|\s+is)\b)/iy

/** What an announcement names: an option's text, a label, or "not A but B". */
function announcedAt(said: string, behind: number, isDenied: boolean, options: string, texts: OptionTexts): Statement[] {
  const [line = ''] = said
    .slice(behind, behind + 600)
    .trimStart()
    .split('\n', 1)
  const [sentence = ''] = line.split(/(?<=[.!?])\s|[。！？]/, 1)
  const byText = texts.whole(line) ?? texts.whole(sentence) ?? texts.start(line)
  if (byText !== undefined) return [{ at: behind, letters: byText, isDenied }]
  denial.lastIndex = behind
  const no = denial.exec(said)
  const start = behind + (no?.[0].length ?? 0)
  const isNegated = isDenied !== (no !== null)
  const mention = mentionAt(said, start, options)
  if (!mention) {
    const named = namedAfter.exec(sentence)?.[1]
    return named !== undefined && options.includes(named) && !no ? [{ at: behind, letters: named, isDenied }] : []
  }
  if (isAsked(said, mention)) return []
  const statement = { at: behind, letters: mention.letters, isDenied: isNegated || isCalledWrong(said, mention.end) }
  butRather.lastIndex = mention.end
  const but = isNegated ? butRather.exec(said) : null
  const other = but && mentionAt(said, butRather.lastIndex, options)
  return other ? [statement, { at: mention.end, letters: other.letters, isDenied: false }] : [statement]
}

/** The answer is B? 答案是B吗？ */
function isAsked(said: string, { end }: OptionMention): boolean {
  return /^\s*(?:吗|呢)?[?？]/.test(said.slice(end, end + 4))
}

const calledWrong =
  /["'”’)\]}>】」$]*\s*(?:(?:is|was|are|seems|项|选项)\s*)(?:also\s+|clearly\s+)?(?:not\b|n['’]t\b|in(?:correct|accurate|valid)|wrong|false|untrue|不|错|有误)/iy

function isCalledWrong(said: string, end: number): boolean {
  calledWrong.lastIndex = end
  return calledWrong.test(said)
}

const rightInEnglish =
  /["'”’)\]}>】」$]*(?:[.:)]\s[^.\n]{0,60}?)?\s+(?:is|are|seems|appears|looks|would be|must be|should be|has to be|can be|remains)\s+(?:to be\s+)?(?:indeed\s+|clearly\s+|therefore\s+|thus\s+|both\s+|all\s+|also\s+)?(?:the\s+)?(?:most\s+|only\s+|single\s+)?(?:likely\s+)?(?:correct|right|best|true|accurate|appropriate|suitable|plausible|answer|sensible|(?<=only\s)(?:option|choice|one|statement))\b|["'”’)\]}>】」$]*\s+(?:fits|works) best\b|\s+it is\b/iy
const rightInChinese =
  /["'”’)\]}>】」$]*\s*(?:选项|项)?(?:[:：、.][^。，\n]{0,30}?)?(?:中)?(?:的?(?:说法|描述|表述|内容))?(?:也|都|均|才)?(?:是|为)?(?:最|完全)?(?:正确|对的|合适|恰当|符合|准确|佳(?:答案|选择)|(?<=最)佳)/y
const choosing =
  /\b(?:closest to|it|this|that|which|conclude|say|think|believe|guess|probably|definitely|certainly|surely|therefore|thus|hence|so|leaves|leaving|with|(?:corresponds?|corresponding) to|match(?:es)?)\b(?:['’]s)?[\s,:]*(?:(?:is|must be|should be|has to be|would be|it['’]s|that|us with|only|us|really|indeed|probably|clearly)\s+)*/gi
/** The concept is (J). The disorder is known as H. Frotteurism, where that is the text of H. */
const stating = /\b(?:is|are|be|as|by|to|the answer)\b:?(?:[ \t]+(?:an?|the)\b)?(?![ \t]*\n)|\((?=option\s+[A-Z]\)\W*$)/g
/** Only C satisfies both conditions; only D is left. */
const onlyOne = /\bonly\s+/gi
const suits =
  /["'”’)\]}>】」$]*\s+(?:satisf|me(?:e|)ts?\b|fits?\b|works?\b|holds?\b|match|remains?\b|applies|agrees|follows|can\b|makes sense|explains|describes|(?:is|are|seems?)\s+(?:left|possible|valid|consistent|compatible|plausible))/iy
/** 只有C满足条件、只剩下D */
const onlyOneLeft = /(?:只|仅|唯)有?(?=[^有])(?:剩[下余]?)?(?:的)?(?:选项)?|剩[下余]的?(?:就|只)?[是有]?(?:选项)?/g
const labels = /(?<![A-Za-z0-9'’_\\])[A-Z](?![A-Za-z0-9'’_])/g

/** The whole reply is a label and the text of its option, which may itself be a verdict: "C) are not independent". */
function labelWithText(said: string, options: string, texts: OptionTexts): string | undefined {
  const [, letter = '', text = ''] = /^["'([]*([A-Z])["')\].:]+\s*(.+)$/s.exec(said) ?? []
  return options.includes(letter) && texts.whole(text) === letter ? letter : undefined
}

/** Options called right or chosen without the word "answer": B is correct, it must be B, 选项B正确. */
function calledRight(said: string, options: string, texts: OptionTexts): string {
  let letters = ''
  for (const { index } of said.matchAll(labels)) {
    const mention =
      mentionAt(said, index, options) ?? (options.includes(said[index]!) ? { letters: said[index]!, end: index + 1 } : undefined)
    if (!mention || stanceBefore(said, index) !== 'asserted' || isPartOfName(said, index)) continue
    rightInEnglish.lastIndex = mention.end
    rightInChinese.lastIndex = mention.end
    if (rightInEnglish.test(said) || rightInChinese.test(said)) letters += mention.letters
  }
  for (const { index, 0: words } of said.matchAll(choosing)) {
    if (stanceBefore(said, index) !== 'asserted') continue
    const mention = mentionAt(said, index + words.length, options)
    if (mention && !isAsked(said, mention) && !isCalledWrong(said, mention.end)) letters += mention.letters
  }
  for (const form of [onlyOne, onlyOneLeft])
    for (const { index, 0: words } of said.matchAll(form)) {
      const mention = stanceBefore(said, index) === 'asserted' ? mentionAt(said, index + words.length, options) : undefined
      if (!mention || isAsked(said, mention) || isCalledWrong(said, mention.end)) continue
      suits.lastIndex = mention.end
      if (form === onlyOneLeft || suits.test(said)) letters += mention.letters
    }
  for (const { index, 0: words } of said.matchAll(stating)) {
    if (stanceBefore(said, index) !== 'asserted') continue
    const mention = mentionAt(said, index + words.length, options)
    const isLabel = mention && ((mention.isWrapped && !/^(?:by|to)/i.test(words)) || texts.follows(said, mention))
    if (isLabel && !isAsked(said, mention)) letters += mention.letters
  }
  return letters
}

const judged =
  /^[ \t]*(?:[-*•>|✅❌]+[ \t]*)?(?:\d+[.)]\s*)?(?:option\s+|选项\s*)?\(?([A-Z])(?![A-Za-z0-9])\)?(?:选?项)?["')\]】]*\s*(?:[.):：、,，—–-]+\s*|\s)(.*)/i
const yes = /^(?:correct|right|true|yes|✓|✔|✅|this is (?:the )?(?:right|correct)|正确|对(?!于)|符合)/i
const no = /^(?:incorrect|wrong|false|no\b|not\b|✗|✘|❌|错|不|有误)/i

/** A list in which each option is judged, and a single one is right: "A: false. B: true." */
function judgedRight(said: string, options: string): string | undefined {
  let right = ''
  let wrong = 0
  for (const line of said.split(/\n|(?<=[.。;；])\s*(?=\(?[A-Z]\)\s)/)) {
    const [, letter = '-', words = ''] = judged.exec(line) ?? []
    if (!options.includes(letter)) continue
    const parts = [words, words.split(/[:：]\s*/).at(-1)!]
    if (parts.some((part) => yes.test(part))) right += letter
    else if (parts.some((part) => no.test(part))) wrong++
  }
  return wrong > 0 ? single(right) : undefined
}

const labelledLine =
  /^(?:option\s+|choice\s+|letter\s+|选项\s*)?[("'[【{<「]*([A-Za-z])(?:["')\]】}>」]*(?:[.):、,，;|。!：]|选?项?\s*$)|["')\]】}>」]+|\s*[-–—]+\s|\s+(?:because|since)\b|\s+[^\p{L}\p{N}\s]+\s*$|\s+\p{Script=Han}[^。，\n]{0,15}$)/iu

/** The labels that begin a line, except lists that repeat the options in order. */
function labelledLines(said: string, options: string): string {
  const found: string[] = []
  for (const line of said.split('\n')) {
    const begin = line.replace(/^[ \t]*(?:[-*•>|][ \t]*)?/, '')
    const written = labelledLine.exec(begin)?.[1]
    const letter = written?.toUpperCase()
    // (a) The mass is …: a part of the question.
    if (written !== letter && begin.length > 60) continue
    if (letter === undefined || !options.includes(letter) || isCalledWrong(begin, begin.search(/[A-Za-z](?![A-Za-z])/) + 1)) continue
    if (isEnumeration(begin, written!)) continue
    const mention = mentionAt(begin, 0, options)
    if (mention && mention.letters.length > 1) return mention.letters
    found.push(letter)
  }
  return withoutLists(found, options).join('')
}

/** A line that goes through several labels, "(A) 1 (B) 2", "(a) 3 m, (b) 5 s", or through Roman numbers, "(i) and (iii) only". */
function isEnumeration(line: string, label: string): boolean {
  const next = String.fromCharCode(label.charCodeAt(0) + 1)
  return new RegExp(String.raw`[\s(,]${next}[).]\s`).test(line) || (/i/i.test(label) && /\b(?:i{2,3}|iv)\b/i.test(line))
}

/** A, B, C … in order are a discussion of the options, not an answer. */
function withoutLists(letters: readonly string[], options: string): string[] {
  const left: string[] = []
  for (let at = 0; at < letters.length; ) {
    let length = 0
    while (length < options.length && letters[at + length] === options[length]) length++
    if (length >= 2) at += length
    else left.push(letters[at++]!)
  }
  return left
}

/** The options in bold type. */
function boldLabels(text: string, options: string): string {
  const spoken = withoutThoughts(text)
  let letters = ''
  for (const { 1: letter = '', index } of spoken.matchAll(/\*\*\s*\(?([A-Z])(?:[.):][^*\n]*|\)?\s*)\*\*/g)) {
    if (options.includes(letter) && stanceBefore(spoken, index) === 'asserted') letters += letter
  }
  return letters
}

/** A cut reply may begin with its answer: "B", "D. Supply falls"; "A. …" may be the first of a list. */
function labelOfCut(said: string, options: string, texts: OptionTexts): string | undefined {
  const [line = '', ...more] = said.split('\n')
  const letter = labelledLines(line, options)
  if (single(letter) === undefined || labelledLines(more.join('\n'), options) !== '') return undefined
  const rest = line.replace(/^[^A-Za-z]*[A-Za-z][\s"')\]】.:、,，;]*/, '')
  return rest === '' || letter !== options[0] || texts.whole(rest) === letter ? letter : undefined
}

function isOneSentence(said: string): boolean {
  return !/[.!?。！？\n]\s*\S/.test(said.replace(/(?<=\d)\.(?=\d)/g, ''))
}
