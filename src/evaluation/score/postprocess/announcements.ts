/** An announced answer: the position after the announcement, where the answer is expected. */
export type Announcement = { at: number; behind: number }

const verb = '(?:is|are|was|be|remains|equals|becomes|would be|should be|must be|will be|has to be|comes out to|comes to)'
const adverb =
  '(?:indeed|clearly|therefore|thus|hence|then|most likely|likely|probably|simply|actually|definitely|just|now|as follows|the following|given by)'
const best = '(?:final|correct|right|best|most likely|most appropriate|most accurate|most suitable|most plausible|proper|only)'

/** Phrases that precede any answer. Each is on one line, unless a colon or a heading ends it. */
const ofAnswers = [
  // The answer is …, Answer: …, the correct answer to this question would be …
  String.raw`\banswers?(?:\s+(?:choice|option|letter))?(?:\s+(?:to|for|of|in|from)\b[^.:\n]{0,100}?)?(?:\s*(?:[:=]|->|→|⇒)|,?(?:\s+${adverb})?,?\s+${verb}\b(?:\s+${adverb}\b)*\s*[,:=]?)`,
  // A heading with the answer below it.
  String.raw`^[ \t]*(?:the[ \t]+)?(?:my[ \t]+)?(?:${best}[ \t]+)*answers?[ \t]*\n`,
  '<(?:answer|final_answer|conclusion)>',
  // 答案是……、【答案】……
  String.raw`(?:答案|正解)(?:的?选项)?(?:应该|应当|应|就|只能)?(?:是|为|选择?|】|」|\])?\s*[:：]?`,
].map((source) => new RegExp(source, 'gim'))

/** Phrases that precede one of several options. */
const ofChoices = [
  // The correct option is …, the most likely one: …
  String.raw`\b${best}\s+(?:option|choice|one|statement|letter|response|ending|completion|conclusion)(?:\s+(?:to|for|of|in|from|here|among)\b[^.:\n]{0,80}?)?(?:\s*(?:[:=]|->|→|⇒)|,?\s+${verb}\b(?:\s+${adverb}\b)*\s*[,:]?)`,
  String.raw`\b(?:correct|best|right)\s+(?:${verb}|:)`,
  String.raw`\b(?:conclusion|final result|in short|verdict)\s*:`,
  // I would choose …
  String.raw`\b(?:i|we|i'd|i'll|we'd|i'm|let me|let's|my)\b[^.,;:\n]{0,30}?\b(?:choose|pick|select|going with|go with|guess|vote for|settle on|opt for|choice|selection|pick)\b(?:\s+(?:is|would be))?\s*:?`,
  // Corrections: no, wait: …
  String.raw`(?:^|[\s.,;!?…—–-])(?:no|wait|actually|sorry|correction|oops|scratch that|i mean|i meant)\b(?:[\s,.;:!…—–-]+(?:no|wait|actually|sorry)\b)*\s*(?:[,.;:!…—–-]+\s*(?:(?:it|that|this)(?:'s|’s|\s+is|\s+should be|\s+must be)|should be|must be|make (?:it|that))?|(?:it|that|this)(?:'s|’s|\s+is|\s+should be|\s+must be))`,
  String.raw`\bnot\s+\(?[A-Za-z]\)?,?\s+but\b(?:\s+rather\b)?`,
  // 正确的选项是……、故选……
  '(?:正确|最佳|最合适|最符合)(?:的)?(?:选项|选择|说法|一项|一个|表述)(?:应该|应当|应|就)?(?:是|为|:|：)',
  String.raw`(?<![不勿可排多单供任备误错挑人筛评被])选(?:择)?(?!项|择|题)(?:的是|是|为)?\s*[:：]?`,
  String.raw`(?:故|综上所述|综上|因此|所以|结论)(?:答案)?(?:是|为|选)?\s*[,:，：]?`,
].map((source) => new RegExp(source, 'gim'))

/** Words directly before an announcement that negate it: I do not think that the answer is … */
const denied =
  /(?:\bnot|n['’]t|\bnever|\bdoubt|\bif|\bwhether|\bassum\w+|\bsuppos\w+)\b[^.!?;:,\n]{0,30}$|不(?:认为|觉得|能说)[^。，\n]{0,8}$/i

/** All announcements of an answer in a text, in order; with `choices` also those specific to options. */
export function announcements(text: string, of: 'answers' | 'choices' = 'answers'): Announcement[] {
  const found: Announcement[] = []
  for (const pattern of of === 'choices' ? [...ofAnswers, ...ofChoices] : ofAnswers) {
    for (const { index, 0: words } of text.matchAll(pattern)) {
      if (!denied.test(text.slice(Math.max(0, index - 40), index))) found.push({ at: index, behind: index + words.length })
    }
  }
  return found.sort((one, other) => one.behind - other.behind)
}
