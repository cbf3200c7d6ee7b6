export type { ResponseProblem } from './message-builder.ts'
export { type ParsedResponse, parseResponse, type ResponseEvent, type ResponseOptions, ResponseParser } from './response-parser.ts'
export { type Field, type Marker, type ResponseTemplate, readResponseTemplate } from './response-template.ts'
