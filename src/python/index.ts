export { compareCodePoints } from './data/compare-code-points.ts'
export { pyEqual } from './data/equal.ts'
export { maxDepth } from './data/max-depth.ts'
export { floatOf, intOf } from './data/numbers.ts'
export { pyRepr } from './data/repr.ts'
export { pyStr } from './data/str.ts'
export { capitalize, casefold, isDigit, isUpper, splitSpace, strip, stripEnd, stripStart } from './data/text.ts'
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
} from './data/value.ts'
export { compactJson, isPlainJson, parseCompactJson } from './json/compact-json.ts'
export { JsonSyntaxError, parseJson, type StringifyJsonOptions, stringifyJson } from './json/index.ts'
export { NumpyRandom } from './random/numpy-random.ts'
export { PythonRandom } from './random/random.ts'
