export type { Chat, ChatMessage, ChatPart, ChatToolCall } from './chat/chat-message.ts'
export { readChat } from './chat/read-chat.ts'
export { compilePrompt, type PromptMaker, type RenderedPrompt } from './compile-prompt.ts'
export { type CheckedConfig, checkConfig } from './config/check-config.ts'
export { type Config, configSchema, type DatasetConfig, type ModelConfig } from './config/config-schema.ts'
export { defineConfig } from './config/define-config.ts'
export type { Row } from './dataset/row.ts'
export { countWords } from './fit/count-words.ts'
export { type FitOptions, type Fitted, fitExamples } from './fit/fit-examples.ts'
export { type ChatTemplateOptions, chatTemplateFormat } from './format/chat-template/chat-template-format.ts'
export type { Capabilities } from './format/chat-template/probe.ts'
export type { ApiMessage, Ask, Format, Prompt, Stop } from './format/format.ts'
export { promptText } from './format/prompt-text.ts'
export {
  type ChatInput,
  compileTemplate,
  type Limits,
  type RenderOptions,
  renderChat,
  renderChatPieces,
  type Template,
  TemplateError,
} from './jinja/index.ts'
export type { Note } from './note.ts'
export type { PreparedPrompt } from './program/prepare-prompt.ts'
export { PromptError } from './prompt-error.ts'
export { JsonSyntaxError, PyFloat, type PyValue, parseJson, pyFloat, pyRepr, pyStr, stringifyJson } from './python/index.ts'
export type { Conversation, LooseText, Section, Tool, ToolCall, Turn } from './template/conversation.ts'
export type { Question } from './template/question.ts'
export { ByteSink } from './text/byte-sink.ts'
export {
  bytesOf,
  control,
  type IdsPiece,
  type ImagePiece,
  type Piece,
  type PieceRange,
  plain,
  type Source,
  type TextPiece,
  textOf,
} from './text/index.ts'
export { tokenCounter } from './tokenize/count-tokens.ts'
export { readHuggingFaceTokenizer } from './tokenize/hugging-face/hugging-face-tokenizer.ts'
export { lookAlikes, type MarkerPolicy } from './tokenize/look-alikes.ts'
export { RunMemo } from './tokenize/run-memo.ts'
export { readSentencePiece } from './tokenize/sentencepiece/sentencepiece-tokenizer.ts'
export { stopIds } from './tokenize/stop-ids.ts'
export { type Token, type Tokenized, type TokenizeOptions, tokenize } from './tokenize/tokenize.ts'
export type { AddedToken, EncodedRun, Tokenizer } from './tokenize/tokenizer.ts'
