import { getAttribute } from '../../python/methods/attributes.ts'
import { intArgument } from '../../python/methods/method.ts'
import { PythonError, typeError } from '../../python/python-error.ts'
import { checkItems, touch } from '../../python/python-limits.ts'
import { add } from '../../python/values/arithmetic.ts'
import { compareValues, truthy } from '../../python/values/compare.ts'
import { checkHashable, entriesOf, equals } from '../../python/values/dict.ts'
import { iteratorOf, lengthOfValue, listOf } from '../../python/values/sequence.ts'
import { charactersOf, joinTexts } from '../../python/values/text.ts'
import {
  DictView,
  Generator,
  isDictValue,
  isListValue,
  isNumber,
  type Kwargs,
  Markup,
  numeric,
  Range,
  stringOf,
  strOf,
  Tuple,
  typeName,
  Undefined,
  undefinedAttribute,
  type Value,
} from '../../python/values/value.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { attributeGetter, attributesGetter, type Filter, filter, filterArgumentError, ignoringCase } from './filter.ts'

/** Filters and tests called by name, as in `map('upper')`. The registry of all filters passes it, since it contains these filters. */
export type CallByName = {
  callFilter(runtime: Runtime, name: Value, input: Value, args: readonly Value[], kwargs: Kwargs): Value
  callTest(name: Value, input: Value, args: readonly Value[], kwargs: Kwargs): boolean
}

