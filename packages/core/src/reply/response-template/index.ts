export {
  checkResponseTemplate,
  type DerivedResponse,
  deriveResponseTemplate,
  type ResponseTrial,
  tryResponseTemplate,
} from './derive-response-template.ts'
export type { ResponseProblem } from './message-builder.ts'
export { type ExactEvent, type ExactResponse, type ExactResponseOptions, parseExactResponse, ResponseParser } from './response-parser.ts'
export { responseSyntax } from './response-replies.ts'
export { type ResponseField, type ResponseMarker, type ResponseTemplate, readResponseTemplate } from './response-template.ts'
export { NotExpressible, responseTemplates, type WrittenTemplate } from './write-response-template.ts'
