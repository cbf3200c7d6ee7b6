import { compareCodePoints, stripEnd } from '@rolecall/core/internal/python'
import { MissingData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Data } from '../loader-data.ts'

/** A word list of the Python package wonderwords, which RULER draws from: its files are read from a folder of that name. */
export async function wordList(data: Data, name: string): Promise<string[]> {
  const file = joinPath('wonderwords', `${name}.txt`)
  if (!(await data.exists(file)))
    throw new MissingData(
      `${file} is not here: copy the word lists of the Python package wonderwords (its folder "assets") into a folder "wonderwords"`,
      file,
    )
  return (await data.lines(file)).map((line) => stripEnd(line))
}

/** A list that is not held in memory. */
export type Indexed = { length: number; at(index: number): string }

/** All pairs `adjective-noun`, sorted and each once: nine million, of which RULER needs a few. */
export function adjectiveNouns(adjectives: readonly string[], nouns: readonly string[]): Indexed {
  const tails = [...new Set(nouns)].sort(compareCodePoints)
  const heads = [...new Set(adjectives)].map((adjective) => `${adjective}-`).sort(compareCodePoints)
  const groups: { from: number; words: Indexed }[] = []
  let length = 0
  for (let first = 0; first < heads.length; ) {
    // Pairs of "long-" and "long-term-" interleave.
    let next = first + 1
    while (next < heads.length && heads[next]!.startsWith(heads[first]!)) next++
    const words = pairsOf(heads.slice(first, next), tails)
    groups.push({ from: length, words })
    length += words.length
    first = next
  }
  return {
    length,
    at(index) {
      let [low, high] = [0, groups.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if (groups[middle]!.from <= index) low = middle
        else high = middle - 1
      }
      const { from, words } = groups[low]!
      return words.at(index - from)
    },
  }
}

function pairsOf(heads: readonly string[], tails: readonly string[]): Indexed {
  const [head] = heads
  if (heads.length === 1) return { length: tails.length, at: (index) => `${head}${tails[index]}` }
  const words = [...new Set(heads.flatMap((one) => tails.map((tail) => `${one}${tail}`)))].sort(compareCodePoints)
  return { length: words.length, at: (index) => words[index]! }
}