/** Filters that work on lists, dicts and generators. */
export const sequenceFilters = (named: CallByName): readonly [string, Filter][] => [
  filter('length', [], 0, (_, input) => lengthOfValue(input)),
  filter('count', [], 0, (_, input) => lengthOfValue(input)),
  filter('list', [], 0, (runtime, input) => counted(runtime, [...listOf(input)])),
  filter('first', [], 0, (_, input) => {
    const next = iteratorOf(input).next()
    return next.done ? new Undefined(() => 'No first item, sequence was empty.') : next.value
  }),
  filter('last', [], 0, (_, input) => {
    const items = listOf(reversible(input))
    return items.length === 0 ? new Undefined(() => 'No last item, sequence was empty.') : items.at(-1)!
  }),
  filter('random', [], 0, (_, input) => {
    const items = listOf(input)
    // Jinja2's is random; a prompt must be reproducible, so this returns the first item.
    return items.length === 0 ? new Undefined(() => 'No random item, sequence was empty.') : items[0]!
  }),
  filter('reverse', [], 0, (_, input) => {
    const text = strOf(input)
    if (text !== undefined) {
      const reversed = joinTexts(charactersOf(text).reverse())
      return input instanceof Markup ? new Markup(reversed) : reversed
    }
    if (input instanceof Generator) return [...listOf(input)].reverse()
    try {
      return new Generator([...listOf(input)].reverse()[Symbol.iterator](), 'list_reverseiterator')
    } catch {
      throw filterArgumentError('argument must be iterable')
    }
  }),
  filter('items', [], 0, (_, input) => {
    if (input instanceof Undefined) return generator(function* () {})
    // As in Python, where the filter is a generator, an invalid input is found on iteration.
    return generator(function* () {
      if (!isDictValue(input)) throw typeError('Can only get item pairs from a mapping.')
      for (const entry of entriesOf(input)) yield new Tuple(entry)
    })
  }),
  filter('dictsort', ['case_sensitive', 'by', 'reverse'], 0, (runtime, input, caseSensitive = false, by = 'key', reverse = false) => {
    const position = ['key', 'value'].indexOf(stringOf(by) ?? '')
    if (position < 0) throw filterArgumentError('You can only sort by either "key" or "value"')
    if (input instanceof Undefined) throw input.error
    if (!isDictValue(input)) throw new PythonError('AttributeError', `'${typeName(input)}' object has no attribute 'items'`)
    const entries = entriesOf(input).map((entry) => new Tuple(entry))
    const fold = truthy(caseSensitive) ? (value: Value) => value : ignoringCase
    return counted(
      runtime,
      sorted(entries, (entry) => [fold((entry as Tuple).items[position]!)], truthy(reverse)),
    )
  }),
  filter(
    'sort',
    ['reverse', 'case_sensitive', 'attribute'],
    0,
    (runtime, input, reverse = false, caseSensitive = false, attribute = null) => {
      const get = attributesGetter(attribute)
      const fold = truthy(caseSensitive) ? (value: Value) => value : ignoringCase
      return counted(
        runtime,
        sorted(listOf(input), (item) => get(item).map(fold), truthy(reverse), true),
      )
    },
  ),
  filter('unique', ['case_sensitive', 'attribute'], 0, (runtime, input, caseSensitive = false, attribute = null) =>
    generator(function* () {
      const get = attributeGetter(attribute)
      const seen = new Set<string | number | bigint>()
      const others: Value[] = []
      for (const item of each(runtime, input)) {
        const key = truthy(caseSensitive) ? get(item) : ignoringCase(get(item))
        checkHashable(key)
        // A text and a number are never equal; 1, 1.0 and True are.
        const text = stringOf(key)
        const simple = text !== undefined ? `s${text}` : isNumber(key) ? numeric(key) : undefined
        if (simple !== undefined ? seen.has(simple) : others.some((other) => equals(other, key))) continue
        if (simple === undefined) others.push(key)
        else seen.add(simple)
        runtime.step(others.length)
        yield item
      }
    }),
  ),
  filter('min', ['case_sensitive', 'attribute'], 0, (_, input, caseSensitive = false, attribute = null) =>
    extreme(input, truthy(caseSensitive), attribute, (order) => order < 0),
  ),
  filter('max', ['case_sensitive', 'attribute'], 0, (_, input, caseSensitive = false, attribute = null) =>
    extreme(input, truthy(caseSensitive), attribute, (order) => order > 0),
  ),
  filter('sum', ['attribute', 'start'], 0, (runtime, input, attribute = null, start = 0) => {
    if (stringOf(start) !== undefined) throw typeError("sum() can't sum strings [use ''.join(seq) instead]")
    const get = attribute === null ? undefined : attributeGetter(attribute)
    let sum = start
    for (const item of each(runtime, input)) sum = add(sum, get === undefined ? item : get(item))
    return sum
  }),
  filter('slice', ['slices', 'fill_with'], 1, (runtime, input, slices = 1, fill = null) =>
    generator(function* () {
      const items = listOf(input)
      const count = intArgument(slices)
      if (count === 0) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero')
      const perSlice = Math.floor(items.length / count)
      const extra = items.length % count
      let offset = 0
      for (let number = 0; number < count; number++) {
        runtime.step()
        const start = offset + number * perSlice
        if (number < extra) offset++
        const slice = items.slice(start, offset + (number + 1) * perSlice)
        yield fill !== null && number >= extra ? [...slice, fill] : slice
      }
    }),
  ),
  filter('batch', ['linecount', 'fill_with'], 1, (runtime, input, lineCount = 1, fill = null) =>
    generator(function* () {
      const size = intArgument(lineCount)
      let batch: Value[] = []
      for (const item of each(runtime, input)) {
        if (batch.length === size) {
          yield batch
          batch = []
        }
        batch.push(item)
      }
      if (batch.length === 0) return
      checkItems(size)
      if (fill !== null) while (batch.length < size) batch.push(fill)
      yield batch
    }),
  ),
  filter(
    'groupby',
    ['attribute', 'default', 'case_sensitive'],
    1,
    (runtime, input, attribute = null, fallback = null, caseSensitive = false) => {
      const get = attributeGetter(attribute, fallback)
      const fold = truthy(caseSensitive) ? (value: Value) => value : ignoringCase
      const groups: { key: Value; items: Value[] }[] = []
      for (const item of counted(
        runtime,
        sorted(listOf(input), (one) => [fold(get(one))], false),
      )) {
        const key = fold(get(item))
        const last = groups.at(-1)
        if (last !== undefined && equals(last.key, key)) last.items.push(item)
        else groups.push({ key, items: [item] })
      }
      return groups.map(({ key, items }) => new GroupTuple(truthy(caseSensitive) ? key : get(items[0]!), items))
    },
  ),
  filter('attr', ['name'], 1, (_, input, name = null) => {
    if (input instanceof Undefined) throw input.error
    const text = stringOf(name) ?? ''
    // Only attributes, never keys.
    if (isDictValue(input)) {
      const found = getAttribute({}, text)
      return found instanceof Undefined && found.errorType !== 'SecurityError' ? undefinedAttribute(input, text) : getAttribute(input, text)
    }
    return getAttribute(input, text)
  }),
  ['map', (runtime, input, args, kwargs) => map(named, runtime, input, args, kwargs)],
  ['select', (runtime, input, args, kwargs) => choose(named, runtime, input, args, kwargs, true, false)],
  ['reject', (runtime, input, args, kwargs) => choose(named, runtime, input, args, kwargs, false, false)],
  ['selectattr', (runtime, input, args, kwargs) => choose(named, runtime, input, args, kwargs, true, true)],
  ['rejectattr', (runtime, input, args, kwargs) => choose(named, runtime, input, args, kwargs, false, true)],
]

