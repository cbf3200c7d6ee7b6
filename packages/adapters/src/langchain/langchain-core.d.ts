// What this adapter uses of @langchain/core, which is no dependency of ours: declarations for the compiler, which are not published.
declare module '@langchain/core/messages' {
  export type ToolCallChunk = { name?: string; args?: string; id?: string; index?: number; type?: 'tool_call_chunk' }
  export type UsageMetadata = {
    input_tokens: number
    output_tokens: number
    total_tokens: number
    input_token_details?: { cache_read?: number }
    output_token_details?: { reasoning?: number }
  }
  export interface BaseMessage {
    content: string | readonly { type: string; text?: string; image_url?: string | { url: string } }[]
    name?: string
    id?: string
    additional_kwargs: Record<string, unknown>
    getType(): string
  }
  type AIFields = {
    content: string
    additional_kwargs?: Record<string, unknown>
    response_metadata?: Record<string, unknown>
    tool_calls?: { name: string; args: Record<string, unknown>; id?: string; type?: 'tool_call' }[]
    invalid_tool_calls?: { name?: string; args?: string; id?: string; error?: string; type?: 'invalid_tool_call' }[]
    usage_metadata?: UsageMetadata
  }
  export class AIMessage implements BaseMessage {
    constructor(fields: AIFields)
    content: string
    additional_kwargs: Record<string, unknown>
    getType(): string
  }
  export class AIMessageChunk extends AIMessage {
    invalid_tool_calls: NonNullable<AIFields['invalid_tool_calls']>
    constructor(fields: AIFields & { tool_call_chunks?: ToolCallChunk[] })
  }
}
declare module '@langchain/core/outputs' {
  import type { AIMessage, AIMessageChunk } from '@langchain/core/messages'
  export type ChatResult = {
    generations: { text: string; message: AIMessage; generationInfo?: Record<string, unknown> }[]
    llmOutput?: Record<string, unknown>
  }
  export class ChatGenerationChunk {
    constructor(fields: { text: string; message: AIMessageChunk; generationInfo?: Record<string, unknown> })
  }
}
declare module '@langchain/core/utils/function_calling' {
  export function convertToOpenAITool(tool: unknown): {
    type: 'function'
    function: { name: string; description?: string; parameters?: unknown }
  }
}
declare module '@langchain/core/callbacks/manager' {
  export interface CallbackManagerForLLMRun {
    handleLLMNewToken(
      token: string,
      idx?: unknown,
      runId?: unknown,
      parentRunId?: unknown,
      tags?: unknown,
      fields?: { chunk?: unknown },
    ): Promise<void>
  }
}
declare module '@langchain/core/runnables' {
  export interface Runnable<Input = unknown, Output = unknown, Options = unknown> {
    invoke(input: Input, options?: Partial<Options>): Promise<Output>
  }
}
declare module '@langchain/core/language_models/base' {
  export type BaseLanguageModelInput = string | readonly unknown[] | object
}
declare module '@langchain/core/language_models/chat_models' {
  import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
  import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
  import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages'
  import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs'
  import type { Runnable } from '@langchain/core/runnables'
  export type BaseChatModelParams = object
  export type BaseChatModelCallOptions = { stop?: string[]; signal?: AbortSignal; tool_choice?: string | Record<string, unknown> }
  export type BindToolsInput = object
  export abstract class BaseChatModel<Options extends BaseChatModelCallOptions = BaseChatModelCallOptions, Output = AIMessageChunk> {
    ParsedCallOptions: Options
    constructor(fields: BaseChatModelParams)
    abstract _llmType(): string
    abstract _generate(messages: BaseMessage[], options: this['ParsedCallOptions'], manager?: CallbackManagerForLLMRun): Promise<ChatResult>
    _streamResponseChunks(
      messages: BaseMessage[],
      options: this['ParsedCallOptions'],
      manager?: CallbackManagerForLLMRun,
    ): AsyncGenerator<ChatGenerationChunk>
    bindTools?(tools: BindToolsInput[], kwargs?: Partial<Options>): Runnable<BaseLanguageModelInput, Output, Options>
    withConfig(config: Partial<Options>): Runnable<BaseLanguageModelInput, Output, Options>
    invoke(input: BaseLanguageModelInput, options?: Partial<Options>): Promise<Output>
    invocationParams(options?: this['ParsedCallOptions']): unknown
  }
}
