import { BoundMethod, bind } from '../../python/methods/method.ts'
import { PythonError, typeError } from '../../python/python-error.ts'
import { calculate } from '../../python/values/arithmetic.ts'
import { characterTests } from '../../python/values/characters.ts'
import { contains, inOrder, type Ordering } from '../../python/values/compare.ts'
import { checkHashable, equals } from '../../python/values/dict.ts'
import { repr, str } from '../../python/values/repr.ts'
import { sizeOf } from '../../python/values/sequence.ts'
import { plainText } from '../../python/values/text.ts'
import {
  DictView,
  Generator,
  isDictValue,
  isFloat,
  isInt,
  isListValue,
  isNumber,
  isStr,
  type Kwargs,
  Markup,
  Range,
  stringOf,
  Tuple,
  Undefined,
  type Value,
} from '../../python/values/value.ts'
import { LoopContext } from '../runtime/loop.ts'
import { Callable, type Runtime } from '../runtime/runtime.ts'
import type { Filter } from './filter.ts'
import { numberFilters } from './number-filters.ts'
import { sequenceFilters } from './sequence-filters.ts'
import { textFilters } from './text-filters.ts'

/** All filters, by name: those of Jinja2 3.1, with `tojson` as transformers replaces it. */
export const filters: ReadonlyMap<string, Filter> = new Map([
  ...textFilters,
  ...sequenceFilters({ callFilter, callTest }),
  ...numberFilters,
])

export type Test = (input: Value, args: readonly Value[], kwargs: Kwargs) => boolean

function test(
  names: string | readonly string[],
  parameters: readonly string[],
  holds: (input: Value, ...given: Value[]) => boolean,
): [string, Test][] {
  return [names].flat().map((name) => [
    name,
    (input, args, kwargs) => {
      if (parameters.length === 0 && args.length === 0 && kwargs === undefined) return holds(input)
      return holds(input, ...(bind(`test_${name}`, parameters, parameters.length, args, kwargs) as Value[]))
    },
  ])
}

const ordering = (names: readonly string[], operator: Ordering) =>
  test(names, ['other'], (input, other) => inOrder(operator, input, other!))

/** All tests of Jinja2 3.1, by name. */
export const tests: ReadonlyMap<string, Test> = new Map([
  ...test('defined', [], (input) => !(input instanceof Undefined)),
  ...test('undefined', [], (input) => input instanceof Undefined),
  ...test('none', [], (input) => input === null),
  ...test('boolean', [], (input) => typeof input === 'boolean'),
  ...test('true', [], (input) => input === true),
  ...test('false', [], (input) => input === false),
  ...test('string', [], isStr),
  ...test('integer', [], (input) => isInt(input) && typeof input !== 'boolean'),
  ...test('float', [], isFloat),
  ...test('number', [], isNumber),
  ...test('mapping', [], isDictValue),
  ...test('sequence', [], isSequence),
  ...test('iterable', [], isIterable),
  ...test('callable', [], isCallable),
  ...test('escaped', [], (input) => input instanceof Markup),
  ...test('odd', [], (input) => equals(calculate('%', input, 2), 1)),
  ...test('even', [], (input) => equals(calculate('%', input, 2), 0)),
  ...test('divisibleby', ['num'], (input, by) => equals(calculate('%', input, by!), 0)),
  ...test('lower', [], (input) => characterTests.islower!(plainText(str(input)))),
  ...test('upper', [], (input) => characterTests.isupper!(plainText(str(input)))),
  ...test('sameas', ['other'], same),
  ...test('in', ['seq'], (input, sequence) => contains(sequence!, input)),
  ...test('filter', [], (input) => isNameIn(filters, input)),
  ...test('test', [], (input) => isNameIn(tests, input)),
  ...test(['eq', '==', 'equalto'], ['other'], (input, other) => equals(input, other!)),
  ...test(['ne', '!='], ['other'], (input, other) => !equals(input, other!)),
  ...ordering(['lt', '<', 'lessthan'], '<'),
  ...ordering(['le', '<='], '<='),
  ...ordering(['gt', '>', 'greaterthan'], '>'),
  ...ordering(['ge', '>='], '>='),
])

function isNameIn(known: ReadonlyMap<string, unknown>, input: Value): boolean {
  checkHashable(input)
  return known.has(stringOf(input) ?? '')
}

/** Jinja2 tests for `len` and `__getitem__`, so that texts and dicts are sequences as well. */
function isSequence(input: Value): boolean {
  if (input instanceof DictView || input instanceof Generator) return false
  return sizeOf(input) !== undefined
}

function isIterable(input: Value): boolean {
  return (
    isStr(input) ||
    isListValue(input) ||
    isDictValue(input) ||
    input instanceof Tuple ||
    input instanceof Range ||
    input instanceof DictView ||
    input instanceof Generator ||
    input instanceof LoopContext ||
    input instanceof Undefined
  )
}

function isCallable(input: Value): boolean {
  return input instanceof Callable || input instanceof BoundMethod || input instanceof Undefined
}

/** Python's `is`: for texts and numbers, the same value counts as the same object. */
function same(input: Value, other: Value | undefined): boolean {
  if (other === undefined) throw typeError("test_sameas() missing 1 required positional argument: 'other'")
  if (isStr(input) && isStr(other)) return stringOf(input) === stringOf(other)
  return input === other
}

/** A filter named by a text, as in `map('upper')`. */
function callFilter(runtime: Runtime, name: Value, input: Value, args: readonly Value[], kwargs: Kwargs): Value {
  const filter = filters.get(stringOf(name) ?? '')
  if (filter === undefined) throw unknown('filter', name)
  return filter(runtime, input, args, kwargs)
}

/** A test named by a text, as in `select('string')`. */
function callTest(name: Value, input: Value, args: readonly Value[], kwargs: Kwargs): boolean {
  const test = tests.get(stringOf(name) ?? '')
  if (test === undefined) throw unknown('test', name)
  return test(input, args, kwargs)
}

function unknown(kind: 'filter' | 'test', name: Value): PythonError {
  return new PythonError('TemplateRuntimeError', `No ${kind} named ${plainText(repr(name))}.`)
}
