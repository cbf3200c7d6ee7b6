// What this adapter uses of node-llama-cpp, which is no dependency of ours: declarations for the compiler, which are not published.
declare module 'node-llama-cpp' {
  export type LlamaTextPart = string | SpecialTokensText | SpecialToken | LlamaText | readonly LlamaTextPart[]
  export interface LlamaText {
    readonly values: readonly (string | SpecialTokensText | SpecialToken)[]
    toString(): string
  }
  export const LlamaText: { (...parts: readonly LlamaTextPart[]): LlamaText; fromJSON(json: unknown): LlamaText }
  export class SpecialTokensText {
    constructor(value: string)
    readonly value: string
  }
  export class SpecialToken {
    constructor(value: 'BOS' | 'EOS' | 'NL' | 'EOT' | 'SEP')
  }
  export type ChatModelFunctionCall = { type: 'functionCall'; name: string; params: unknown; result: unknown; rawCall?: unknown }
  export type ChatHistoryItem =
    | { type: 'system'; text: string | readonly unknown[] }
    | { type: 'user'; text: string }
    | {
        type: 'model'
        response: readonly (
          | string
          | ChatModelFunctionCall
          | { type: 'segment'; segmentType: 'thought' | 'comment'; text: string; ended: boolean }
        )[]
      }
  export type ChatModelFunctions = { readonly [name: string]: { readonly description?: string; readonly params?: unknown } }
  export type ChatWrapperGenerateContextStateOptions = {
    chatHistory: readonly ChatHistoryItem[]
    availableFunctions?: ChatModelFunctions
    documentFunctionParams?: boolean
  }
  export type ChatWrapperGeneratedContextState = { contextText: LlamaText; stopGenerationTriggers: LlamaText[] }
  export type ChatWrapperSettings = {
    readonly supportsSystemMessages: boolean
    readonly functions: {
      readonly call: {
        readonly optionalPrefixSpace: boolean
        readonly prefix: string | LlamaText
        readonly paramsPrefix: string | LlamaText
        readonly suffix: string | LlamaText
        readonly emptyCallParamsPlaceholder?: object | string | number | boolean | null
      }
      readonly result: { readonly prefix: string | LlamaText; readonly suffix: string | LlamaText }
    }
    readonly segments?: object
  }
  export abstract class ChatWrapper {
    static defaultSettings: ChatWrapperSettings
    abstract readonly wrapperName: string
    readonly settings: ChatWrapperSettings
    generateContextState(options: ChatWrapperGenerateContextStateOptions): ChatWrapperGeneratedContextState
    addAvailableFunctionsSystemMessageToHistory(
      history: readonly ChatHistoryItem[],
      functions?: ChatModelFunctions,
      options?: { documentParams?: boolean },
    ): readonly ChatHistoryItem[]
    generateFunctionCall(name: string, params: unknown): LlamaText
    generateFunctionCallResult(name: string, params: unknown, result: unknown): LlamaText
  }
}
