// A model, prompts exactly as it expects them, and its replies read back. What only some programs need has entry points next to this file.

export type { Note, NoteCode } from './base/errors/note.ts'
export { PromptError, type PromptErrorDetails } from './base/errors/prompt-error.ts'
export type { Limits } from './base/jinja/index.ts'
export type { IdsPiece, Media, MediaPiece, Piece, Source, TextPiece } from './base/text/index.ts'
export type { ArgumentProblem } from './constrain/check-arguments.ts'
export type { Departure } from './masks/departures.ts'
export { defineModel, type ModelDefinition } from './model/define-model.ts'
export type { Model } from './model/model.ts'
export {
  type ModelSession,
  type OpenSessionOptions,
  openSession,
  type SessionPrompt,
  type SessionReply,
} from './model/open-session.ts'
export { parseReply, parseStream, type ReplyOptions, type ReplyWriter } from './model/parse-reply.ts'
export {
  type ExactJson,
  type ParsedResponse,
  parseResponse,
  type ResponseEvent,
  type ResponseMessage,
  type ResponseOptions,
  ResponseStream,
} from './model/parse-response.ts'
export type { CallInReply, JsonValue, ParsedEvent, ParsedReply, ToolCallInReply } from './model/plain-reply.ts'
export { readTokenizer, type TokenizerFileOptions } from './model/read-tokenizer.ts'
export { type ModelPrompt, type RenderPromptOptions, renderPrompt } from './model/render-prompt.ts'
export { renderTemplate, type TemplateOptions } from './model/render-template.ts'
export type { SampledReply } from './model/sampled-reply.ts'
export type { SeenRow } from './model/seen-ids.ts'
export { countTokens } from './model/token-count.ts'
export type { ChatMessage, ChatPart, ChatToolCall } from './prompt/conversation/chat-message.ts'
export type { ApiMessage, Format, Prompt } from './prompt/format/format.ts'
export type { Token, Tokenized } from './prompt/tokenizer/tokenize.ts'
export type { Tokenizer } from './prompt/tokenizer/tokenizer.ts'
export type { CallError, CodeBlock, MalformedCall, ReplyProblem, ReplySyntax, SyntaxName } from './reply/index.ts'
export { responseSyntax } from './reply/response-template/response-replies.ts'
