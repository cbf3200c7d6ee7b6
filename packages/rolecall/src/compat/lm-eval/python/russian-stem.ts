/**
 * The stem of a Russian word as nltk's `RussianStemmer` finds it: the Snowball algorithm on the letters of a transliteration, so that an
 * ending may also be a part of what another letter is written as ("uet" of "воюет", whose "ю" is "i^u").
 * @see https://snowballstem.org/algorithms/russian/stemmer.html
 */
export function russianStem(word: string): string {
  if (!/[^\0-\xff]/.test(word)) return word
  const latin = toLatin(word)
  const { region, second } = regionsOf(latin)
  const left = withoutInflection(region).replace(/i$/, '')
  const plain = withoutDerivation(left, second - (region.length - left.length))
  return toCyrillic(withoutEnd(latin.slice(0, latin.length - region.length) + plain))
}

// й and э share a letter with и and е; ъ and ь are marks.
const letters: readonly (readonly [cyrillic: string, latin: string])[] = [
  ...[...'абвгдезиклмнопрстуфы'].map((letter, index) => [letter, 'abvgdeziklmnoprstufy'[index]!] as const),
  ...(['ё=e', 'ж=zh', 'й=i`', 'х=kh', 'ц=t^s', 'ч=ch', 'ш=sh', 'щ=shch', "ъ=''", "ь='", 'э=e`', 'ю=i^u', 'я=i^a'] as const).map(
    (pair) => pair.split('=') as [string, string],
  ),
]
const latinOf: ReadonlyMap<string, string> = new Map(
  letters.flatMap(([letter, latin]) => [
    [letter, latin],
    [letter.toUpperCase(), latin],
  ]),
)

function toLatin(text: string): string {
  return Array.from(text, (letter) => latinOf.get(letter) ?? letter).join('')
}

/** In this order: "kh" is taken before "k", and "'" last. */
const backward =
  "i^u=ю i^a=я shch=щ kh=х t^s=ц ch=ч e`=э i`=й sh=ш k=к e=е zh=ж a=а b=б v=в g=г d=д z=з i=и l=л m=м n=н o=о p=п r=р s=с t=т u=у f=ф ''=ъ y=ы '=ь"
    .split(' ')
    .map((pair) => pair.split('=') as [string, string])

function toCyrillic(text: string): string {
  return backward.reduce((now, [latin, letter]) => now.replaceAll(latin, letter), text)
}

/** The part after the first vowel, and how much of its end lies after two vowels that a consonant follows. */
function regionsOf(latin: string): { region: string; second: number } {
  const single = latin.replaceAll('i^a', 'A').replaceAll('i^u', 'U').replaceAll('e`', 'E')
  const length = (text: string) => text.replace(/[AU]/g, 'xxx').replace(/E/g, 'xx').length
  const after = /^[^AUEaeiouy]*[AUEaeiouy]/.exec(single)?.[0].length ?? single.length
  const first = afterConsonant(single)
  return { region: latin.slice(latin.length - length(single.slice(after))), second: length(afterConsonant(first)) }
}

/** What follows the first consonant after a vowel. */
function afterConsonant(text: string): string {
  const found = /[AUEaeiouy][^AUEaeiouy]/.exec(text)
  return found ? text.slice(found.index + 2) : ''
}

/** An ending; some must follow а or я. */
type Ending = { text: string; isAfterVowel: boolean }

/** Endings in Cyrillic, the longest first. */
function endings(afterVowel: string, anywhere: string): Ending[] {
  const read = (list: string, isAfterVowel: boolean) =>
    list
      .split(' ')
      .filter((text) => text !== '')
      .map((text): Ending => ({ text: toLatin(text), isAfterVowel }))
  return [...read(afterVowel, true), ...read(anywhere, false)].sort((one, other) => other.text.length - one.text.length)
}

const gerund = endings('в вши вшись', 'ив ивши ившись ыв ывши ывшись')
const plainAdjective = 'ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею'
const withParticiple = (participles: string) =>
  participles
    .split(' ')
    .flatMap((participle) => plainAdjective.split(' ').map((ending) => participle + ending))
    // nltk has this ending in another spelling, which no word has.
    .filter((ending) => ending !== 'ующая')
    .join(' ')
const adjective = endings(withParticiple('ем нн вш ющ щ'), `${withParticiple('ивш ывш ующ')} ${plainAdjective}`)
const verb = endings(
  'ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно',
  'ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ю',
)
const noun = endings('', 'а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я')

function withoutInflection(region: string): string {
  const perfective = without(region, gerund)
  if (perfective !== undefined) return perfective
  const plain = region.replace(/(?:si\^a|s')$/, '')
  return without(plain, adjective) ?? without(plain, verb) ?? without(plain, noun) ?? plain
}

/** A text without the longest of these endings that it may lose; undefined if there is none. */
function without(text: string, list: readonly Ending[]): string | undefined {
  const found = list.find(
    (ending) => text.endsWith(ending.text) && (!ending.isAfterVowel || /(?:a|i\^a)$/.test(text.slice(0, text.length - ending.text.length))),
  )
  return found && text.slice(0, text.length - found.text.length)
}

/** A text without the ending of an abstract noun, if that lies in the last `second` letters. */
function withoutDerivation(text: string, second: number): string {
  const found = /ost'?$/.exec(text)
  return found && found[0].length <= second ? text.slice(0, found.index) : text
}

/** A text without the superlative, a double н and the soft sign. */
function withoutEnd(text: string): string {
  const superlative = text.replace(/ei`she?$/, '')
  if (text.endsWith('nn')) return text.slice(0, -1)
  if (superlative !== text) return superlative.replace(/nn$/, 'n')
  return text.replace(/'$/, '')
}
