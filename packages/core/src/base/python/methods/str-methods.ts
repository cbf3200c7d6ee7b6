import { typeError, valueError } from '../python-error.ts'
import { checkLength, touchCharacters } from '../python-limits.ts'
import { capitalize, casefold, characterTests, swapCase, titleCase } from '../values/characters.ts'
import { truthy } from '../values/compare.ts'
import { listOf } from '../values/sequence.ts'
import { hasPairs, indexOfOffset, lengthOf, offsetOf, strippedRange, wordRanges } from '../values/strings.ts'
import { blendText, charactersOf, joinTexts, mapText, plainText, type Str, sliceText } from '../values/text.ts'
import { stringOf, strOf, Tuple, typeName, Undefined, type Value } from '../values/value.ts'
import { bind, intArgument, type Method, positional } from './method.ts'

/** The methods of Python's `str`. Parts of a text keep their origins. */
export const strMethods: ReadonlyMap<string, Method<Str>> = new Map<string, Method<Str>>([
  ...(['strip', 'lstrip', 'rstrip'] as const).map((name): [string, Method<Str>] => [
    name,
    (_, self, args, kwargs) => {
      positional(name, 0, 1, args, kwargs)
      return stripStr(self, args[0] ?? null, name)
    },
  ]),
  ...(['split', 'rsplit'] as const).map((name): [string, Method<Str>] => [
    name,
    (counter, self, args, kwargs) => {
      const [separator = null, limit = -1] = bind(name, ['sep', 'maxsplit'], 0, args, kwargs)
      const parts = splitStr(self, separator === null ? undefined : text(separator), intArgument(limit), name === 'rsplit')
      counter.step(parts.length)
      return parts
    },
  ]),
  ['splitlines', (_, self, args, kwargs) => splitLines(self, truthy(bind('splitlines', ['keepends'], 0, args, kwargs)[0] ?? false))],
  ['upper', simple('upper', (self) => changeCase(self, (part) => part.toUpperCase()))],
  ['lower', simple('lower', (self) => changeCase(self, (part) => part.toLowerCase()))],
  ['casefold', simple('casefold', (self) => metered(self, changeCase, casefold))],
  ['title', simple('title', (self) => metered(self, changeWhole, titleCase))],
  ['capitalize', simple('capitalize', (self) => changeWhole(self, capitalize))],
  ['swapcase', simple('swapcase', (self) => changeCase(self, swapCase))],
  [
    'replace',
    (counter, self, args, kwargs) => {
      positional('replace', 2, 3, args, kwargs)
      const replaced = replaceStr(self, text(args[0]!), text(args[1]!), args[2] === undefined ? -1 : intArgument(args[2]))
      counter.step(plainText(self).length >> 8)
      return replaced
    },
  ],
  [
    'join',
    (counter, self, args, kwargs) => {
      positional('join', 1, 1, args, kwargs)
      if (args[0] instanceof Undefined) return ''
      const items = listOf(args[0]!).map((item, index) => {
        const part = strOf(item)
        if (part === undefined) throw typeError(`sequence item ${index}: expected str instance, ${typeName(item)} found`)
        return part
      })
      counter.step(items.length)
      return joinWith(self, items)
    },
  ],
  ['startswith', affix('startswith', (value, part) => value.startsWith(part))],
  ['endswith', affix('endswith', (value, part) => value.endsWith(part))],
  ['removeprefix', oneText('removeprefix', (self, part) => (plainText(self).startsWith(part) ? sliceText(self, part.length) : self))],
  [
    'removesuffix',
    oneText('removesuffix', (self, part) =>
      part !== '' && plainText(self).endsWith(part) ? sliceText(self, 0, plainText(self).length - part.length) : self,
    ),
  ],
  ['find', search('find', (value, part, from) => value.indexOf(part, from))],
  ['rfind', search('rfind', (value, part) => value.lastIndexOf(part))],
  ['index', search('index', (value, part, from) => value.indexOf(part, from))],
  ['rindex', search('rindex', (value, part) => value.lastIndexOf(part))],
  [
    'count',
    (_, self, args, kwargs) => {
      positional('count', 1, 3, args, kwargs)
      const range = inRange(self, args)
      const part = stringOf(args[0]) ?? expected(args[0]!)
      if (range === undefined) return 0
      const value = plainText(range)
      return part === '' ? lengthOf(value) + 1 : value.split(part).length - 1
    },
  ],
  ['partition', partition('partition', (value, part) => value.indexOf(part))],
  ['rpartition', partition('rpartition', (value, part) => value.lastIndexOf(part))],
  ['center', padding('center', (missing, width) => Math.floor(missing / 2) + (missing & width & 1))],
  ['ljust', padding('ljust', () => 0)],
  ['rjust', padding('rjust', (missing) => missing)],
  [
    'zfill',
    (_, self, args, kwargs) => {
      positional('zfill', 1, 1, args, kwargs)
      const value = plainText(self)
      const missing = intArgument(args[0]!) - lengthOf(value)
      checkLength(missing)
      if (missing <= 0) return self
      const sign = /^[-+]/.test(value) ? 1 : 0
      return joinTexts([sliceText(self, 0, sign), '0'.repeat(missing), sliceText(self, sign)])
    },
  ],
  [
    'expandtabs',
    (_, self, args, kwargs) => {
      const size = intArgument(bind('expandtabs', ['tabsize'], 0, args, kwargs)[0] ?? 8)
      checkLength(plainText(self).split('\t').length * size)
      return changeWhole(self, (value) => expandTabs(value, size))
    },
  ],
  ...Object.entries(characterTests).map(([name, test]): [string, Method<Str>] => [name, simple(name, (self) => test(plainText(self)))]),
])

