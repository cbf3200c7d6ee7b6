// The library: prompts, chats, replies, tokens, models and agents. Parts that are useful alone have entry points next to this file; large
// parts that prompts do not need (evaluators, runs, linting, importing) are only there, so that this loads quickly.

export type { Note } from '@rolecall/core/internal/errors'
export { PromptError } from '@rolecall/core/internal/errors'
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
} from '@rolecall/core/internal/jinja'
// ── Values as Python writes them ──
export { JsonSyntaxError, PyFloat, type PyValue, parseJson, pyFloat, pyRepr, pyStr, stringifyJson } from '@rolecall/core/internal/python'
export { tokenizeWords } from './python/word-split/word-tokenize.ts'
// ── Pieces: text with its source ──
export { ByteSink } from '@rolecall/core/internal/text'
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
} from '@rolecall/core/internal/text'
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
export { type ChatMaker, chatMaker as compileChatIn, compileChat, renderChat } from '@rolecall/core/internal/compile'
export { compilePrompt, compilePromptIn } from '@rolecall/core/internal/compile'
export { countWords } from '@rolecall/core/internal/compile'
export { type FitOptions, type Fitted, fitExamples } from '@rolecall/core/internal/compile'
export { fitWindow, type WindowChat, type WindowDecision, type WindowOptions, windowChat } from '@rolecall/core/internal/compile'
export type { PreparedChat } from '@rolecall/core/internal/compile'
export type { PreparedPrompt } from '@rolecall/core/internal/compile'
export type { PromptMaker, RenderedPrompt } from '@rolecall/core/internal/compile'
// ── Chats ──
export type { Chat, ChatMessage, ChatPart, ChatToolCall } from '@rolecall/core/internal/conversation'
export type { Conversation, LooseText, Section, Tool, ToolCall, Turn } from '@rolecall/core/internal/conversation'
export type { Trust } from '@rolecall/core/internal/conversation'
// ── Prompts of datasets ──
export type { Question } from '@rolecall/core/internal/conversation'
export { readChat } from '@rolecall/core/internal/conversation'
export type { Row } from '@rolecall/core/internal/conversation'
export { promptText } from '@rolecall/core/internal/format'
// ── Replies (also `rolecall/replies`) ──
export * from './replies.ts'
// ── Tokens (also `rolecall/tokenizers`) ──
export * from './tokenizers.ts'
// ── Training rows ──
export { type ContinuedChat, continueChat, type RunningChat } from '@rolecall/core/internal/masks'
export { type TrainingPolicy, wholeTurns } from '@rolecall/core/internal/masks'
export { type TrainingRow, type TrainingSetup, trainingRow } from '@rolecall/core/internal/masks'
export {
  type TrainedSpan,
  type TrainingChat,
  type TrainingText,
  trainingText,
  type UndecidedTurn,
} from '@rolecall/core/internal/masks'
