import { type JsonOptions, plainJson, toJson } from '../../python/json/stringify-json.ts'
import { intArgument } from '../../python/methods/method.ts'
import { changeCase, changeWhole, joinWith, replaceStr, splitLines, splitStr, stripStr } from '../../python/methods/str-methods.ts'
import { PythonError, typeError, valueError } from '../../python/python-error.ts'
import { checkLength, touchCharacters } from '../../python/python-limits.ts'
import { capitalize } from '../../python/values/characters.ts'
import { truthy } from '../../python/values/compare.ts'
import { entriesOf } from '../../python/values/dict.ts'
import { percentFormat } from '../../python/values/percent-format.ts'
import { escapeHtml, escapeText, repr, str } from '../../python/values/repr.ts'
import { lengthOfValue, listOf } from '../../python/values/sequence.ts'
import { isSpace, lengthOf, offsetOf } from '../../python/values/strings.ts'
import { blendText, joinTexts, mapText, plainText, type Str, sliceText } from '../../python/values/text.ts'
import { isDictValue, isInt, isStr, Markup, stringOf, strOf, Tuple, typeName, Undefined, type Value } from '../../python/values/value.ts'
import { attributeGetter, type Filter, filter, filterArgumentError, onText, softStr } from './filter.ts'

/** Filters that return text. */
export const textFilters: readonly [string, Filter][] = [
  filter('upper', [], 0, (_, input) => onText(input, (text) => changeCase(text, (part) => part.toUpperCase()))),
  filter('lower', [], 0, (_, input) => onText(input, (text) => changeCase(text, (part) => part.toLowerCase()))),
  filter('capitalize', [], 0, (_, input) => onText(input, (text) => changeWhole(text, capitalize))),
  filter('title', [], 0, (_, input) => changeWhole(str(softStr(input)), titleWords)),
  filter('trim', ['chars'], 0, (_, input, characters = null) => onText(input, (text) => stripStr(text, characters, 'strip'))),
  filter('string', [], 0, (_, input) => softStr(input)),
  filter('safe', [], 0, (_, input) => (input instanceof Markup ? input : new Markup(str(input)))),
  filter('escape', [], 0, (_, input) => escapeHtml(input)),
  filter('e', [], 0, (_, input) => escapeHtml(input)),
  filter('forceescape', [], 0, (_, input) => new Markup(escapeText(str(input)))),
  filter('striptags', [], 0, (_, input) => stripTags(str(input))),
  filter('center', ['width'], 0, (_, input, width = 80) => onText(input, (text) => center(text, intArgument(width)))),
  filter('replace', ['old', 'new', 'count'], 2, (runtime, input, old = null, replacement = null, count = null) => {
    const text = str(input)
    runtime.step(plainText(text).length >> 8)
    return replaceStr(text, str(old), str(replacement), count === null ? -1 : intArgument(count))
  }),
  filter('join', ['d', 'attribute'], 0, (runtime, input, separator = '', attribute = null) => {
    const items = listOf(input)
    runtime.step(items.length)
    const get = attribute === null ? undefined : attributeGetter(attribute)
    return joinWith(
      str(separator),
      items.map((item) => str(get === undefined ? item : get(item))),
    )
  }),
  [
    'format',
    (_, input, args, kwargs) => {
      if (args.length > 0 && kwargs !== undefined && kwargs.size > 0)
        throw filterArgumentError("can't handle positional and keyword arguments at the same time")
      return percentFormat(softStr(input), kwargs !== undefined && kwargs.size > 0 ? new Map(kwargs) : new Tuple(args))
    },
  ],
  filter('indent', ['width', 'first', 'blank'], 0, (_, input, width = 4, first = false, blank = false) =>
    indent(input, width, truthy(first), truthy(blank)),
  ),
  filter('truncate', ['length', 'killwords', 'end', 'leeway'], 0, (_, input, length = 255, kill = false, end = '...', leeway = null) =>
    truncate(input, intArgument(length), truthy(kill), str(end), leeway === null ? 5 : intArgument(leeway)),
  ),
  filter(
    'wordwrap',
    ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
    0,
    (_, input, width = 79, breakLong = true, separator = null, hyphens = true) => {
      const text = needText(input, 'splitlines')
      const joiner = separator === null ? '\n' : plainText(str(separator))
      const wrapped = splitLines(plainText(text)).map((line) =>
        wrapLines(plainText(line), intArgument(width), truthy(breakLong), truthy(hyphens)).join(joiner),
      )
      return blendText(wrapped.join(joiner), text)
    },
  ),
  filter('wordcount', [], 0, (_, input) => (plainText(str(input)).match(/[\p{L}\p{N}_]+/gu) ?? []).length),
  filter('urlencode', [], 0, (_, input) => urlEncode(input)),
  filter(
    'urlize',
    ['trim_url_limit', 'nofollow', 'target', 'rel', 'extra_schemes'],
    0,
    (_, input, limit = null, nofollow = false, target = null, rel = null) =>
      blendText(
        urlize(plainText(str(input)), limit === null ? undefined : intArgument(limit), truthy(nofollow), stringOf(target), stringOf(rel)),
        str(input),
      ),
  ),
  filter('xmlattr', ['autospace'], 0, (_, input, autospace = true) => xmlAttributes(input, truthy(autospace))),
  filter('pprint', [], 0, (_, input) => repr(input)),
  filter(
    'tojson',
    ['ensure_ascii', 'indent', 'separators', 'sort_keys'],
    0,
    (runtime, input, ascii = false, indentation = null, separators = null, sort = false) => {
      const json = toJson(input, jsonOptions(ascii, indentation, separators, sort))
      runtime.step(plainText(json).length >> 8)
      return json
    },
  ),
]

