// The library: all of `@rolecall/core`, and models, agents and configs. Large parts that these do not need (evaluators, runs, linting,
// importing) have entry points next to this file, so that this loads quickly.

export * from '@rolecall/core'
// ── Configs ──
export { type CheckedConfig, checkConfig } from './evaluation/config/check-config.ts'
export { type Config, configSchema, type DatasetConfig, type ModelConfig } from './evaluation/config/config-schema.ts'
export { defineConfig } from './evaluation/config/define-config.ts'
// ── Selecting examples ──
export { Bm25Index, type Bm25Options } from './evaluation/dataset/retrieve/bm25.ts'
export { type Embedder, endpointEmbedder } from './evaluation/dataset/retrieve/embedder.ts'
export { retrievers } from './evaluation/dataset/retrieve/retrievers.ts'
// ── Models ──
export { mlcSampling } from './evaluation/run/ask/mlc-sampling.ts'
export { perplexity } from './evaluation/run/ask/perplexity.ts'
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
export type { ModelNotes } from './model/language-model/model-notes.ts'
export { greedy, pickToken, type Sampling, sampleToken, seededRandom, softmax } from './model/language-model/sampling.ts'
export { StopFilter } from './model/language-model/stop-filter.ts'
export { fetchClient } from './model/openai/http/fetch-client.ts'
export { type HttpClient, HttpFailure, type HttpReply, type HttpRequest } from './model/openai/http/http-client.ts'
export type { Wait } from './model/openai/http/wait.ts'
export { type OpenAIOptions, openOpenAI } from './model/openai/open-openai.ts'
export { tokenizeWords } from './python/word-split/word-tokenize.ts'
