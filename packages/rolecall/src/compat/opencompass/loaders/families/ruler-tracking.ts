import { compareCodePoints, floatOf, pyRepr } from '@rolecall/core/internal/python'
import { type NumpyRandom, PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import { fill, grown, numberIn, repeated, ruler, type Sample, sample, TooFew } from './ruler.ts'
import { wordList } from './ruler-words.ts'

const numbered = (words: readonly string[]) => words.map((word, place) => `${place + 1}. ${word}`).join(' ')

export const rulerCwe = ruler(
  'the word lists of the Python package wonderwords in the folder "wonderwords"; it needs the tokenizer of "tokenizer_model"',
  ['freq_cw?', 'freq_ucw?', 'num_cw?'],
  {
    toGenerate: 120,
    template:
      'Below is a numbered list of words. In these words, some appear more often than others. Memorize the ones that appear most often.\n{context}\nQuestion: What are the 10 most common words in the above list? Answer: The top 10 words that appear most often in the list are:',
  },
  async (data, bench) => {
    const { settings, random, seed, longest, template } = bench
    const lists = [await wordList(data, 'nounlist'), await wordList(data, 'adjectivelist'), await wordList(data, 'verblist')]
    const words = new PythonRandom(seed).shuffle([...new Set(lists.flat())].sort(compareCodePoints))
    const frequent = numberIn(settings, 'num_cw', 10)
    const listed = (size: number, often: number, rarely: number) => {
      const drawn = sample(random, words, size)
      const [top, others] = [drawn.slice(0, frequent), drawn.slice(frequent)]
      const times = (some: readonly string[], count: number) => Array.from({ length: count }, () => some).flat()
      const all = new PythonRandom(seed).shuffle([...times(top, often), ...times(others, rarely)])
      return { top, prompt: fill(template, { context: numbered(all), query: '' }) }
    }
    const [often, rarely] = [numberIn(settings, 'freq_cw', 30), numberIn(settings, 'freq_ucw', 3)]
    const make = (size: number): Sample => {
      const example = longest < 4096 ? listed(20, 3, 1) : listed(40, 10, 3)
      const asked = longest < 4096 ? listed(size, 6, 1) : listed(size, often, rarely)
      return { prompt: `${example.prompt}${numbered(example.top)}\n${asked.prompt}`, answer: asked.top }
    }
    return grown(bench, { step: 10, most: words.length, make, shown: (answer) => ` ${numbered(answer)}` })
  },
)

/** Riemann's zeta function for arguments above 1, by Euler and Maclaurin's formula. */
function zeta(exponent: number): number {
  const from = 20
  let sum = 0
  for (let term = 1; term < from; term++) sum += term ** -exponent
  const last = from ** -exponent
  const correction = last * (from / (exponent - 1) + 0.5 + exponent / (12 * from))
  const third = (exponent * (exponent + 1) * (exponent + 2)) / (720 * from ** 3)
  const fifth = (exponent * (exponent + 1) * (exponent + 2) * (exponent + 3) * (exponent + 4)) / (30240 * from ** 5)
  return sum + correction + last * (fifth - third)
}

const lowerCase = [...'abcdefghijklmnopqrstuvwxyz']

export const rulerFwe = ruler(
  'nothing: coded words are drawn at random; it needs the tokenizer of "tokenizer_model"',
  ['alpha?', 'coded_wordlen?', 'vocab_size?'],
  {
    toGenerate: 50,
    template:
      "Read the following coded text and track the frequency of each coded word. Find the three most frequently appeared coded words. {context}\nQuestion: Do not provide any explanation. Please ignore the dots '....'. What are the three most frequently appeared words in the above coded text? Answer: According to the coded text above, the three most frequently appeared words are:",
  },
  async (_data, { settings, random, seed, longest, template, tokenizer }) => {
    const alpha = floatOf(settings.get('alpha') ?? 2) ?? 0
    if (!(alpha > 1)) throw new BadData('"alpha" is not a number above 1')
    const letters = numberIn(settings, 'coded_wordlen', 6)
    const given = numberIn(settings, 'vocab_size', -1)
    const size = given === -1 ? Math.floor(longest / 50) : given
    const shares = Array.from({ length: size }, (_, place) => (alpha === 2 ? 1 / (place + 1) ** 2 : (place + 1) ** -alpha))
    const whole = alpha === 2 ? Math.PI ** 2 / 6 : zeta(alpha)
    const vocabulary = () => {
      const word = () => random.choices(lowerCase, letters).join('')
      const words = Array.from({ length: size }, word)
      while (new Set(words).size < size) words.push(word())
      const shuffled = new PythonRandom(seed).shuffle([...new Set(words)].sort(compareCodePoints))
      // The most frequent word is noise.
      return ['...', ...shuffled.slice(1)]
    }
    const text = (words: readonly string[], count: number) => {
      const all = words.flatMap((word, place) =>
        Array.from({ length: Math.max(0, Math.trunc((count * shares[place]!) / whole)) }, () => word),
      )
      return fill(template, { context: new PythonRandom(seed).shuffle(all).join(' '), query: '' })
    }
    const lengthOf = (prompt: string) => tokenizer.encode(prompt).length
    const step = Math.floor(longest / 32)
    const first = vocabulary()
    let most = Math.floor(longest / letters)
    while (lengthOf(text(first, most)) < longest) most += step
    most -= step
    return Array.from({ length: numberIn(settings, 'num_samples', 500) }, () => {
      const words = vocabulary()
      let count = most
      while (lengthOf(text(words, count)) > longest) {
        if (count < 0) throw new BadData(`no prompt fits into max_seq_length ${longest}: make it longer`)
        count -= step
      }
      return { prompt: text(words, count), answer: words.slice(1, 4) }
    })
  },
)

const upperCase = lowerCase.map((letter) => letter.toUpperCase())

export const rulerVt = ruler(
  'nothing: variables are drawn at random; it needs the tokenizer of "tokenizer_model"',
  ['num_chains?', 'num_hops?'],
  {
    toGenerate: 30,
    template:
      'Memorize and track the chain(s) of variable assignment hidden in the following text.\n\n{context}\nQuestion: Find all variables that are assigned the value {query} in the text above. Answer: According to the chain(s) of variable assignment in the text above, {num_v} variables are assigned the value {query}, they are: ',
  },
  async (_data, bench) => {
    const { settings, random, numbers, template } = bench
    const [chains, hops] = [numberIn(settings, 'num_chains', 1), numberIn(settings, 'num_hops', 4)]
    const make = (size: number): Sample => {
      const drawn = chainsOf(random, numbers, chains, hops)
      let sentences = Array.from({ length: size }, () => `${repeated}\n`)
      let assigned = drawn.map(({ lines }) => lines)
      if (sentences.length <= assigned[0]!.length) {
        sentences = sentences.flatMap((sentence) => sentence.split('.')).map((part) => (part.trim() === '' ? part : `${part}.`))
        if (sentences.length <= assigned[0]!.length) assigned = assigned.map((lines) => lines.slice(0, sentences.length - 1))
      }
      for (const lines of assigned) {
        const places = sample(random, [...sentences.keys()], lines.length).sort((one, other) => one - other)
        for (const [index, place] of places.entries()) sentences.splice(place + index, 0, lines[index]!)
      }
      const context = sentences.join(' ').replaceAll('. \n', '.\n')
      const query = assigned[0]![0]!.split('=').at(-1)!.trim()
      return { prompt: fill(template, { context, query, num_v: String(hops + 1) }), answer: drawn[0]!.names }
    }
    return grown(bench, { step: 10, make, shown: (answer) => ` ${pyRepr([...answer])}`, keepsSize: true })
  },
)

/** Chains of assignments: the first variable has a number, each other one the variable before it. */
function chainsOf(random: PythonRandom, numbers: NumpyRandom, chains: number, hops: number): { names: string[]; lines: string[] }[] {
  const name = () => random.choices(upperCase, 5).join('')
  const names = Array.from({ length: (hops + 1) * chains }, name)
  while (new Set(names).size < chains * (hops + 1)) names.push(name())
  return Array.from({ length: Math.ceil(names.length / (hops + 1)) }, (_, chain) => {
    const own = names.slice(chain * (hops + 1), (chain + 1) * (hops + 1))
    const lines = [`VAR ${own[0]} = ${10_000 + numbers.upTo(89_998)}`]
    if (own.length <= hops) throw new TooFew('two variables have the same name')
    for (let hop = 0; hop < hops; hop++) lines.push(`VAR ${own[hop + 1]} = VAR ${own[hop]} `)
    return { names: own, lines }
  })
}
