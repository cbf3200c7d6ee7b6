/**
 * The parts of the AI SDK's `LanguageModelV3` that this adapter reads and writes: its own package is no dependency of ours. A test compiles a
 * program against the real types.
 */
export type AiSdkModel = {
  readonly specificationVersion: 'v3'
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: Record<string, RegExp[]>
  doGenerate(options: CallOptions): Promise<GenerateResult>
  doStream(options: CallOptions): Promise<StreamResult>
}

/** A middleware for `wrapLanguageModel`. */
export type AiSdkMiddleware = {
  readonly specificationVersion: 'v3'
  wrapGenerate<Result extends WrappedResult>(call: { doGenerate: () => PromiseLike<Result>; params: CallOptions }): Promise<Result>
  wrapStream<Result extends WrappedStream>(call: { doStream: () => PromiseLike<Result>; params: CallOptions }): Promise<Result>
}

/** The result of any model: its content may have kinds that pass through a middleware. */
export type WrappedResult = { content: { type: string }[]; finishReason: SdkFinish }
export type WrappedStream = { stream: ReadableStream<{ type: string }> }

export type CallOptions = {
  prompt: SdkMessage[]
  maxOutputTokens?: number
  temperature?: number
  stopSequences?: string[]
  topP?: number
  topK?: number
  presencePenalty?: number
  frequencyPenalty?: number
  responseFormat?: { type: 'text' } | { type: 'json'; schema?: unknown; name?: string; description?: string }
  seed?: number
  tools?: (SdkTool | { type: 'provider'; id: string; name: string; args: Record<string, unknown> })[]
  toolChoice?: { type: 'auto' } | { type: 'none' } | { type: 'required' } | { type: 'tool'; toolName: string }
  includeRawChunks?: boolean
  abortSignal?: AbortSignal
  headers?: Record<string, string | undefined>
  providerOptions?: Record<string, Record<string, unknown>>
}

export type SdkTool = {
  type: 'function'
  name: string
  description?: string
  inputSchema: unknown
  strict?: boolean
  inputExamples?: unknown[]
}

export type SdkMessage = { role: 'system'; content: string } | { role: 'user' | 'assistant' | 'tool'; content: SdkPart[] }

/** A part of a message; which kinds a role has is the SDK's business. */
export type SdkPart =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'file'; data: Uint8Array | string | URL; mediaType: string; filename?: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: SdkOutput }
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }

export type SdkOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json' | 'error-json'; value: unknown }
  | { type: 'execution-denied'; reason?: string }
  | { type: 'content'; value: { type: string; text?: string }[] }

export type SdkWarning =
  | { type: 'unsupported'; feature: string; details?: string }
  | { type: 'compatibility'; feature: string; details?: string }
  | { type: 'other'; message: string }

export type SdkUsage = {
  inputTokens: { total: number | undefined; noCache: number | undefined; cacheRead: number | undefined; cacheWrite: number | undefined }
  outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined }
}

export type SdkFinish = { unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'; raw: string | undefined }

export type SdkContent =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }

type Json = null | string | number | boolean | Json[] | { [key: string]: Json | undefined }
export type SdkMetadata = Record<string, { [key: string]: Json | undefined }>

export type GenerateResult = {
  content: SdkContent[]
  finishReason: SdkFinish
  usage: SdkUsage
  providerMetadata?: SdkMetadata
  request?: { body?: unknown }
  warnings: SdkWarning[]
}

export type StreamResult = { stream: ReadableStream<StreamPart>; request?: { body?: unknown } }

export type StreamPart =
  | { type: 'stream-start'; warnings: SdkWarning[] }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' | 'tool-input-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }
  | { type: 'finish'; usage: SdkUsage; finishReason: SdkFinish; providerMetadata?: SdkMetadata }
  | { type: 'error'; error: unknown }
