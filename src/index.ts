// The library: prompts, chats, replies, tokens, models and agents. What other programs want alone has a door of its own in `entry-points/`; what
// is large and not needed to write a prompt (evaluators, runs, linting, importing) is only there, so that loading this stays quick.

// ── Agents ──
export type { AgentCall, AgentEvent, AgentResult, EndReason } from './agent/agent-event.ts'
export { type AgentTool, defineTool, type ToolContext } from './agent/agent-tool.ts'
export { fileMessage } from './agent/attached-file.ts'
export type { HistoryOptions } from './agent/fit-history.ts'
export type { CodeFile, CodeOptions, CodeOutput, CodeResult, Interpreter } from './agent/interpreter.ts'
export { replayModel } from './agent/replay.ts'
export { type AgentOptions, askAgent, runAgent } from './agent/run-agent.ts'
export { showOutputs } from './agent/show-outputs.ts'
export type { SavedPart, SavedPrompt, Transcript, TranscriptStep } from './agent/transcript.ts'
// ── Models ──
export { perplexity } from './ask/perplexity.ts'
// ── Configs ──
export { type CheckedConfig, checkConfig } from './config/check-config.ts'
export { type Config, configSchema, type DatasetConfig, type ModelConfig } from './config/config-schema.ts'
export { defineConfig } from './config/define-config.ts'

// ── Chats ──
export type { Chat, ChatMessage, ChatPart, ChatToolCall } from './conversation/chat-message.ts'
export type { Conversation, LooseText, Section, Tool, ToolCall, Turn } from './conversation/conversation.ts'
export type { Trust } from './conversation/message-fields.ts'
// ── Prompts of datasets ──
export type { Question } from './conversation/question.ts'
export { readChat } from './conversation/read-chat.ts'
export type { Row } from './dataset/row.ts'
// ── Formats (also `rolecall/formats`) ──
export * from './entry-points/formats.ts'
// ── Replies (also `rolecall/replies`) ──
export * from './entry-points/replies.ts'
// ── Tokens (also `rolecall/tokenizers`) ──
export * from './entry-points/tokenizers.ts'
export { countWords } from './fit/count-words.ts'
export { type FitOptions, type Fitted, fitExamples } from './fit/fit-examples.ts'
export { fitWindow, type WindowChat, type WindowDecision, type WindowOptions, windowChat } from './fit/fit-window.ts'
export { promptText } from './format/prompt-text.ts'
export { fetchClient } from './http/fetch-client.ts'
export { type HttpClient, HttpFailure, type HttpReply, type HttpRequest } from './http/http-client.ts'
export type { Wait } from './http/wait.ts'
// ── Chat templates (also `rolecall/jinja`) ──
export {
  type ChatInput,
  compileTemplate as compileChatTemplate,
  type Limits,
  type RenderOptions,
  renderChat as renderChatTemplate,
  renderChatPieces as renderChatTemplatePieces,
  type Template as ChatTemplate,
  TemplateError,
} from './jinja/index.ts'
export { type EmbeddedFiles, openEmbedded } from './model/embedded/open-embedded.ts'
export type { GenerateOptions, LanguageModel, Reply as ModelReply, ScoredPrompt } from './model/language-model.ts'
export { type OpenAIOptions, openOpenAI } from './model/openai/open-openai.ts'
export { greedy, pickToken, type Sampling, sampleToken, seededRandom, softmax } from './model/sampling.ts'
export { StopFilter } from './model/stop-filter.ts'
export type { Note } from './note.ts'
export { type ChatMaker, chatMaker as compileChatIn, compileChat, renderChat } from './prompt/compile-chat.ts'
export { compilePrompt, compilePromptIn } from './prompt/compile-prompt.ts'
export type { PreparedChat } from './prompt/prepare-chat.ts'
export type { PreparedPrompt } from './prompt/prepare-prompt.ts'
export type { PromptMaker, RenderedPrompt } from './prompt/prompt-maker.ts'
export { PromptError } from './prompt-error.ts'
// ── Values as Python writes them ──
export { JsonSyntaxError, PyFloat, type PyValue, parseJson, pyFloat, pyRepr, pyStr, stringifyJson } from './python/index.ts'
// ── Which rows are examples ──
export { Bm25Index, type Bm25Options } from './retrieve/bm25.ts'
export { type Embedder, endpointEmbedder } from './retrieve/embedder.ts'
export { retrievers } from './retrieve/retrievers.ts'
// ── Pieces: text that knows who wrote it ──
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
// ── Training rows ──
export { type ContinuedChat, continueChat, type RunningChat } from './train/continue-chat.ts'
export { type TrainingPolicy, wholeTurns } from './train/policy.ts'
export { type TrainingRow, type TrainingSetup, trainingRow } from './train/training-row.ts'
export { type TrainedSpan, type TrainingChat, type TrainingText, trainingText, type UndecidedTurn } from './train/training-text.ts'
export { tokenizeWords } from './words/word-tokenize.ts'
