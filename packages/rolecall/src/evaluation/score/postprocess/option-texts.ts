import type { Row } from '@rolecall/core/internal/conversation'
import { dictGet, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { withoutMarkup } from './answer-text.ts'

/** The texts of a row's options, to recognize an option that is named by its text. */
export class OptionTexts {
  readonly #letters = new Map<string, string>()
  readonly #longest: number

  /** `choices`: the columns of the texts in order, or one column with a list, or with lines "(A) …". */
  constructor(row: Row | undefined, choices: string | readonly string[] | undefined, options: string) {
    const ambiguous = new Set<string>()
    listed(row, choices).forEach((value, index) => {
      if (value === undefined || value === null) return
      const text = spelling(withoutMarkup(pyStr(value)))
      // A text that is a letter is indistinguishable from a label.
      if (text === '' || /^[a-z]$/.test(text) || this.#letters.has(text)) ambiguous.add(text)
      this.#letters.set(text, options[index] ?? '')
    })
    for (const text of ambiguous) this.#letters.delete(text)
    this.#longest = Math.max(0, ...[...this.#letters.keys()].map(({ length }) => length))
  }

  /** The option whose text this is. */
  whole(text: string): string | undefined {
    return text.length > 2 * this.#longest + 20 ? undefined : this.#letters.get(spelling(text))
  }

  /** The option whose text a statement begins with: "20 m/s, because …". */
  start(text: string): string | undefined {
    if (this.#letters.size === 0) return undefined
    for (const { index } of text.slice(0, this.#longest + 20).matchAll(/(?=[,.;:(。，；：]|\s+(?:because|since|which|as it)\b|因为)/g)) {
      const letter = index === 0 ? undefined : this.whole(text.slice(0, index))
      if (letter !== undefined) return letter
    }
    return undefined
  }

  /** Whether an option's own text follows its label: "H. All residents". */
  follows(text: string, { letters, end }: { letters: string; end: number }): boolean {
    const rest = text.slice(end, end + this.#longest + 20)
    const own = [...this.#letters].find(([, letter]) => letter === letters)?.[0]
    return own !== undefined && /^[\s.:)\]-]/.test(rest) && spelling(rest.replace(/^[\s.:)\]"'-]+/, '')).startsWith(own)
  }

  /** The option whose text ends a sentence that names no other option: "The capital is London." */
  end(sentence: string): string | undefined {
    if (this.#letters.size === 0 || sentence.length > 300) return undefined
    const said = spelling(sentence)
    const named = [...this.#letters].filter(([text]) => hasWords(said, text)).sort(([one], [other]) => other.length - one.length)
    const [longest] = named
    if (longest === undefined || !said.endsWith(longest[0]) || named.some(([text]) => !longest[0].includes(text))) return undefined
    const before = said.slice(0, said.length - longest[0].length)
    return negated.test(before) ? undefined : longest[1]
  }
}

const negated = /\b(?:not|never|nor|no|neither|or|if|whether|unlike)\b|n['’]t\b|[不非没否或如]/

function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const isWhole = !/[a-z0-9]/.test((text[at - 1] ?? '') + (text[at + words.length] ?? ''))
    if (isWhole || !/^[a-z0-9]|[a-z0-9]$/.test(words)) return true
  }
  return false
}

function listed(row: Row | undefined, choices: string | readonly string[] | undefined): readonly (PyValue | undefined)[] {
  if (row === undefined || choices === undefined) return []
  if (typeof choices !== 'string') return choices.map((name) => dictGet(row, name))
  const value = dictGet(row, choices)
  if (isList(value)) return value
  return [...pyStr(value ?? '').matchAll(/^\s*\(([A-Z])\)[ \t]*(.+)$/gm)].map(([, , choice]) => choice)
}

/** Normalizes texts that are compared as a whole. */
function spelling(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“‘(]+|[\s"'”’).,;:!。，；]+$/g, '')
}
