// `@rolecall/core/python`: values as Python writes them: floats that stay floats, integers of any size, `repr` and `json.dumps`.

export { JsonSyntaxError, PyFloat, type PyValue, parseJson, pyFloat, pyRepr, pyStr, stringifyJson } from './base/python/index.ts'
