/** Scripts used by only one IFEval language. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh-cn', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['pa', /\p{Script=Gurmukhi}/gu],
  ['gu', /\p{Script=Gujarati}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['kn', /\p{Script=Kannada}/gu],
  ['ml', /\p{Script=Malayalam}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['devanagari', /\p{Script=Devanagari}/gu],
  ['latin', /\p{Script=Latin}/gu],
]

/** Letters and words that distinguish languages of one script; the last language is the default. */
const shared: Readonly<Record<string, readonly (readonly [language: string, marks: RegExp])[]>> = {
  cyrillic: [
    ['uk', /[іїєґ]/giu],
    ['mk', /[ѓѕјљњќџ]/giu],
    ['ru', /[ыэё]/giu],
    ['bg', /(?<![\p{L}])(?:на|от|се|са|че|ще|не|за)(?![\p{L}])|ъ/giu],
    ['ru', /\p{Script=Cyrillic}/giu],
  ],
  arabic: [
    ['ur', /[ٹڈڑںےہ]/gu],
    ['fa', /[پچژگکی]/gu],
    ['ar', /\p{Script=Arabic}/gu],
  ],
}

/** The most common words of languages in Devanagari: their letters are the same. */
const devanagari = wordLists({
  hi: 'है हैं में और का की के को से नहीं यह वह एक पर तो भी कि ने था थी थे हो कर लिए जो इस उस हम आप मैं कुछ सब अपने साथ या जब तक बहुत',
  mr: 'आहे आहेत आणि नाही मध्ये हे ही हा ती ते च्या चा ची चे साठी व पण आपण मी त्या या होते होता करून किंवा एक तो',
  ne: 'छ छन् छैन र को मा लाई पनि यो त्यो हो हुन्छ गर्न गर्ने गरेको भएको म हामी तपाईं तर लागि थियो एक',
})

/** The most common words of languages in Latin script. */
const latin = wordLists({
  en: 'the of and to in is that it for was on are as with his they be at one have this from or had by not but what all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would make like him into time has look two more write go see no way could my than first been call who its now find long down day did get come made may part',
  de: 'der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei ich wir ihr dies ganz heute',
  fr: 'le la les de des un une et à est en que qui pour dans ce il elle ne pas au sur se plus par je avec tout nous vous mais ou si leur cette son sa ses aux du être fait été sont',
  es: 'el la los las de que y en un una es se no por con para su al lo como más o pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien del son está',
  it: 'il lo la gli le di che e è un una per in non con si da come anche più del della dei delle nel alla sono ma ha questo se al dal o tra suo sua',
  pt: 'o a os as de que e do da em um uma para com não por mais dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso é são',
  nl: 'de het een van en in is dat op te voor met niet zijn aan er om ook als dan maar bij of uit nog naar heeft hij ze wordt door over deze dit was werd',
  sv: 'och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan man när',
  da: 'og i at det er en til af på som med den de for der ikke har et var han men om jeg fra vi kan',
  no: 'og i det er en som på til av med for at har de ikke den et var han men om jeg fra vi kan seg',
  fi: 'ja on ei se että oli hän mutta ovat niin kun kuin tai myös joka tämä sen ole olla mitä voi',
  pl: 'i w na się nie z do to że jest o jak za ale po co tak od przez dla czy są był tym być oraz jego jej ich',
  tr: 've bir bu da de için ile çok ne o gibi daha olan var mi ama kadar sonra en olarak değil her',
  id: 'yang dan di ini itu dengan untuk tidak dari dalam adalah pada akan ke juga saya ada atau bisa oleh kami kita mereka',
  vi: 'và của là có không được cho một những trong với các này đã người để khi từ như về đến cũng nhưng rất',
  sw: 'na ya wa kwa ni katika la za kuwa hii hiyo cha kama hivyo yake yao pia lakini sana watu kutoka wote',
  ro: 'și de în a la cu pe nu este că din un o pentru care se mai sunt au fost ca dar sau prin',
  cs: 'a v se na je že s z do o i to k ve pro za by ale jako po tak co jsou od při který není',
  hu: 'a az és hogy nem is egy ez de van csak meg mint már volt ha azt el kell még',
  ca: 'el la els les de que i en un una és per amb no del més com a però al aquest també són ha',
})

/** Spellings that are common in one language: they decide short texts, which have few common words. */
const spellings: Readonly<Record<string, RegExp>> = {
  en: /\w(?:ing|ght|ness|ful|ly|ed)\b|\b(?:th|wh|kn)\w|['’]s\b|\wsh\b|\w[^aeiou]y\b/g,
  de: /[äöüß]|sch|\wung\b|\wkeit\b/g,
  fr: /[èêëçœ]|\b[ldjnsc]['’]|eux\b|\waient\b/g,
  es: /[ñ¿¡]|ción\b|\widad\b/g,
  it: /zion[ei]\b|\wità\b|\b(?:un|l|dell)['’]|gli/g,
  pt: /[ãõ]|ções?\b|lh[aeo]|nh[aeo]/g,
  nl: /ij|[aou]{2}|sch|\wheid\b|eeu/g,
  sv: /å|\w(?:ningen|arna)\b/g,
  da: /[æø]|\wede\b/g,
  fi: /ää|yy|\w(?:ssa|ssä|lla|llä|nen)\b/g,
  pl: /[łąęśźż]|[cs]z|rz/g,
  tr: /[ığş]|\wl[ae]r\b/g,
  vi: /[ạảấầẩẫậắằẳẵặẹẻẽếềểễệịọốồổỗộớờởỡợụủứừửữựỳỵỷỹđơư]/g,
  ro: /[țșăî]/g,
  cs: /[ěřůčž]/g,
  hu: /[őű]|\w(?:ság|ség|ban|ben)\b/g,
}

function wordLists(lists: Readonly<Record<string, string>>): readonly (readonly [language: string, words: ReadonlySet<string>])[] {
  return Object.entries(lists).map(([language, list]) => [language, new Set(list.split(' '))] as const)
}

/** How much of a text is inspected: the first thousand words are enough to detect a language. */
const enough = 20_000

/**
 * The language of a text as an ISO code, by its script, letters and most common words; Chinese is zh-cn, as in langdetect.
 * Undefined if it has no letters.
 *
 * @example
 * languageOf('Das ist nicht so schwer, wie es aussieht.') // => 'de'
 */
export function languageOf(text: string): string | undefined {
  const start = text.slice(0, enough)
  const counts = scripts.map(([name, letters]) => [name, start.match(letters)?.length ?? 0] as const)
  const kana = counts[0]![1]
  const [script, most] = counts.reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0] as readonly [string, number])
  if (most === 0) return undefined
  // Japanese text has more Chinese characters than kana.
  if (script === 'zh-cn' && kana > most / 10) return 'ja'
  if (script === 'latin') return byWords(start, latin)
  if (script === 'devanagari') return byWords(start, devanagari)
  return shared[script]?.find(([, marks]) => marks.test(start) || start.search(marks) >= 0)?.[0] ?? script
}

/** The language with the most common words; a spelling counts half a word. */
function byWords(text: string, lists: typeof latin): string {
  const lower = text.toLowerCase()
  const said = lower.match(/[\p{L}\p{M}]+/gu) ?? []
  const hits = lists.map(([language, list]) => {
    const spelt = spellings[language] ? (lower.match(spellings[language])?.length ?? 0) / 2 : 0
    return [language, said.filter((word) => list.has(word)).length + spelt] as const
  })
  return hits.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}
