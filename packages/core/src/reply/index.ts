export { plainReplies } from './families/plain-replies.ts'
export { type FamilyName, replySyntaxes, type SyntaxName } from './families/reply-syntaxes.ts'
export { type FoundSyntax, findSyntax, syntaxAfter, syntaxOf } from './find-syntax.ts'
export { openingOf } from './opening-of.ts'
export type { ReplyTokens } from './parse/id-reader.ts'
export { openedInPrompt, type ParseOptions, parseExactReply, ReplyParser } from './parse/reply-parser.ts'
export { parseBareCalls } from './parse/unmarked-calls.ts'
export { answerSyntax, type ReadAnswer, readAnswer } from './read-answer.ts'
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
export { exactIds, type ReaderOptions, ReplyReader, readReply, type WrittenReply } from './reply-reader.ts'
export type { Block, CodeBody, JsonBody, MarkPair, NamedBody, ReplySyntax } from './syntax.ts'
export { offeredSyntax } from './syntax.ts'
export { parseLenientJson } from './values/lenient-json.ts'
