// `@rolecall/core/formats`: how models expect conversations to be rendered, one function per kind of format, and text with its sources.

export type { Note, NoteCode } from './base/errors/note.ts'
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
export { preparePrompts } from './model/prepare-prompts.ts'
export type { PreparedChat } from './prompt/compile/prepare-chat.ts'
export type { Chat, ChatMessage } from './prompt/conversation/chat-message.ts'
export type { Conversation, LooseText, Section, Tool, ToolCall, Turn } from './prompt/conversation/conversation.ts'
export type { Trust } from './prompt/conversation/message-fields.ts'
export { readChat } from './prompt/conversation/read-chat.ts'
export { type ChatTemplateOptions, chatTemplateFormat } from './prompt/format/chat-template/chat-template-format.ts'
export type { Capabilities } from './prompt/format/chat-template/probe.ts'
export type { ApiMessage, Ask, Format, NeededToken, Prompt, Stop } from './prompt/format/format.ts'
export { type ReadTranscript, readTranscript } from './prompt/format/internlm2/read-transcript.ts'
export { type MlcChatConfig, type MlcSettings, mlcDefaults, readMlcConfig } from './prompt/format/mlc/chat-config.ts'
export { toNewConversation, toOldConversation } from './prompt/format/mlc/convert-conversation.ts'
export type { MlcConversation, NewConversation, OldConversation } from './prompt/format/mlc/mlc-conversation.ts'
export { mlcFormat } from './prompt/format/mlc/mlc-format.ts'
export { mlcSettingsOf } from './prompt/format/mlc/mlc-settings.ts'
export { parseMlcConfig } from './prompt/format/mlc/parse-config.ts'
export { readMlcConversation } from './prompt/format/mlc/read-mlc-conversation.ts'
export { mlcTemplate, mlcTemplates, type TemplateSummary } from './prompt/format/mlc/summary.ts'
export { promptText } from './prompt/format/prompt-text.ts'
export { apiTemplateFormat, metaTemplateFormat, plainTextFormat } from './prompt/format/single-formats.ts'
