export { JsonSyntaxError } from './json-syntax-error.ts'
export { parseJson } from './parse-json.ts'
export { type StringifyJsonOptions, stringifyJson } from './stringify-json.ts'
