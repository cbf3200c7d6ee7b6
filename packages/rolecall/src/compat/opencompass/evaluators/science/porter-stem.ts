import { rougeTokenize } from '../../../../evaluation/score/evaluate/rouge.ts'

/** Words whose stem the rules would get wrong. */
const irregular = new Map(
  Object.entries({
    sky: 'sky skies',
    die: 'dying',
    lie: 'lying',
    tie: 'tying',
    news: 'news',
    inning: 'innings inning',
    outing: 'outings outing',
    canning: 'cannings canning',
    howe: 'howe',
    proceed: 'proceed',
    exceed: 'exceed',
    succeed: 'succeed',
  }).flatMap(([stem, words]) => words.split(' ').map((word) => [word, stem] as const)),
)

/** c for a consonant, v for a vowel, of each letter; y is a vowel after a consonant. */
function shapeOf(word: string): string {
  let shape = ''
  for (const letter of word) shape += /[aeiou]/.test(letter) || (letter === 'y' && shape.endsWith('c')) ? 'v' : 'c'
  return shape
}

/** How often vowels are followed by consonants. */
const measure = (word: string) => shapeOf(word).match(/v+c+/g)?.length ?? 0
const hasVowel = (word: string) => shapeOf(word).includes('v')
const endsDouble = (word: string) => word.length > 1 && word.at(-1) === word.at(-2) && shapeOf(word).endsWith('c')

/** Consonant, vowel, consonant (not w, x or y): such a stem has lost an e. */
function endsShort(word: string): boolean {
  const shape = shapeOf(word)
  return (shape.endsWith('cvc') && !/[wxy]$/.test(word)) || (word.length === 2 && shape === 'vc')
}

type Rule = readonly [suffix: string, replacement: string, holds?: (stem: string) => boolean]

/** The first rule whose suffix the word has; a word whose stem does not fulfil its condition stays as it is. */
function apply(word: string, rules: readonly Rule[], otherwise: (stem: string) => boolean = () => true): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const [suffix, replacement, holds = otherwise] = rule
  const stem = word.slice(0, word.length - suffix.length)
  return holds(stem) ? stem + replacement : word
}

const rulesOf = (text: string): Rule[] => text.split(' ').map((rule) => rule.split('>') as [string, string])

const plurals = rulesOf('sses>ss ies>i ss>ss s>')
const longSuffixes: readonly Rule[] = [
  ...rulesOf('ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize ation>ate'),
  ...rulesOf('ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful'),
  ['logi', 'log', (stem) => measure(`${stem}l`) > 0],
]
const shortSuffixes = rulesOf('icate>ic ative> alize>al iciti>ic ical>ic ful> ness>')
const lastSuffixes: readonly Rule[] = [
  ...rulesOf('al> ance> ence> er> ic> able> ible> ant> ement> ment> ent>'),
  ['ion', '', (stem) => measure(stem) > 1 && /[st]$/.test(stem)],
  ...rulesOf('ou> ism> ate> iti> ous> ive> ize>'),
]

function withoutTense(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, -3) + (word.length === 4 ? 'ie' : 'i')
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = ['ed', 'ing'].find((one) => word.endsWith(one) && hasVowel(word.slice(0, -one.length)))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function withoutLongSuffix(word: string): string {
  if (word.endsWith('alli') && measure(word.slice(0, -4)) > 0) return withoutLongSuffix(word.slice(0, -2))
  return apply(word, longSuffixes, (stem) => measure(stem) > 0)
}

function withoutLastE(word: string): string {
  if (!word.endsWith('e')) return word
  const stem = word.slice(0, -1)
  return measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem)) ? stem : word
}

/**
 * The stem of an English word in lower case, by Porter's algorithm with the extensions of NLTK.
 *
 * @example
 * porterStem('relational') // => 'relat'
 */
export function porterStem(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (word.length <= 2) return word
  let stem = word.endsWith('ies') && word.length === 4 ? word.slice(0, -1) : apply(word, plurals)
  stem = withoutTense(stem)
  if (stem.endsWith('y') && stem.length > 2 && shapeOf(stem).at(-2) === 'c') stem = `${stem.slice(0, -1)}i`
  stem = apply(withoutLongSuffix(stem), shortSuffixes, (one) => measure(one) > 0)
  stem = withoutLastE(apply(stem, lastSuffixes, (one) => measure(one) > 1))
  return stem.endsWith('ll') && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem
}

/** The words of a text, the longer ones as stems, as google-research's rouge compares them with `use_stemmer`. */
export function rougeStems(text: string): string[] {
  return rougeTokenize(text).map((word) => (word.length > 3 ? porterStem(word) : word))
}
