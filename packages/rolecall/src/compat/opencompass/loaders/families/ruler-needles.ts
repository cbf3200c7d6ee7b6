import { PythonRandom } from '../../../../python/library/random.ts'
import { substitute } from '../../../../python/regex/index.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { get, textOf } from '../row-values.ts'
import { fill, grown, numberIn, type Ruler, repeated, ruler, type Sample, sample } from './ruler.ts'
import { adjectiveNouns, type Indexed, wordList } from './ruler-words.ts'

const needleText = 'One of the special magic {type_needle_v} for {key} is: {value}.'
const depths = Array.from({ length: 40 }, (_, place) => Math.round(place * (100 / 39)))

type Needles = { keys: number; values: number; queries: number; haystack: string; keyKind: string; valueKind: string }

export const rulerNiah = ruler(
  'essays (for that haystack) and the word lists of the Python package wonderwords in the folder "wonderwords"; it needs the tokenizer of "tokenizer_model"',
  ['base_path', 'file_path', 'num_needle_k?', 'num_needle_v?', 'num_needle_q?', 'type_haystack?', 'type_needle_k?', 'type_needle_v?'],
  {
    toGenerate: 128,
    template:
      'Some special magic {type_needle_v} are hidden within the following text. Make sure to memorize it. I will quiz you about the {type_needle_v} afterwards.\n{context}\nWhat are all the special magic {type_needle_v} for {query} mentioned in the provided text? The special magic {type_needle_v} for {query} mentioned in the provided text are',
  },
  async (data, bench) => {
    const { settings, longest } = bench
    const queries = numberIn(settings, 'num_needle_q', 1)
    const needles: Needles = {
      keys: Math.max(numberIn(settings, 'num_needle_k', 1), queries),
      values: numberIn(settings, 'num_needle_v', 1),
      queries,
      haystack: settings.text('type_haystack', 'essay'),
      keyKind: settings.text('type_needle_k', 'words'),
      valueKind: settings.text('type_needle_v', 'numbers'),
    }
    if (!['essay', 'repeat', 'needle'].includes(needles.haystack)) throw new BadData(`the haystack "${needles.haystack}" is not known`)
    const isEssay = needles.haystack === 'essay'
    const essay = isEssay ? await essayWords(data, settings) : []
    const draw = drawer(bench.random, adjectiveNouns(await wordList(data, 'adjectivelist'), await wordList(data, 'nounlist')))
    const step = isEssay ? 500 : longest < 4096 ? 5 : 25
    const make = (size: number) => needleSample(bench, needles, draw, size, essay)
    const ends = isEssay ? { most: essay.length, comparesFirst: true } : {}
    return grown(bench, { step, make, shown: (answer) => answer.join(' '), ...ends })
  },
)

async function essayWords(data: Data, settings: Settings): Promise<string[]> {
  const file = await data.path(joinPath(settings.text('base_path'), settings.text('file_path')), { localMode: true })
  const texts = (await data.rows(file)).map((line) => `${textOf(get(line, 'text', '')).trim()} `)
  return substitute(String.raw`\s+`, ' ', texts.join('')).split(' ')
}

type Draw = (kind: string) => string

function drawer(random: PythonRandom, words: Indexed): Draw {
  return (kind) => {
    if (kind === 'numbers') return String(1_000_000 + random.below(9_000_000))
    if (kind === 'words') return words.at(random.below(words.length))
    if (kind === 'uuids') return uuid(random)
    throw new BadData(`needles of the type "${kind}" are not known`)
  }
}

/** `uuid.UUID(int=random.getrandbits(128), version=4)`. */
function uuid(random: PythonRandom): string {
  const words = Array.from({ length: 4 }, () => BigInt(random.bits(32)))
  let bits = words.reduce((sum, word, place) => sum | (word << BigInt(32 * place)), 0n)
  bits = (bits & ~(0xc000n << 48n)) | (0x8000n << 48n)
  bits = (bits & ~(0xf000n << 64n)) | (4n << 76n)
  const hex = bits.toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function needleSample({ random, seed, template }: Ruler, given: Needles, draw: Draw, size: number, essay: readonly string[]): Sample {
  const written = (key: string, value: string) => fill(needleText, { type_needle_v: given.valueKind, key, value })
  const drawn = Array.from({ length: given.keys }, () => {
    const key = draw(given.keyKind)
    return { key, values: Array.from({ length: given.values }, () => draw(given.valueKind)) }
  })
  const needles = drawn.flatMap(({ key, values }) => values.map((value) => written(key, value)))
  new PythonRandom(seed).shuffle(needles)
  const context =
    given.haystack === 'essay'
      ? essayWith(random, essay.slice(0, size), needles)
      : linesWith(
          random,
          Array.from({ length: size }, () =>
            given.haystack === 'repeat' ? repeated : written(draw(given.keyKind), draw(given.valueKind)),
          ),
          needles,
        )
  const asked = sample(random, drawn, given.queries)
  const keys = asked.map(({ key }) => key)
  const query = keys.length > 1 ? `${keys.slice(0, -1).join(', ')}, and ${keys.at(-1)}` : keys[0]!
  const isOne = given.queries * given.values === 1
  const wording = isOne
    ? template.replaceAll('Some', 'A').replaceAll('are all', 'is').replaceAll('are', 'is').replaceAll('answers', 'answer')
    : template
  const kind = isOne ? given.valueKind.slice(0, -1) : given.valueKind
  return { prompt: fill(wording, { type_needle_v: kind, context, query }), answer: asked.flatMap(({ values }) => values) }
}

/** The needles between the sentences of a text, at random depths. */
function essayWith(random: PythonRandom, words: readonly string[], needles: readonly string[]): string {
  const sentences = words
    .join(' ')
    .split('. ')
    .flatMap((sentence) => (sentence === '' ? [] : [sentence.trim()]))
  const drawn = sample(random, depths, needles.length).map((depth) => Math.trunc(sentences.length * (depth / 100)))
  const places = [0, ...drawn.sort((one, other) => one - other), sentences.length]
  const parts = places.slice(1).flatMap((place, index) => {
    const needle = needles[index]
    return [sentences.slice(places[index]!, place).join(' '), ...(needle === undefined ? [] : [needle])]
  })
  return parts.join(' ')
}

function linesWith(random: PythonRandom, lines: string[], needles: readonly string[]): string {
  const places = sample(random, [...lines.keys()], needles.length).sort((one, other) => other - one)
  for (const [index, place] of places.entries()) lines.splice(place, 0, needles[index]!)
  return lines.join('\n')
}
