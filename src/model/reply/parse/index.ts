export { type ArgumentProblem, checkArguments } from './check-arguments.ts'
export type { ReplyTokens } from './id-reader.ts'
export { parseLenientJson } from './lenient-json.ts'
export { openedInPrompt } from './opened-in-prompt.ts'
export { parseBareCalls } from './parse-bare-calls.ts'
export { parseReply, parseReplyStream } from './parse-reply.ts'
export type {
  CallError,
  CodeBlock,
  MalformedCall,
  Reply,
  ReplyCall,
  ReplyEvent,
  ReplyPart,
  ReplyProblem,
  UsableCall,
} from './reply.ts'
export { type ParseOptions, ReplyParser } from './reply-parser.ts'
export type {
  Block,
  CodeBody,
  JsonBody,
  MessageHeads,
  NamedBody,
  PythonBody,
  QuotedBody,
  ReasoningSpan,
  ReplySyntax,
  Span,
  TaggedBody,
  TaggedParameter,
} from './syntax.ts'
export { offeredSyntax } from './syntax.ts'
export { type FamilyName, replySyntaxes, type SyntaxName } from './syntaxes/index.ts'
export { plainReplies } from './syntaxes/plain.ts'
