// `rolecall/agents`: models with tools and code: transcripts, replays, history that fits.

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