function jsonOptions(ascii: Value, indentation: Value, separators: Value, sort: Value): JsonOptions {
  if (ascii === false && indentation === null && separators === null && sort === false) return plainJson
  if (indentation instanceof Undefined) throw indentation.error
  const text = stringOf(indentation)
  if (text === undefined && indentation !== null && !isInt(indentation))
    throw typeError(`can't multiply sequence by non-int of type '${typeName(indentation)}'`)
  const indent = indentation === null ? undefined : (text ?? ' '.repeat(Math.max(0, Math.min(Number(indentation), 1000))))
  const given = separators === null ? undefined : listOf(separators)
  if (given !== undefined && given.length !== 2) throw valueError(`expected 2 separators, got ${given.length}`)
  const [item, key] = given === undefined ? [indent === undefined ? ', ' : ',', ': '] : given.map((part) => plainText(str(part)))
  return { indent, item: item!, key: key!, sortKeys: truthy(sort), ensureAscii: truthy(ascii) }
}

/** Jinja2's own rule, not `str.title`'s: words begin after white space, hyphens and opening brackets. */
function titleWords(text: string): string {
  touchCharacters(text.length)
  let atStart = true
  let result = ''
  for (const character of text) {
    const between = (character.length === 1 && isSpace(character.charCodeAt(0))) || '-({[<'.includes(character)
    result += between ? character : atStart ? character.toUpperCase() : character.toLowerCase()
    atStart = between
  }
  return result
}

function stripTags(text: Str): Str {
  const value = plainText(text)
  const bare = withoutTags(value)
  const words = splitStr(bare, undefined, -1, false).map(plainText).join(' ')
  const unescaped = words.replace(/&(?:amp|lt|gt|quot|nbsp|#39|#34|#(\d+)|#x([\da-f]+));/gi, (entity, decimal?: string, hex?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return (
      { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0', '&#39;': "'", '&#34;': '"' }[entity.toLowerCase()] ??
      entity
    )
  })
  return blendText(unescaped, text)
}

/** A single pass: a regular expression would take quadratic time on `<<<<…`. */
function withoutTags(value: string): string {
  let bare = ''
  let at = 0
  for (;;) {
    const open = value.indexOf('<', at)
    const isComment = open >= 0 && value.startsWith('<!--', open)
    const close = open < 0 ? -1 : isComment ? value.indexOf('-->', open) : value.indexOf('>', open)
    if (close < 0) return bare + value.slice(at)
    bare += value.slice(at, open)
    at = close + (isComment ? 3 : 1)
  }
}

