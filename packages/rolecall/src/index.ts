// The library: all of `@rolecall/core`, models from files and hubs, servers, agents and configs. What only some programs need has entry
// points next to this file, so that this loads quickly.

import type { Model } from '@rolecall/core'
import type { LoadModelOptions } from './files.ts'

export * from '@rolecall/core'
// ── Configs ──
export { type CheckedConfig, checkConfig } from './evaluation/config/check-config.ts'
export type { Config, DatasetConfig, ModelConfig } from './evaluation/config/config-schema.ts'
export { defineConfig } from './evaluation/config/define-config.ts'
export type { LoadModelOptions } from './files.ts'
// ── Agents (also `rolecall/agents`) ──
export type { AgentCall, AgentEvent, AgentResult, EndReason } from './model/agent/agent-event.ts'
export type { AgentOptions } from './model/agent/agent-options.ts'
export { type AgentTool, defineTool, type InputSchema, type ToolContext, type ValidatedTool } from './model/agent/agent-tool.ts'
export { runAgent } from './model/agent/run-agent.ts'
// ── Servers (also `rolecall/models`) ──
export type { LanguageModel, ModelReply } from './model/language-model/language-model.ts'
export { type InferenceServer, openServer, type ServerOptions, type StreamOptions } from './model/openai/inference-server.ts'

/**
 * A model by its place: a name on a hub (`Qwen/Qwen3-8B`, whose template and tokenizer are downloaded once), a model folder, a GGUF file, a
 * chat template or any other file with a format, with the tokenizer beside it. It needs Node; elsewhere, use `defineModel`.
 */
export async function loadModel(place: string, options?: LoadModelOptions): Promise<Model> {
  // Loaded on demand: browsers have no files, and most programs read a model once.
  const files = await import('rolecall/files')
  return files.loadModel(place, options)
}
