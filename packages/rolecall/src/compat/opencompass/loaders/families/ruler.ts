import { splitSpace } from '@rolecall/core/internal/python'
import { NumpyRandom, PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import type { LoaderTokenizer } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { integer, isTrue } from '../row-values.ts'
import { fromColumns, type Table } from '../table.ts'

// RULER: prompts of a given length, made with seeded random numbers. The first loops draw numbers, too, so rows depend on the tokenizer.

/** A prompt and what it asks for. */
export type Sample = { prompt: string; answer: string[] }

/** What every class of RULER has. */
export type Ruler = {
  settings: Settings
  random: PythonRandom
  numbers: NumpyRandom
  tokenizer: LoaderTokenizer
  seed: number
  /** Tokens of the prompt and its answer. */
  longest: number
  toGenerate: number
  template: string
}

const common = [
  'max_seq_length?',
  'tokenizer_model?',
  'template?',
  'tokens_to_generate?',
  'num_samples?',
  'random_seed?',
  'remove_newline_tab?',
]

export const numberIn = (settings: Settings, key: string, otherwise: number) => integer(settings.get(key) ?? otherwise)

/** A draw that Python refuses: more items than there are. */
export class TooFew extends BadData {}

export function sample<Item>(random: PythonRandom, items: readonly Item[], count: number): Item[] {
  if (count < 0 || count > items.length) throw new TooFew(`${count} of ${items.length} items cannot be drawn`)
  return random.sample(items, count)
}

/** `str.format` with names. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name: string | undefined) => {
    if (name === undefined) return found[0]!
    const value = values[name]
    if (value === undefined) throw new BadData(`the template has the unknown field "${name}"`)
    return value
  })
}

/** A class of RULER: `open` reads its data and returns the samples. */
export function ruler(
  reads: string,
  own: readonly string[],
  defaults: { toGenerate: number; template: string },
  open: (data: Data, bench: Ruler) => Promise<Sample[]>,
): Loader {
  return {
    reads,
    takes: [...own, ...common],
    async load(data, settings) {
      const seed = numberIn(settings, 'random_seed', 42)
      const samples = await open(data, {
        settings,
        seed,
        random: new PythonRandom(seed),
        numbers: new NumpyRandom(seed),
        tokenizer: await data.tokenizer(settings.text('tokenizer_model', 'gpt-4')),
        longest: numberIn(settings, 'max_seq_length', 4096),
        toGenerate: numberIn(settings, 'tokens_to_generate', defaults.toGenerate),
        template: settings.text('template', defaults.template),
      })
      const isOneLine = isTrue(settings.get('remove_newline_tab') ?? '')
      return fromColumns({
        prompt: samples.map(({ prompt }) => (isOneLine ? splitSpace(prompt).join(' ') : prompt)),
        answer: samples.map(({ answer }) => answer),
      }) as Table
    },
  }
}

type Growth = {
  step: number
  /** The most there is of what grows. */
  most?: number
  /** `index`: the number of the sample; undefined while the size is looked for. */
  make: (size: number, index?: number) => Sample
  /** The answer as it is counted when looking for the size. */
  shown: (answer: readonly string[]) => string
  /** Whether a size is compared with the most before it grows, as for essays, or after. */
  comparesFirst?: boolean
  /** Variable tracking tries again with the same size. */
  keepsSize?: boolean
}

/** How often a prompt that is too long is drawn again at its smallest size; the reference tries for ever. */
const mostTries = 1000

/** The largest size that fits is looked for first; then each sample is drawn, smaller if it is too long. */
export function grown({ settings, tokenizer, longest, toGenerate }: Ruler, growth: Growth): Sample[] {
  const { step, most = Number.POSITIVE_INFINITY, make, shown, comparesFirst = false, keepsSize = false } = growth
  let size = step
  for (let length = 0; length + toGenerate < longest; ) {
    const { prompt, answer } = make(size)
    length = tokenizer.encode(prompt + shown(answer)).length
    if (length + toGenerate > longest) {
      size -= step
      break
    }
    if (!comparesFirst) size += step
    if (size > most) {
      size = most
      break
    }
    if (comparesFirst) size += step
  }
  return Array.from({ length: numberIn(settings, 'num_samples', 500) }, (_, index) => {
    let used = size
    for (let tries = 0; tries < mostTries; ) {
      const made = attempt(() => make(used, index))
      if (made && tokenizer.encode(made.prompt).length + toGenerate <= longest) return made
      if (used > step && !keepsSize) used -= step
      else tries++
    }
    throw new BadData(`no prompt fits into max_seq_length ${longest}: make it longer`)
  })
}

function attempt(make: () => Sample): Sample | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof TooFew) return undefined
    throw error
  }
}

/** The noise of RULER's texts. */
export const repeated = 'The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.'
