// Conversations → exact prompts → token ids; replies → text, reasoning, calls. Parts that are useful alone have entry points next to this file.

export type { Note, NoteCode } from './base/errors/note.ts'
export { PromptError } from './base/errors/prompt-error.ts'
// ── Chat templates (also `@rolecall/core/jinja`) ──
export {
  type ChatInput,
  compileTemplate as compileChatTemplate,
  type JinjaTemplate as ChatTemplate,
  type Limits,
  type RenderOptions,
  renderChat as renderChatTemplate,
  renderChatPieces as renderChatTemplatePieces,
  TemplateError,
} from './base/jinja/index.ts'
// ── Values as Python writes them ──
export { JsonSyntaxError, PyFloat, type PyValue, parseJson, pyFloat, pyRepr, pyStr, stringifyJson } from './base/python/index.ts'
// ── Pieces: text with its source ──
export { ByteSink } from './base/text/byte-sink.ts'
export {
  bytesOf,
  control,
  type IdsPiece,
  type Piece,
  type PieceRange,
  plain,
  type Source,
  type TextPiece,
  textOf,
} from './base/text/index.ts'
// ── Formats (also `@rolecall/core/formats`) ──
export * from './formats.ts'
// ── Training rows ──
export { type ContinuedChat, continueChat, type RunningChat } from './masks/continue-chat.ts'
export { type TrainingPolicy, wholeTurns } from './masks/policy.ts'
export { type TrainingRow, type TrainingSetup, trainingRow } from './masks/training-row.ts'
export { type TrainedSpan, type TrainingChat, type TrainingText, trainingText, type UndecidedTurn } from './masks/training-text.ts'
// ── Prompts of datasets ──
export { compilePrompt } from './prompt/compile/compile-prompt.ts'
export { countWords } from './prompt/compile/fit/count-words.ts'
export { type FitOptions, type Fitted, fitExamples } from './prompt/compile/fit/fit-examples.ts'
export { fitWindow, type WindowChat, type WindowDecision, type WindowOptions, windowChat } from './prompt/compile/fit/fit-window.ts'
export type { PreparedChat } from './prompt/compile/prepare-chat.ts'
export type { PreparedPrompt } from './prompt/compile/prepare-prompt.ts'
export type { PromptMaker, RenderedPrompt } from './prompt/compile/prompt-maker.ts'
// ── Chats ──
export type { Chat, ChatMessage, ChatPart, ChatToolCall } from './prompt/conversation/chat-message.ts'
export type { Conversation, LooseText, Section, Tool, ToolCall, Turn } from './prompt/conversation/conversation.ts'
export type { Trust } from './prompt/conversation/message-fields.ts'
export type { Question } from './prompt/conversation/question.ts'
export { readChat } from './prompt/conversation/read-chat.ts'
export type { Row } from './prompt/conversation/row.ts'
// ── Replies (also `@rolecall/core/replies`) ──
export * from './replies.ts'
// ── Tokens (also `@rolecall/core/tokenizers`) ──
export * from './tokenizers.ts'
