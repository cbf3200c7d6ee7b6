import { AttributeObject } from '../../python/methods/attributes.ts'
import { bind, intArgument, positional } from '../../python/methods/method.ts'
import { PythonError, typeError, valueError } from '../../python/python-error.ts'
import { touchText } from '../../python/python-limits.ts'
import { entriesOf, makeDict } from '../../python/values/dict.ts'
import { str } from '../../python/values/repr.ts'
import { listOf } from '../../python/values/sequence.ts'
import { blendText, plainText } from '../../python/values/text.ts'
import {
  isDictValue,
  isListValue,
  type Kwargs,
  Markup,
  Namespace,
  Range,
  strOf,
  Tuple,
  typeName,
  type Value,
} from '../../python/values/value.ts'
import { type JinjaFunction, PyFunction } from './runtime.ts'
import { strftime } from './strftime.ts'

const maxRange = 100_000

/** The functions that every template has: Jinja2's own and the two that transformers adds. */
export const globals: ReadonlyMap<string, PyFunction> = new Map(
  Object.entries({
    range: (_, args, kwargs) => range(args, kwargs),
    dict: (_, args, kwargs) => dict(args, kwargs),
    namespace: (_, args, kwargs) => {
      const made = new Namespace()
      for (const [key, value] of entriesOf(dict(args, kwargs))) made.attributes.set(plainText(str(key)), value)
      return made
    },
    joiner: (_, args, kwargs) => joiner(bind('joiner', ['sep'], 0, args, kwargs)[0] ?? ', '),
    cycler: (_, args, kwargs) => {
      if (kwargs !== undefined && kwargs.size > 0) throw typeError('Cycler.__init__() got an unexpected keyword argument')
      if (args.length === 0) throw new PythonError('RuntimeError', 'at least one item has to be provided')
      return new Cycler(args)
    },
    lipsum: (_, args, kwargs) => {
      const [count = 5, html = true] = bind('generate_lorem_ipsum', ['n', 'html', 'min', 'max'], 0, args, kwargs)
      return lorem(intArgument(count), html !== false)
    },
    raise_exception: (_, args, kwargs) => {
      const [message = null] = bind('raise_exception', ['message'], 1, args, kwargs)
      throw new PythonError('TemplateError', plainText(str(message)))
    },
    strftime_now: ({ clock }, args, kwargs) => {
      const [format = null] = bind('strftime_now', ['format'], 1, args, kwargs)
      const text = strOf(format)
      if (text === undefined) throw typeError(`strftime() argument 1 must be str, not ${typeName(format)}`)
      touchText(plainText(text).length)
      return blendText(strftime(clock, plainText(text)), text)
    },
  } satisfies Record<string, JinjaFunction>).map(([name, call]) => [name, new PyFunction(name, call)]),
)

function range(args: readonly Value[], kwargs: Kwargs): Range {
  positional('range', 1, 3, args, kwargs)
  const [first, second, third] = args.map((arg) => intArgument(arg))
  const [start, stop, step] = second === undefined ? [0, first!, 1] : [first!, second, third ?? 1]
  if (step === 0) throw valueError('range() arg 3 must not be zero')
  const made = new Range(start, stop, step)
  if (made.length > maxRange)
    throw new PythonError('OverflowError', `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${maxRange}).`)
  return made
}

function dict(args: readonly Value[], kwargs: Kwargs) {
  if (args.length > 1) throw typeError(`dict expected at most 1 argument, got ${args.length}`)
  const [given] = args
  const entries: [Value, Value][] = []
  if (given !== undefined) {
    if (isDictValue(given)) entries.push(...entriesOf(given))
    else {
      for (const pair of listOf(given)) {
        const items = pair instanceof Tuple ? pair.items : isListValue(pair) ? pair : listOf(pair)
        if (items.length !== 2)
          throw valueError(`dictionary update sequence element #${entries.length} has length ${items.length}; 2 is required`)
        entries.push([items[0]!, items[1]!])
      }
    }
  }
  return makeDict([...entries, ...(kwargs ?? [])])
}

function joiner(separator: Value): PyFunction {
  let used = false
  return new PyFunction('joiner', () => {
    if (used) return separator
    used = true
    return ''
  })
}

class Cycler extends AttributeObject {
  readonly typeName = 'Cycler'
  #at = 0

  constructor(readonly items: readonly Value[]) {
    super()
  }

  attribute(name: string): Value | undefined {
    switch (name) {
      case 'current':
        return this.items[this.#at]
      case 'items':
        return new Tuple(this.items)
      case 'pos':
        return this.#at
      case 'next':
      case '__next__':
        return new PyFunction('next', () => {
          const current = this.items[this.#at]!
          this.#at = (this.#at + 1) % this.items.length
          return current
        })
      case 'reset':
        return new PyFunction('reset', () => {
          this.#at = 0
          return null
        })
      default:
        return undefined
    }
  }
}

const words =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua'.split(' ')

/** `lipsum`: filler text. Jinja2's is random; this one is always the same, so that a prompt stays reproducible. */
export function lorem(count: number, html: boolean): Value {
  const sentence = `${words[0]!.charAt(0).toUpperCase()}${words.join(' ').slice(1)}.`
  const paragraphs = Array.from({ length: Math.max(0, Math.min(count, 1000)) }, () => `${sentence} ${sentence}`)
  return html ? new Markup(paragraphs.map((text) => `<p>${text}</p>`).join('\n')) : paragraphs.join('\n\n')
}
