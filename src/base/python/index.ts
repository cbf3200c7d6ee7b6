export { pyEqual } from './data/equal.ts'
export { floatOf, intOf } from './data/numbers.ts'
export { pyRepr, pyStr } from './data/repr.ts'
export { numpyRound, pyRound } from './data/round.ts'
export { capitalize, casefold, compareCodePoints, isDigit, isUpper, splitSpace, strip, stripEnd, stripStart } from './data/text.ts'
export {
  addEntry,
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  dictKeys,
  isDict,
  isList,
  maxDepth,
  type PyDict,
  PyFloat,
  type PyValue,
  pyFloat,
} from './data/value.ts'
export { compactJson, isPlainJson, parseCompactJson } from './json/compact-json.ts'
export { JsonSyntaxError, parseJson, type StringifyJsonOptions, stringifyJson } from './json/index.ts'
export { NumpyRandom } from './random/numpy-random.ts'
export { PythonRandom } from './random/random.ts'
