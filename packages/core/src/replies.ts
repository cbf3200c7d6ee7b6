// `@rolecall/core/replies`: how families of models write replies, and how that is found out for a format.

export { type ArgumentProblem, checkArguments } from './constrain/check-arguments.ts'
export { parseReply, parseStream, type ReplyOptions, type ReplyWriter } from './model/parse-reply.ts'
export type { CallInReply, JsonValue, ParsedEvent, ParsedReply, ToolCallInReply } from './model/plain-reply.ts'
export {
  answerSyntax,
  type Block,
  type CallError,
  type CodeBlock,
  type CodeBody,
  type FoundSyntax,
  findSyntax,
  type JsonBody,
  type MalformedCall,
  type MarkPair,
  type NamedBody,
  parseBareCalls,
  parseLenientJson,
  type ReadAnswer,
  type ReplyProblem,
  type ReplySyntax,
  readAnswer,
  replySyntaxes,
  type SyntaxName,
  syntaxOf,
  type WrittenReply,
} from './reply/index.ts'
