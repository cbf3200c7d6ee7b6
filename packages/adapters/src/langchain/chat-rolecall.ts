import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { BaseChatModel, type BaseChatModelCallOptions, type BindToolsInput } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs'
import type { Runnable } from '@langchain/core/runnables'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { check } from '@rolecall/core/internal/errors'
import * as z from '@rolecall/core/internal/schema'
import type { InferenceEngine } from 'rolecall'
import { type OpenTurn, openTurn } from '../turn/open-turn.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { OfferedTool, TurnRequest } from '../turn/turn-request.ts'
import { readMessages } from './chat-of-messages.ts'
import { chunkOf, metadataOf, usageOf, writeMessage } from './message-of-turn.ts'

/** A chat model and what holds for every call. */
export type ChatRolecallFields = {
  /** What `openServer` or `openLocalModel` returns. */
  engine: InferenceEngine
  /** Maximum number of generated tokens. */
  maxTokens?: number
  temperature?: number
  topP?: number
  topK?: number
  seed?: number
  /** Variables of the chat template, such as `{ enable_thinking: false }`. */
  variables?: Readonly<Record<string, unknown>>
}

/** What a single call may have besides LangChain's own options. */
export type ChatRolecallCallOptions = BaseChatModelCallOptions & {
  /** As `bindTools` sets them. */
  tools?: OfferedTool[]
  /** Variables of the chat template, over those of the model. */
  variables?: Readonly<Record<string, unknown>>
  /** As OpenAI's, set by `withConfig`: the answer follows the schema. */
  response_format?: { type: 'text' | 'json_object' } | { type: 'json_schema'; json_schema: { schema?: unknown } }
}

const fieldsSchema = z.strictObject({
  engine: z.looseObject({ model: z.looseObject({ format: z.looseObject({}) }) }),
  maxTokens: z.optional(z.int()),
  temperature: z.optional(z.number()),
  topP: z.optional(z.number()),
  topK: z.optional(z.int()),
  seed: z.optional(z.int()),
  variables: z.optional(z.record(z.string(), z.unknown())),
} satisfies { readonly [Key in keyof Required<ChatRolecallFields>]: z.FieldSchemas[string] })

/** A chat model of LangChain that is sent exact prompts and whose replies are read as its own template writes them. */
export class ChatRolecall extends BaseChatModel<ChatRolecallCallOptions, AIMessageChunk> {
  readonly #fields: ChatRolecallFields

  constructor(fields: ChatRolecallFields) {
    check(fieldsSchema, fields, 'ChatRolecall › ')
    super({})
    this.#fields = fields
  }

  override _llmType(): string {
    return 'rolecall'
  }

  override invocationParams(): Record<string, unknown> {
    const { engine, ...settings } = this.#fields
    return { model: engine.name, ...settings }
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs: Partial<ChatRolecallCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ChatRolecallCallOptions> {
    return this.withConfig({ ...kwargs, tools: tools.map((tool) => convertToOpenAITool(tool)) })
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const { engine } = this.#fields
    const turn = this.#open(messages, options)
    const events = runTurn(turn)
    let next = await events.next()
    while (!next.done) next = await events.next()
    const message = writeMessage(next.value, engine, randomId, turn.warnings)
    const generationInfo = metadataOf(next.value, engine, turn.warnings)
    return {
      generations: [{ text: next.value.reply.text, message, generationInfo }],
      llmOutput: { tokenUsage: usageOf(next.value, engine) },
    }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { engine } = this.#fields
    const turn = this.#open(messages, options)
    const events = runTurn(turn)
    try {
      let next = await events.next()
      for (; !next.done; next = await events.next()) {
        const message = chunkOf(next.value, randomId)
        if (message === undefined) continue
        const text = next.value.type === 'text' ? next.value.text : ''
        const chunk = new ChatGenerationChunk({ text, message })
        yield chunk
        await manager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk })
      }
      const last = new AIMessageChunk({
        content: '',
        usage_metadata: usageOf(next.value, engine),
        response_metadata: metadataOf(next.value, engine, turn.warnings),
      })
      yield new ChatGenerationChunk({ text: '', message: last })
    } finally {
      await events.return(undefined as never)
    }
  }

  #open(messages: readonly BaseMessage[], options: this['ParsedCallOptions']): OpenTurn {
    const { engine, maxTokens, variables, temperature, topP, topK, seed } = this.#fields
    const sampling = Object.fromEntries(Object.entries({ temperature, topP, topK, seed }).filter(([, value]) => value !== undefined))
    const { response_format: format } = options
    return openTurn(engine, {
      messages: readMessages(messages),
      tools: options.tools?.map((tool) => convertToOpenAITool(tool)),
      toolChoice: choiceOf(options.tool_choice),
      json:
        format === undefined || format.type === 'text'
          ? undefined
          : { schema: 'json_schema' in format ? format.json_schema.schema : undefined },
      variables: { ...variables, ...options.variables },
      maxTokens,
      sampling,
      stopTexts: options.stop,
      signal: options.signal,
    })
  }
}

/** LangChain's words and OpenAI's: `any` and `required` are the same, and another word is the name of a tool. */
function choiceOf(choice: BaseChatModelCallOptions['tool_choice']): TurnRequest['toolChoice'] {
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  const name = typeof choice === 'string' ? choice : (choice.function as { name?: unknown } | undefined)?.name
  return { name: String(name) }
}

function randomId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
}