function center(text: Str, width: number): Str {
  const missing = width - lengthOf(plainText(text))
  checkLength(missing)
  if (missing <= 0) return text
  const before = Math.floor(missing / 2) + (missing & width & 1)
  return joinTexts([' '.repeat(before), text, ' '.repeat(missing - before)])
}

function indent(input: Value, width: Value, first: boolean, blank: boolean): Value {
  const text = strOf(input)
  if (text === undefined) {
    if (input instanceof Undefined) throw input.error
    // In Python a list takes the characters of the newline that is added first, and fails one step later.
    if (Array.isArray(input)) throw new PythonError('AttributeError', "'list' object has no attribute 'splitlines'")
    throw typeError(`unsupported operand type(s) for +=: '${typeName(input)}' and 'str'`)
  }
  const indention = strOf(width) ?? ' '.repeat(Math.max(0, intArgument(width)))
  const lines = splitLines(joinTexts([text, '\n']))
  checkLength(lines.length * plainText(indention).length)
  const parts: Str[] = first ? [indention] : []
  for (const [index, line] of lines.entries()) {
    if (index > 0) parts.push('\n')
    if (index > 0 && (blank || plainText(line) !== '')) parts.push(indention)
    parts.push(line)
  }
  const indented = joinTexts(parts)
  return input instanceof Markup ? new Markup(indented) : indented
}

function truncate(input: Value, length: number, killWords: boolean, end: Str, leeway: number): Value {
  const endLength = lengthOf(plainText(end))
  if (length < endLength) throw new PythonError('AssertionError', `expected length >= ${endLength}, got ${length}`)
  if (leeway < 0) throw new PythonError('AssertionError', `expected leeway >= 0, got ${leeway}`)
  if (lengthOfValue(input) <= length + leeway) return input
  const text = strOf(input)
  if (text === undefined) throw typeError(`can only concatenate ${typeName(input)} (not "str") to ${typeName(input)}`)
  const value = plainText(text)
  const cut = sliceText(text, 0, offsetOf(value, length - endLength))
  if (killWords) return joinTexts([cut, end])
  return joinTexts([splitStr(cut, ' ', 1, true)[0]!, end])
}

function needText(input: Value, method: string): Str {
  const text = strOf(input)
  if (text !== undefined) return text
  if (input instanceof Undefined) throw input.error
  throw new PythonError('AttributeError', `'${typeName(input)}' object has no attribute '${method}'`)
}

