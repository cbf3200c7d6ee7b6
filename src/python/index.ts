export { compactJson, isPlainJson, parseCompactJson } from './compact-json.ts'
export { compareCodePoints } from './compare-code-points.ts'
export { pyEqual } from './equal.ts'
export { JsonSyntaxError, parseJson, type StringifyJsonOptions, stringifyJson } from './json.ts'
export { maxDepth } from './max-depth.ts'
export { floatOf, intOf } from './numbers.ts'
export { NumpyRandom } from './numpy-random.ts'
export { PythonRandom } from './random.ts'
export { pyRepr } from './repr.ts'
export { pyStr } from './str.ts'
export { capitalize, casefold, isDigit, isUpper, splitSpace, strip, stripEnd, stripStart } from './text.ts'
export {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  dictKeys,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
  pyFloat,
} from './value.ts'