/** A group of `groupby`: a pair whose parts also have names. */
export class GroupTuple extends Tuple {
  override readonly typeName = '_GroupTuple'

  constructor(
    readonly grouper: Value,
    readonly list: readonly Value[],
  ) {
    super([grouper, list])
  }
}

function generator(make: () => IterableIterator<Value>): Generator {
  return new Generator(make())
}

function* each(runtime: Runtime, input: Value): IterableIterator<Value> {
  const iterator = iteratorOf(input)
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    runtime.step()
    runtime.charge(next.value)
    yield next.value
  }
}

function counted<Items extends readonly Value[]>(runtime: Runtime, items: Items): Items {
  runtime.step(items.length)
  for (const item of items) runtime.charge(item)
  return items
}

function reversible(input: Value): Value {
  if (input instanceof Generator) throw typeError(`'${input.typeName}' object is not reversible`)
  if (
    !(
      strOf(input) !== undefined ||
      isListValue(input) ||
      input instanceof Tuple ||
      input instanceof Range ||
      input instanceof DictView ||
      isDictValue(input)
    )
  ) {
    if (input instanceof Undefined) return input
    throw typeError(`'${typeName(input)}' object is not reversible`)
  }
  return input
}

/** Python's sort: stable, also when reversed. */
function sorted(items: readonly Value[], keyOf: (item: Value) => Value[], reverse: boolean, asLists = false): Value[] {
  // Single values are compared directly: it is faster, and they are common.
  touch(Math.ceil((items.length * Math.log2(items.length + 1)) / 4))
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  keyed.sort((a, b) => {
    for (let index = 0; index < a.key.length; index++) {
      if (asLists && equals(a.key[index]!, b.key[index]!)) continue // Python compares lists by their first difference
      const order = compareValues(a.key[index]!, b.key[index]!)
      if (order !== 0) return reverse ? -order : order
    }
    return 0
  })
  return keyed.map(({ item }) => item)
}

function extreme(input: Value, caseSensitive: boolean, attribute: Value, wins: (order: number) => boolean): Value {
  const items = listOf(input)
  touch(items.length)
  if (items.length === 0) return new Undefined(() => 'No aggregated item, sequence was empty.')
  const get = attributeGetter(attribute)
  const keyOf = (item: Value) => (caseSensitive ? get(item) : ignoringCase(get(item)))
  let best: Value = items[0]!
  let bestKey = keyOf(best)
  for (const item of items.slice(1)) {
    const key = keyOf(item)
    if (wins(compareValues(key, bestKey))) {
      best = item
      bestKey = key
    }
  }
  return best
}

function map(named: CallByName, runtime: Runtime, input: Value, args: readonly Value[], kwargs: Kwargs): Value {
  return generator(function* () {
    if (!truthy(input)) return
    const change = mapper(named, runtime, args, kwargs)
    for (const item of each(runtime, input)) yield change(item)
  })
}

function mapper(named: CallByName, runtime: Runtime, args: readonly Value[], kwargs: Kwargs): (item: Value) => Value {
  if (args.length === 0 && kwargs?.has('attribute')) {
    const unexpected = [...kwargs.keys()].find((key) => key !== 'attribute' && key !== 'default')
    if (unexpected !== undefined) throw filterArgumentError(`Unexpected keyword argument '${unexpected}'`)
    return attributeGetter(kwargs.get('attribute')!, kwargs.get('default'))
  }
  const [name, ...rest] = args
  if (name === undefined) throw filterArgumentError('map requires a filter argument')
  return (item) => named.callFilter(runtime, name, item, rest, kwargs)
}

function choose(
  named: CallByName,
  runtime: Runtime,
  input: Value,
  args: readonly Value[],
  kwargs: Kwargs,
  keeps: boolean,
  byAttribute: boolean,
): Value {
  return generator(function* () {
    if (!truthy(input)) return
    if (byAttribute && args.length === 0) throw filterArgumentError('Missing parameter for attribute name')
    const get = byAttribute ? attributeGetter(args[0]!) : (item: Value) => item
    const [name, ...rest] = byAttribute ? args.slice(1) : args
    const holds = (item: Value) => (name === undefined ? truthy(get(item)) : named.callTest(name, get(item), rest, kwargs))
    for (const item of each(runtime, input)) if (holds(item) === keeps) yield item
  })
}
