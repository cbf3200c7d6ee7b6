import { stanceBefore } from './stance.ts'

/** Words that announce an answer: where they begin, and where the answer is expected. */
export type Announcement = {
  at: number
  behind: number
  isDenied: boolean
  /** It announces a wrong answer, which is the answer only if the question asks for that. */
  isOfWrong: boolean
}

/** A form of announcement, as a regular expression that ends where the answer begins. */
type Form = RegExp

const be =
  "(?:is|are|was|were|be|remains|equals|becomes|(?:is|are|was)n['’]t|(?:would|should|must|will)(?:n['’]t)?\\s+be|(?:can|could)(?:not|n['’]t|\\s+not)\\s+be|ca(?:n['’])t\\s+be|has\\s+to\\s+be|have\\s+to\\s+be|comes\\s+out\\s+to|comes\\s+to)"
const adverb =
  '(?:indeed|clearly|therefore|thus|hence|then|most likely|likely|probably|simply|actually|definitely|certainly|surely|just|now|really|as follows|the following|given by)'
const best = '(?:final|correct|right|best|closest|nearest|proper|only|remaining|(?:most|least)\\s+\\w+)'
/** A label follows. */
const label = String.raw`(?=[\s:]*(?:(?:option|choice|answer|letter)\s+)?[("'[]*[A-Z](?![A-Za-z0-9'’]))`
const isOr = String.raw`(?:["']?\s*(?:[:=]|->|→|⇒)|,?(?:\s+${adverb})*,?\s+${be}(?![\w'’])(?:\s+${adverb}\b)*\s*[,:=]?)`

const forms = (sources: readonly string[]): Form[] => sources.map((source) => new RegExp(source, 'gim'))

/** Forms that announce any answer. Each is on one line, unless a colon or a heading ends it. */
const ofAnswers = forms([
  // The answer is …; Answer: …; the answer to this question would be …; Ans. …
  String.raw`\bans(?:wers?\b|\b\.?)(?:\s+(?:choice|option|letter))?(?:,?\s+(?:to|for|of|in|from|here|given|based)\b[^.:\n]{0,100}?)?${isOr}`,
  String.raw`^[ \t]*ans\.[ \t]+`,
  // A heading with the answer below it.
  String.raw`^[ \t]*(?:the[ \t]+)?(?:my[ \t]+)?(?:${best}[ \t]+)*answers?[ \t]*\n`,
  '<(?:answer|final_answer|conclusion|答案)>',
  // 答案是……、【答案】……、答案不是……
  String.raw`(?:答案|正解)(?:的?选项)?["”]?(?:应该|应当|应|就|只能)?(?:并?不(?:可能|能|会|应该?)?(?:是|为|选)|并非|是|为|选择?|】|」|\])?\s*[:：]?`,
])

