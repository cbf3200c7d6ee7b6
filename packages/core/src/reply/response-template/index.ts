export type { ResponseProblem } from './message-builder.ts'
export { type ExactEvent, type ExactResponse, type ExactResponseOptions, parseExactResponse, ResponseParser } from './response-parser.ts'
export { type ResponseField, type ResponseMarker, type ResponseTemplate, readResponseTemplate } from './response-template.ts'
