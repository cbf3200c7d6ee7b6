/** A set of characters: a table for ASCII, and a test for the others that remembers what it was asked. */
export class PythonCharacters {
  /** One byte for each ASCII character. */
  readonly ascii = new Uint8Array(128)
  readonly #test: (character: string) => boolean
  readonly #known = new Map<number, boolean>()

  constructor(test: (character: string) => boolean) {
    this.#test = test
    for (let code = 0; code < 128; code++) if (test(String.fromCharCode(code))) this.ascii[code] = 1
  }

  has(code: number): boolean {
    if (code < 128) return this.ascii[code] === 1
    const known = this.#known.get(code)
    if (known !== undefined) return known
    const found = this.#test(String.fromCodePoint(code))
    if (this.#known.size < mostKnown) this.#known.set(code, found)
    return found
  }
}

const mostKnown = 1000

type Test = (character: string) => boolean

const matching =
  (expression: RegExp): Test =>
  (character) =>
    expression.test(character)

/** The classes of Python's regex module, which are Unicode's. */
export const classTests: Readonly<Record<string, Test>> = {
  d: matching(/^\p{Nd}$/u),
  s: matching(/^\p{White_Space}$/u),
  w: matching(/^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]$/u),
  h: matching(/^[\t\p{Zs}]$/u),
}

export const isWord = new PythonCharacters(classTests.w!)

export const not =
  (test: Test): Test =>
  (character) =>
    !test(character)

/** `\p{…}` by its name: `Lu`, `Script=Han`, `Han`, `IsHan`, `posix_alnum`; undefined if there is none. */
export function propertyTest(name: string): Test | undefined {
  const plain = name.replace(/^(?:is|posix)[ _-]?/iu, '')
  const [key, value] = plain.split(/[=:]/u)
  const posix = posixClasses[plain.toLowerCase()]
  if (posix !== undefined) return matching(new RegExp(`^${posix}$`, 'u'))
  const tries =
    value === undefined
      ? [plain, plain.toUpperCase(), titled(plain), ...['Script', 'General_Category'].map((kind) => `${kind}=${titled(plain)}`)]
      : [`${titled(key!)}=${titled(value)}`, `${key!.toLowerCase()}=${titled(value)}`]
  for (const source of tries) {
    try {
      return matching(new RegExp(`^\\p{${source}}$`, 'u'))
    } catch {
      // Not a property of this spelling.
    }
  }
  return undefined
}

/** `old italic` as Unicode writes it: `Old_Italic`. */
function titled(name: string): string {
  return name
    .trim()
    .split(/[ _-]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('_')
}

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '[\\p{Alphabetic}\\p{Nd}]',
  alpha: '\\p{Alphabetic}',
  blank: '[\\t\\p{Zs}]',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '[^\\p{White_Space}\\p{Cc}\\p{Cs}\\p{Cn}]',
  lower: '\\p{Lowercase}',
  print: '[^\\p{Cc}\\p{Cs}\\p{Cn}]',
  punct: '[\\p{P}\\p{S}]',
  space: '\\p{White_Space}',
  upper: '\\p{Uppercase}',
  word: '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]',
  xdigit: '[\\p{Nd}a-fA-F]',
  any: '[\\s\\S]',
}