function simple(name: string, run: (self: Str) => Value): Method<Str> {
  return (_, self, args, kwargs) => {
    positional(name, 0, 0, args, kwargs)
    return run(self)
  }
}

function text(value: Value): Str {
  return strOf(value) ?? expected(value)
}

function expected(value: Value): never {
  if (value instanceof Undefined) throw typeError('must be str, not Undefined')
  throw typeError(`must be str, not ${typeName(value)}`)
}

export function joinWith(separator: Str, items: readonly Str[]): Str {
  checkLength(items.reduce((sum, item) => sum + plainText(item).length + plainText(separator).length, 0))
  if (typeof separator === 'string' && items.every((item) => typeof item === 'string')) return items.join(separator)
  return joinTexts(items.flatMap((item, index) => (index === 0 ? [item] : [separator, item])))
}

/** For changes that go character by character. */
function metered(self: Str, change: typeof changeCase, by: (text: string) => string): Str {
  touchCharacters(plainText(self).length)
  return change(self, by)
}

/** Changes case piece by piece, unless context matters (a final sigma). */
export function changeCase(self: Str, change: (part: string) => string): Str {
  if (typeof self === 'string') return change(self)
  const whole = change(self.value)
  const byPiece = mapText(self, change)
  return plainText(byPiece) === whole ? byPiece : blendText(whole, self)
}

/** Changes the text as a whole; if the length stays the same, every piece keeps its origin. */
export function changeWhole(self: Str, change: (whole: string) => string): Str {
  if (typeof self === 'string') return change(self)
  const whole = change(self.value)
  if (whole.length !== self.value.length) return blendText(whole, self)
  let at = 0
  return mapText(self, (part) => {
    at += part.length
    return whole.slice(at - part.length, at)
  })
}

function expandTabs(value: string, size: number): string {
  let column = 0
  let expanded = ''
  for (const character of value) {
    if (character === '\t') {
      const spaces = size > 0 ? size - (column % size) : 0
      expanded += ' '.repeat(spaces)
      column += spaces
    } else {
      expanded += character
      column = character === '\n' || character === '\r' ? 0 : column + 1
    }
  }
  return expanded
}

function oneText(name: string, run: (self: Str, part: string) => Value): Method<Str> {
  return (_, self, args, kwargs) => {
    positional(name, 1, 1, args, kwargs)
    return run(self, stringOf(args[0]) ?? expected(args[0]!))
  }
}

function affix(name: string, matches: (value: string, part: string) => boolean): Method<Str> {
  return (_, self, args, kwargs) => {
    positional(name, 1, 3, args, kwargs)
    const part = stringOf(args[0])
    const range = args.length === 1 ? self : inRange(self, args)
    const holds = (one: string) => range !== undefined && matches(plainText(range), one)
    if (part !== undefined) return holds(part)
    if (args[0] instanceof Tuple) return args[0].items.some((item) => holds(stringOf(item) ?? expected(item)))
    throw typeError(`${name} first arg must be str or a tuple of str, not ${typeName(args[0]!)}`)
  }
}

function search(name: string, find: (value: string, part: string, from: number) => number): Method<Str> {
  return (_, self, args, kwargs) => {
    positional(name, 1, 3, args, kwargs)
    const part = stringOf(args[0]) ?? expected(args[0]!)
    const value = plainText(self)
    const [from, to] = rangeOf(self, args)
    const found = from > to ? -1 : find(value.slice(from, to), part, 0)
    if (found >= 0) return indexOfOffset(value, from + found)
    if (name.endsWith('index')) throw valueError('substring not found')
    return -1
  }
}

function rangeOf(self: Str, args: readonly Value[]): [number, number] {
  const value = plainText(self)
  const length = hasPairs(value) ? lengthOf(value) : value.length
  const clamp = (given: Value | undefined, fallback: number) => {
    if (given === undefined || given === null) return fallback
    const index = intArgument(given)
    return index < 0 ? Math.max(0, index + length) : index
  }
  const from = clamp(args[1], 0)
  const to = Math.min(clamp(args[2], length), length)
  if (from > length) return [1, 0]
  return [offsetOf(value, from), offsetOf(value, to)]
}

