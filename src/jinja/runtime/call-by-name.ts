import { PythonError } from '../../python/python-error.ts'
import type { Runtime } from '../../python/runtime.ts'
import type { Kwargs, Value } from '../../python/values/value.ts'
import { filters } from '../filters/filters.ts'
import { tests } from '../filters/tests.ts'

/** A filter that was named by a text, as in `map('upper')`. */
export function callFilter(runtime: Runtime, name: string, input: Value, args: readonly Value[], kwargs: Kwargs): Value {
  const filter = filters.get(name)
  if (filter === undefined) throw new PythonError('TemplateRuntimeError', `No filter named '${name}' found.`)
  return filter(runtime, input, args, kwargs)
}

/** A test that was named by a text, as in `select('string')`. */
export function callTest(_: Runtime, name: string, input: Value, args: readonly Value[], kwargs: Kwargs): boolean {
  const test = tests.get(name)
  if (test === undefined) throw new PythonError('TemplateRuntimeError', `No test named '${name}' found.`)
  return test(input, args, kwargs)
}
