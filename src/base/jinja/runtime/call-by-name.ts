import { PythonError } from '../../python/python-error.ts'
import { repr } from '../../python/values/repr.ts'
import { plainText } from '../../python/values/text.ts'
import { type Kwargs, stringOf, type Value } from '../../python/values/value.ts'
import { filters } from '../filters/filters.ts'
import { tests } from '../filters/tests.ts'
import type { Runtime } from './runtime.ts'

/** A filter that was named by a text, as in `map('upper')`. */
export function callFilter(runtime: Runtime, name: Value, input: Value, args: readonly Value[], kwargs: Kwargs): Value {
  const filter = filters.get(stringOf(name) ?? '')
  if (filter === undefined) throw unknown('filter', name)
  return filter(runtime, input, args, kwargs)
}

/** A test that was named by a text, as in `select('string')`. */
export function callTest(name: Value, input: Value, args: readonly Value[], kwargs: Kwargs): boolean {
  const test = tests.get(stringOf(name) ?? '')
  if (test === undefined) throw unknown('test', name)
  return test(input, args, kwargs)
}

function unknown(kind: 'filter' | 'test', name: Value): PythonError {
  return new PythonError('TemplateRuntimeError', `No ${kind} named ${plainText(repr(name))}.`)
}
