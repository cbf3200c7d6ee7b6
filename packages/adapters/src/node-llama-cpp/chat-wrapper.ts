import { type Model, type ModelPrompt, PromptError, renderPrompt } from '@rolecall/core'
import { check } from '@rolecall/core/internal/errors'
import { syntaxOf } from '@rolecall/core/internal/reply'
import * as z from '@rolecall/core/internal/schema'
import {
  type ChatModelFunctions,
  ChatWrapper,
  type ChatWrapperGenerateContextStateOptions,
  type ChatWrapperGeneratedContextState,
  type ChatWrapperSettings,
  LlamaText,
  SpecialToken,
  SpecialTokensText,
} from 'node-llama-cpp'
import { functionSettings } from './function-syntax.ts'
import { readHistory } from './read-history.ts'

/** What holds for every prompt. */
export type ChatWrapperOptions = {
  /** Variables of the chat template, such as `{ enable_thinking: false }`. */
  variables?: Readonly<Record<string, unknown>>
}

const optionsSchema = z.strictObject({ variables: z.optional(z.record(z.string(), z.unknown())) } satisfies {
  readonly [Key in keyof Required<ChatWrapperOptions>]: z.FieldSchemas[string]
})

/**
 * A chat wrapper for `LlamaChatSession` that writes a model's own template. What the template wrote is `SpecialTokensText`; messages are text,
 * so that no user can write a control token.
 */
export function chatWrapper(model: Model, options: ChatWrapperOptions = {}): ChatWrapper {
  check(optionsSchema, options, 'chatWrapper › options › ')
  if (model.format.kind === 'chat')
    throw new PromptError('wrong-kind', {
      where: 'chatWrapper',
      problem: 'the format writes messages for a server',
      fix: 'use a format that writes text',
    })
  return new ExactChatWrapper(model, options)
}

class ExactChatWrapper extends ChatWrapper {
  override readonly wrapperName: string
  override readonly settings: ChatWrapperSettings
  readonly #model: Model
  readonly #variables: ChatWrapperOptions['variables']
  /** Functions are tools of the template; other templates get them described in the system message. */
  readonly #writesTools: boolean

  constructor(model: Model, { variables }: ChatWrapperOptions) {
    super()
    this.wrapperName = model.name
    this.#model = model
    this.#variables = variables
    const own = functionSettings(model, syntaxOf(model.format, model.replySyntax), ChatWrapper.defaultSettings)
    this.#writesTools = own !== undefined
    this.settings = own ?? ChatWrapper.defaultSettings
  }

  override generateContextState(options: ChatWrapperGenerateContextStateOptions): ChatWrapperGeneratedContextState {
    const { chatHistory, availableFunctions = {}, documentFunctionParams } = options
    const tools = this.#writesTools ? toolsOf(availableFunctions) : []
    const history = this.#writesTools
      ? chatHistory
      : this.addAvailableFunctionsSystemMessageToHistory(chatHistory, availableFunctions, { documentParams: documentFunctionParams })
    const messages = readHistory(history)
    const isContinued = messages.at(-1)?.role === 'assistant'
    const prompt = renderPrompt(this.#model, messages, {
      tools: tools.length === 0 ? undefined : tools,
      variables: this.#variables,
      want: isContinued ? 'continue' : 'generate',
    })
    return { contextText: llamaText(prompt), stopGenerationTriggers: stops(prompt) }
  }
}

function toolsOf(functions: ChatModelFunctions): object[] {
  return Object.entries(functions).map(([name, { description, params }]) => ({
    type: 'function',
    function: { name, description: description ?? '', parameters: params ?? { type: 'object', properties: {} } },
  }))
}

/** Control text is recognised as special tokens, other text never is. */
function llamaText({ rendered, pieces }: ModelPrompt): LlamaText {
  const parts = pieces.map((piece) => {
    if ('text' in piece) return piece.control ? new SpecialTokensText(piece.text) : piece.text
    throw new PromptError('unsupported', { where: 'chatWrapper', problem: 'this history has media or token ids', fix: 'send text' })
  })
  const needsBos = rendered.kind === 'completion' && rendered.bos === 'tokenizer'
  return LlamaText(...(needsBos ? [new SpecialToken('BOS')] : []), ...parts)
}

function stops({ stop }: ModelPrompt): LlamaText[] {
  return [LlamaText(new SpecialToken('EOS')), ...stop.texts.flatMap((text) => [LlamaText(new SpecialTokensText(text)), LlamaText(text)])]
}
