// The library: all of `@rolecall/core`, models from files and hubs, servers, agents and configs. What only some programs need has entry
// points next to this file, so that this loads quickly.

export * from '@rolecall/core'
// ── Configs ──
export { type CheckedConfig, checkConfig } from './evaluation/config/check-config.ts'
export type { Config, DatasetConfig, ModelConfig } from './evaluation/config/config-schema.ts'
export { defineConfig } from './evaluation/config/define-config.ts'
export { type EvaluationTask, type TaskAnswer, type TaskDefinition, type TaskModel, task } from './evaluation/config/define-task.ts'
export type { RunTaskOptions, TaskResult, TaskRow } from './evaluation/run/task-result.ts'
export { loadModel } from './load-model.ts'
// ── Agents (also `rolecall/agents`) ──
export type { AgentCall, AgentEvent, AgentResult, EndReason } from './model/agent/agent-event.ts'
export type { AgentOptions } from './model/agent/agent-options.ts'
export { type AgentTool, defineTool, type InputSchema, type ToolContext, type ValidatedTool } from './model/agent/agent-tool.ts'
export { runAgent } from './model/agent/run-agent.ts'
// ── Servers and local models (also `rolecall/models`) ──
export type { InferenceEngine, StreamOptions } from './model/language-model/inference-engine.ts'
export type { LanguageModel, ModelReply } from './model/language-model/language-model.ts'
export type { LoadModelOptions, OpenLocalModelOptions } from './model/language-model/load-model-options.ts'
export { type OpenServerOptions, openServer } from './model/openai/inference-server.ts'
export { openLocalModel } from './open-local-model.ts'
export { runTask } from './run-task.ts'
