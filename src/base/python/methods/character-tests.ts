import { isSpace } from '../values/space.ts'

const every = (pattern: RegExp) => (value: string) => value !== '' && pattern.test(value)

/** The `is…` methods of Python's `str`. Categories come with the JavaScript engine's Unicode version. */
export const characterTests: Readonly<Record<string, (value: string) => boolean>> = {
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isalpha: every(/^\p{L}+$/u),
  isascii: (value) => !/[^\0-\x7f]/.test(value),
  isdecimal: every(/^\p{Nd}+$/u),
  isdigit: every(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490]+$/u),
  isidentifier: every(/^[\p{ID_Start}_][\p{ID_Continue}]*$/u),
  isnumeric: every(/^\p{N}+$/u),
  isprintable: (value) => !/(?! )[\p{C}\p{Z}]/u.test(value),
  isspace: (value) => value !== '' && [...value].every((character) => character.length === 1 && isSpace(character.charCodeAt(0))),
  islower: (value) => /\p{Lowercase}/u.test(value) && !/[\p{Uppercase}\p{Lt}]/u.test(value),
  isupper: (value) => /\p{Uppercase}/u.test(value) && !/[\p{Lowercase}\p{Lt}]/u.test(value),
  istitle(value) {
    let inWord = false
    let any = false
    for (const character of value) {
      if (/[\p{Uppercase}\p{Lt}]/u.test(character)) {
        if (inWord) return false
        inWord = true
        any = true
      } else if (/\p{Lowercase}/u.test(character)) {
        if (!inWord) return false
        any = true
      } else inWord = false
    }
    return any
  },
}