/** The range to search; undefined if it begins after its end, where not even the empty text is found. */
function inRange(self: Str, args: readonly Value[]): Str | undefined {
  const [from, to] = rangeOf(self, args)
  return from > to ? undefined : sliceText(self, from, to)
}

function partition(name: string, find: (value: string, part: string) => number): Method<Str> {
  return (_, self, args, kwargs) => {
    positional(name, 1, 1, args, kwargs)
    const part = stringOf(args[0]) ?? expected(args[0]!)
    if (part === '') throw valueError('empty separator')
    const at = find(plainText(self), part)
    if (at < 0) return new Tuple(name === 'partition' ? [self, '', ''] : ['', '', self])
    return new Tuple([sliceText(self, 0, at), sliceText(self, at, at + part.length), sliceText(self, at + part.length)])
  }
}

function padding(name: string, left: (missing: number, width: number) => number): Method<Str> {
  return (_, self, args, kwargs) => {
    positional(name, 1, 2, args, kwargs)
    const width = intArgument(args[0]!)
    const fill = args[1] === undefined ? ' ' : text(args[1])
    if (lengthOf(plainText(fill)) !== 1) throw typeError('The fill character must be exactly one character long')
    const missing = width - lengthOf(plainText(self))
    if (missing <= 0) return self
    checkLength(missing)
    const before = left(missing, width)
    return joinTexts([...Array<Str>(before).fill(fill), self, ...Array<Str>(missing - before).fill(fill)])
  }
}

/** `strip`, `lstrip` and `rstrip`: white space, or any of some characters. */
export function stripStr(self: Str, characters: Value, name: 'strip' | 'lstrip' | 'rstrip'): Str {
  const chosen = stringOf(characters)
  if (chosen === undefined && characters !== null) throw typeError(`${name} arg must be None or str`)
  return sliceText(self, ...strippedRange(plainText(self), chosen, ({ strip: 'both', lstrip: 'start', rstrip: 'end' } as const)[name]))
}

/** `split` and `rsplit`; without a separator, at stretches of white space. */
export function splitStr(self: Str, separator: Str | undefined, limit: number, fromRight: boolean): Str[] {
  touchCharacters(plainText(self).length >> 2)
  const value = plainText(self)
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit
  const cuts = separator === undefined ? wordRanges(value, most, fromRight) : separatorCuts(value, plainText(separator), most, fromRight)
  return cuts.map(([start, end]) => sliceText(self, start, end))
}

function separatorCuts(value: string, separator: string, most: number, fromRight: boolean): [number, number][] {
  if (separator === '') throw valueError('empty separator')
  const parts: [number, number][] = []
  if (fromRight) {
    let end = value.length
    while (parts.length < most) {
      const at = end - separator.length < 0 ? -1 : value.lastIndexOf(separator, end - separator.length)
      if (at < 0) break
      parts.push([at + separator.length, end])
      end = at
    }
    parts.push([0, end])
    return parts.reverse()
  }
  let start = 0
  while (parts.length < most) {
    const at = value.indexOf(separator, start)
    if (at < 0) break
    parts.push([start, at])
    start = at + separator.length
  }
  parts.push([start, value.length])
  return parts
}

// https://docs.python.org/3/library/stdtypes.html#str.splitlines
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

export function splitLines(self: Str, keepEnds = false): Str[] {
  const value = plainText(self)
  const lines: Str[] = []
  let start = 0
  for (const { index, 0: end } of value.matchAll(lineEnd)) {
    lines.push(sliceText(self, start, keepEnds ? index + end.length : index))
    start = index + end.length
  }
  if (start < value.length) lines.push(sliceText(self, start))
  return lines
}

/** Python's `replace`: an empty needle matches before every character and at the end. Replacements keep their origins. */
export function replaceStr(self: Str, needle: Str, replacement: Str, limit: number): Str {
  touchCharacters(plainText(self).length >> 2)
  const value = plainText(self)
  const old = plainText(needle)
  const most = limit < 0 ? Number.POSITIVE_INFINITY : limit
  if (typeof self === 'string' && typeof replacement === 'string' && old !== '' && most === Number.POSITIVE_INFINITY) {
    if (replacement.length > old.length) checkLength(value.length * Math.ceil(replacement.length / old.length))
    return value.replaceAll(old, () => replacement)
  }
  const parts: Str[] = []
  let last = 0
  let count = 0
  if (old === '') {
    const characters = charactersOf(self)
    checkLength(characters.length * (1 + plainText(replacement).length))
    for (const character of characters) {
      if (count++ < most) parts.push(replacement)
      parts.push(character)
    }
    if (count < most) parts.push(replacement)
    return joinTexts(parts)
  }
  for (let at = value.indexOf(old); at >= 0 && count < most; at = value.indexOf(old, last)) {
    parts.push(sliceText(self, last, at), replacement)
    last = at + old.length
    count++
  }
  if (count === 0) return self
  checkLength(value.length + count * plainText(replacement).length)
  parts.push(sliceText(self, last))
  return joinTexts(parts)
}
