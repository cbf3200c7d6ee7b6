export { compactJson, isPlainJson, parseCompactJson } from './json/compact-json.ts'
export { JsonSyntaxError, parseJson } from './json/parse-json.ts'
export { stringifyJson } from './json/stringify-json.ts'
export { capitalize, casefold, isDigit, isUpper } from './values/characters.ts'
export {
  addEntry,
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
} from './values/data.ts'
export { equals as pyEqual } from './values/dict.ts'
export { floatOf, intOf, numpyRound, pyRound } from './values/numbers.ts'
export { pyRepr, pyStr } from './values/repr.ts'
export { compareCodePoints, splitSpace, strip, stripEnd, stripStart } from './values/strings.ts'