function quoteUrl(value: Value, forQuery: boolean): Str {
  return mapText(str(value), (part) => {
    const quoted = encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
      /[!'()*]/g,
      (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    return forQuery ? quoted.replaceAll('%20', '+') : quoted.replaceAll('%2F', '/')
  })
}

function urlEncode(input: Value): Str {
  if (isStr(input) || !(isDictValue(input) || Array.isArray(input) || input instanceof Tuple)) {
    if (input instanceof Undefined) return ''
    return quoteUrl(input, false)
  }
  const pairs = isDictValue(input) ? entriesOf(input) : listOf(input).map((pair) => listOf(pair))
  return joinWith(
    '&',
    pairs.map((pair) => {
      if (pair.length !== 2) throw valueError(`not enough values to unpack (expected 2, got ${pair.length})`)
      return joinTexts([quoteUrl(pair[0]!, true), '=', quoteUrl(pair[1]!, true)])
    }),
  )
}

function xmlAttributes(input: Value, autospace: boolean): Str {
  if (input instanceof Undefined) throw input.error
  if (!isDictValue(input)) throw new PythonError('AttributeError', `'${typeName(input)}' object has no attribute 'items'`)
  const items: Str[] = []
  for (const [key, value] of entriesOf(input)) {
    if (value === null || value instanceof Undefined) continue
    if (/[\s/>=]/.test(plainText(str(key)))) throw valueError(`Invalid character in attribute name: ${plainText(repr(key))}`)
    items.push(joinTexts([escapeHtml(key).text, '="', escapeHtml(value).text, '"']))
  }
  const joined = joinWith(' ', items)
  return autospace && items.length > 0 ? joinTexts([' ', joined]) : joined
}

const http = /^(?:https?:\/\/|www\.)(?:[^\s%]+\.[^\s%.]{2,}|[^\s/?#]+:\d+|localhost)\S*$/i

const mail = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u

/** Turns addresses in a text into links, and escapes the text. */
export function urlize(
  text: string,
  limit: number | undefined,
  nofollow: boolean,
  target: string | undefined,
  rel: string | undefined,
): string {
  const rels = [...new Set([...(rel ?? '').split(/\s+/), 'noopener', ...(nofollow ? ['nofollow'] : [])])]
    .filter((part) => part !== '')
    .sort()
  const attributes = ` rel="${escaped(rels.join(' '))}"${target === undefined ? '' : ` target="${escaped(target)}"`}`
  const shorten = (address: string) => (limit !== undefined && address.length > limit ? `${address.slice(0, limit)}...` : address)
  return escaped(text)
    .split(/(\s+)/)
    .map((word) => {
      if (word.length > 2000) return word // not an address, and matching takes more than linear time
      const [, head = '', middle = '', tail = ''] = /^((?:[(<]|&lt;)*)(.*?)((?:[)>.,\n]|&gt;)*)$/.exec(word) ?? []
      if (http.test(middle)) {
        const address = /^https?:\/\//i.test(middle) ? middle : `https://${middle}`
        return `${head}<a href="${address}"${attributes}>${shorten(middle)}</a>${tail}`
      }
      if (middle.startsWith('mailto:') && mail.test(middle.slice(7))) return `${head}<a href="${middle}">${middle.slice(7)}</a>${tail}`
      if (mail.test(middle) && !middle.startsWith('www.') && !middle.includes(':'))
        return `${head}<a href="mailto:${middle}">${middle}</a>${tail}`
      return word
    })
    .join('')
}

function escaped(text: string): string {
  return plainText(escapeText(text))
}

/** Python's `textwrap.wrap` for one line, with tabs and other white space unchanged. */
export function wrapLines(line: string, width: number, breakLongWords: boolean, breakOnHyphens: boolean): string[] {
  if (width <= 0) throw valueError(`invalid width ${width} (must be > 0)`)
  const chunks = line.split(breakOnHyphens ? hyphenated : spaced).filter((chunk) => chunk !== undefined && chunk !== '')
  const lines: string[] = []
  chunks.reverse()
  while (chunks.length > 0) {
    const current: string[] = []
    let length = 0
    // White space at the start of a line is dropped, except at the very start.
    if (lines.length > 0 && chunks.at(-1)!.trim() === '') chunks.pop()
    while (chunks.length > 0) {
      const size = [...chunks.at(-1)!].length
      if (length + size > width) break
      current.push(chunks.pop()!)
      length += size
    }
    const next = chunks.at(-1)
    if (next !== undefined && [...next].length > width) {
      const space = width - length
      if (breakLongWords) {
        const characters = [...next]
        const at = breakOnHyphens && characters.length > space ? hyphenAt(next, space) : space
        current.push(characters.slice(0, at).join(''))
        chunks[chunks.length - 1] = characters.slice(at).join('')
        if (chunks.at(-1) === '') chunks.pop()
      } else if (current.length === 0) current.push(chunks.pop()!)
    }
    if (current.length > 0 && current.at(-1)!.trim() === '') current.pop()
    if (current.length > 0) lines.push(current.join(''))
  }
  return lines
}

function hyphenAt(word: string, space: number): number {
  const hyphen = word.lastIndexOf('-', space - 1)
  return hyphen > 0 && /[^-]/.test(word.slice(0, hyphen)) ? hyphen + 1 : space
}

const spaced = /([\t\n\v\f\r ]+)/

// After a hyphen between letters, and around dashes: https://docs.python.org/3/library/textwrap.html#textwrap.TextWrapper.break_on_hyphens
const hyphenated = /([\t\n\v\f\r ]+|(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_]))|(?<=\p{L}{2}-)(?=\p{L}{2})|(?<=\p{L}-)(?=\p{L}-\p{L})/u
