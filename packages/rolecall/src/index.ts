// The library: prompts, chats, replies, tokens, models and agents. Parts that are useful alone have entry points next to this file; large
// parts that prompts do not need (evaluators, runs, linting, importing) are only there, so that this loads quickly.

export type { Note } from './base/errors/note.ts'
export { PromptError } from './base/errors/prompt-error.ts'
// ── Chat templates (also `rolecall/jinja`) ──
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
export { tokenizeWords } from './base/python/word-split/word-tokenize.ts'
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
// ── Configs ──
export { type CheckedConfig, checkConfig } from './evaluation/config/check-config.ts'
export { type Config, configSchema, type DatasetConfig, type ModelConfig } from './evaluation/config/config-schema.ts'
export { defineConfig } from './evaluation/config/define-config.ts'
// ── Selecting examples ──
export { Bm25Index, type Bm25Options } from './evaluation/dataset/retrieve/bm25.ts'
export { type Embedder, endpointEmbedder } from './evaluation/dataset/retrieve/embedder.ts'
export { retrievers } from './evaluation/dataset/retrieve/retrievers.ts'
// ── Models ──
export { perplexity } from './evaluation/run/ask/perplexity.ts'
// ── Formats (also `rolecall/formats`) ──
export * from './formats.ts'
// ── Agents ──
export type { AgentCall, AgentEvent, AgentResult, EndReason } from './model/agent/agent-event.ts'
export type { AgentOptions } from './model/agent/agent-options.ts'
export { type AgentTool, defineTool, type ToolContext } from './model/agent/agent-tool.ts'
export { fileMessage } from './model/agent/attached-file.ts'
export type { HistoryOptions } from './model/agent/fit-history.ts'
export type { CodeFile, CodeOptions, CodeOutput, CodeResult, Interpreter } from './model/agent/interpreter.ts'
export { replayModel } from './model/agent/replay-model.ts'
export { askAgent, runAgent } from './model/agent/run-agent.ts'
export { showOutputs } from './model/agent/show-outputs.ts'
export type { SavedPart, SavedPrompt, Transcript, TranscriptStep } from './model/agent/transcript.ts'
export { type EmbeddedFiles, openEmbedded } from './model/embedded/open-embedded.ts'
export type { GenerateOptions, LanguageModel, ModelReply, ScoredPrompt } from './model/language-model/language-model.ts'
export { greedy, pickToken, type Sampling, sampleToken, seededRandom, softmax } from './model/language-model/sampling.ts'
export { StopFilter } from './model/language-model/stop-filter.ts'
export { fetchClient } from './model/openai/http/fetch-client.ts'
export { type HttpClient, HttpFailure, type HttpReply, type HttpRequest } from './model/openai/http/http-client.ts'
export type { Wait } from './model/openai/http/wait.ts'
export { type OpenAIOptions, openOpenAI } from './model/openai/open-openai.ts'
export { type ChatMaker, chatMaker as compileChatIn, compileChat, renderChat } from './prompt/compile/compile-chat.ts'
export { compilePrompt, compilePromptIn } from './prompt/compile/compile-prompt.ts'
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
// ── Prompts of datasets ──
export type { Question } from './prompt/conversation/question.ts'
export { readChat } from './prompt/conversation/read-chat.ts'
export type { Row } from './prompt/conversation/row.ts'
export { promptText } from './prompt/format/prompt-text.ts'
// ── Replies (also `rolecall/replies`) ──
export * from './replies.ts'
// ── Tokens (also `rolecall/tokenizers`) ──
export * from './tokenizers.ts'
// ── Training rows ──
export { type ContinuedChat, continueChat, type RunningChat } from './workbench/training/continue-chat.ts'
export { type TrainingPolicy, wholeTurns } from './workbench/training/policy.ts'
export { type TrainingRow, type TrainingSetup, trainingRow } from './workbench/training/training-row.ts'
export {
  type TrainedSpan,
  type TrainingChat,
  type TrainingText,
  trainingText,
  type UndecidedTurn,
} from './workbench/training/training-text.ts'