/** Forms that announce one of several options. */
const ofChoices = forms([
  // The correct option is …; the most likely one: …; best response: …
  String.raw`\b${best}\s+(?:option|choice|one|statement|letter|response|ending|completion|conclusion|alternative|solution|pick)(?:,?\s+(?:to|for|of|in|from|here|among|given|based)\b[^.:\n]{0,80}?)?${isOr}`,
  String.raw`\b(?:correct|best|right)\s*(?::|\s${be}\b)`,
  // The most likely diagnosis is (D); the correct statement regarding losses is: E
  String.raw`\bthe\s+${best}\s[^.:\n]{0,120}?\s${be}\b(?:\s+${adverb}\b)*\s*:?${label}`,
  // The statement that is not true is …; the only one we cannot rule out is …: a relative clause may negate anything
  String.raw`\bthe\s+(?:\w+[ -]){0,2}?(?:option|choice|one|statement|alternative|answer)\s+(?:that|which|we|i|with|in)\b(?![^.;\n]{0,60}\b(?:consider|look|examin|discuss|check)\w*\s+(?:is|are)\b)[^.,;:\n]{0,100}?\s${be}\b(?:\s+${adverb}\b)*\s*:?${label}`,
  String.raw`\bthe\s+(?:incorrect|false|wrong|untrue|odd)\s+(?:statement|sentence|one)\s+${be}\b\s*:?`,
  String.raw`\b(?:conclusion|final result|in short|in conclusion|verdict|solution|result)\s*[:,]`,
  String.raw`\bthe\s+solution\s+${be}\b`,
  '<(?:solution|choice|option)>',
  // {"choice": …}
  String.raw`["'](?:\w*(?:answer|choice|option|prediction|label)|答案|选项|选择|正确选项)["']\s*:`,
  // A line "Answer B" or "Answer (A)"
  String.raw`^[ \t]*(?:my[ \t]+|${best}[ \t]+)*(?:answer|choice|option)[ \t]*[-–—]?[ \t]*(?=\(?[A-Za-z]\)?[ \t]*\.?[ \t]*$)`,
  // I would choose …; you should pick …
  String.raw`\b(?:i|we|you|i['’]d|i['’]ll|we['’]d|i['’]m|let me|let['’]s|my)\b[^.,;:\n]{0,30}?\b(?:choose|pick|select|going with|go with|went with|guess|vote for|settle on|opt for|lean towards?|leaning towards?|(?:going to|would|will|['’]d|['’]ll|must|should|to) answer|choice|selection|pick)\b(?:\s+(?:is|would be))?(?:\s+(?:with|as))?\s*:?`,
  String.raw`^[ \t]*going with\b`,
  // Corrections: no, wait: …
  String.raw`(?:^|[\s.,;!?…—–-])(?:no|wait|actually|sorry|correction|oops|scratch that|i mean|i meant|rather)\b(?:[\s,.;:!…—–-]+(?:no|wait|actually|sorry|i mean)\b)*\s*(?:(?:[,;:!…—–-]|\.\.+)+\s*(?:(?:it|that|this)(?:['’]s|\s+is|\s+should be|\s+must be)|should be|must be|make (?:it|that)|yes,?)?|(?:it|that|this)(?:['’]s|\s+is|\s+should be|\s+must be))`,
  // Neither A nor B but C: what follows says what is denied.
  String.raw`(?=\bneither\s+(?:option\s+|choice\s+)?\(?[A-Z]\)?\s+nor\b)`,
  // 我现在认为是……、改为……
  '(?:认为|觉得|改)(?:是|为|成|选)',
  // 正确的选项是……、说法错误的是……、不属于……的一项是……
  String.raw`的(?:选项|选择|说法|一项|一个|表述|那项|结论)?(?:应该|应当|应|就|只)?(?:是|为|有)\s*[:：]?`,
  String.raw`(?<!不)(?:正确|最佳|最合适|最符合)(?:的)?(?:选项|选择|说法|一项|一个|表述)?(?:应该|应当|应|就)?(?:是|为|[:：])\s*[:：]?`,
  // 故选……、应选……、我选择……
  String.raw`(?<![不勿可排多单供任备误错挑人筛评被入当])选(?:择)?(?!项|择|题|出|取|手|举|用)(?:的?是|为)?\s*[:：]?`,
  String.raw`(?:故|综上所述|综上|因此|所以|结论|更正|订正)(?:答案)?(?:应该?)?(?:是|为|选)?\s*[,:，：]`,
  '(?:应该?|应当|而|其实|所以|因此|故|就)(?:是|为)',
  String.raw`(?:^|[,.，。？?！!…\n])\s*(?:不|不对|不是)[,，]\s*(?:应该?)?是`,
  String.raw`^[ \t]*答\s*[:：]`,
])

const deniedForm =
  /(?:n['’]t|\bcannot|\bcan not)(?:\s+be)?(?:\s+(?:likely|probably))?[\s,:=]*$|不(?:可能|能|会|应该?)?(?:是|为|选)\s*[:：]?$|并非\s*[:：]?$/
/** I would not choose …, you might be tempted to choose …: the words between subject and verb count. */
const doubtful = /^(?:i|we|you|my|let)\b[^.,;:\n]*\b(?:not|never|might|may|could|tempted|initially|originally|first|cannot|\w+n['’]t)\b/i

const wrongBefore = /(?:\b(?:in|not )correct|\b(?:wrong|false)|错误的?|不(?:正确|对)的?)\s*$/i

/** All announcements of an answer in a text, in order; with `choices` also those specific to options. Suppositions are none. */
export function announcements(text: string, of: 'answers' | 'choices' = 'answers'): Announcement[] {
  const found: Announcement[] = []
  for (const form of of === 'choices' ? [...ofAnswers, ...ofChoices] : ofAnswers) {
    for (const { index, 0: words } of text.matchAll(form)) {
      // A relative clause may negate anything: 不正确的一项是……
      const stance = stanceBefore(text, index, words.startsWith('的') ? 'relative' : 'main')
      if (stance === 'supposed' || doubtful.test(words)) continue
      found.push({
        at: index,
        behind: index + words.length,
        isDenied: (stance === 'denied') !== deniedForm.test(words),
        isOfWrong: wrongBefore.test(text.slice(Math.max(0, index - 20), index)),
      })
    }
  }
  return found.sort((one, other) => one.behind - other.behind)
}
