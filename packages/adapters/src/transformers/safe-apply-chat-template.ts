import {
  type ChatMessage,
  defineModel,
  type Model,
  type ModelPrompt,
  PromptError,
  type RenderPromptOptions,
  readTokenizer,
  renderPrompt,
} from '@rolecall/core'

/** A tokenizer of transformers.js (`AutoTokenizer.from_pretrained`), as far as it is read here. */
export type ChatTokenizer<Tensor> = ((text: string) => { input_ids: Tensor }) & { _tokenizerJSON?: unknown; config?: unknown }

/** What `model.generate` takes, and the prompt, for its text, its ids and its stops. */
export type ChatInputs<Tensor> = { input_ids: Tensor; attention_mask: Tensor; prompt: ModelPrompt }

/**
 * As `tokenizer.apply_chat_template` with a generation prompt, but text of messages never becomes a special token: a user who types
 * `<|im_start|>` sends ordinary characters. Where nobody does, the ids are the same.
 */
export function safeApplyChatTemplate<Tensor>(
  tokenizer: ChatTokenizer<Tensor>,
  messages: readonly ChatMessage[],
  options: RenderPromptOptions = {},
): ChatInputs<Tensor> {
  const prompt = renderPrompt(modelOf(tokenizer, options), messages, options)
  const ids = prompt.ids()
  // Its tensors are of the class that its model takes; the class itself is in a package of 430 MB.
  const { constructor: tensorClass } = tokenizer('a').input_ids as { constructor: unknown }
  const tensor = (values: readonly number[]) =>
    Reflect.construct(tensorClass as new () => unknown, ['int64', BigInt64Array.from(values, BigInt), [1, values.length]]) as Tensor
  return { input_ids: tensor(ids), attention_mask: tensor(ids.map(() => 1)), prompt }
}

/** Templates are compiled and vocabularies read once per tokenizer. */
const models = new WeakMap<object, Map<string, Model>>()

function modelOf(tokenizer: ChatTokenizer<unknown>, { tools }: RenderPromptOptions): Model {
  const { _tokenizerJSON: json, config } = tokenizer
  if (typeof json !== 'object' || json === null || typeof config !== 'object' || config === null)
    throw new PromptError('wrong-type', {
      where: 'safeApplyChatTemplate › tokenizer',
      problem: 'this is not a tokenizer of transformers.js 4',
      fix: 'give what AutoTokenizer.from_pretrained returns',
    })
  const chatTemplate = templateOf(config as TokenizerConfig, tools)
  const known = models.get(tokenizer) ?? new Map<string, Model>()
  models.set(tokenizer, known)
  const model =
    known.get(chatTemplate) ?? defineModel({ chatTemplate, specialTokens: tokensOf(config), tokenizer: readTokenizer(json, { config }) })
  known.set(chatTemplate, model)
  return model
}

type TokenizerConfig = { chat_template?: string | readonly { name: string; template: string }[] | null }

function templateOf({ chat_template: template }: TokenizerConfig, tools: RenderPromptOptions['tools']): string {
  if (typeof template === 'string') return template
  const named = (wanted: string) => template?.find(({ name }) => name === wanted)?.template
  const found = (tools ? named('tool_use') : undefined) ?? named('default')
  if (found !== undefined) return found
  throw new PromptError('no-format', {
    where: 'safeApplyChatTemplate › tokenizer',
    problem: 'the tokenizer has no chat template',
    fix: 'use the tokenizer of a chat model, or write the prompt with renderPrompt',
  })
}

function tokensOf(config: object): Record<string, string | { content: string }> {
  return Object.fromEntries(Object.entries(config).filter(([key, value]) => key.endsWith('_token') && isToken(value)))
}

function isToken(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && typeof (value as { content?: unknown }).content === 'string')
  )
}
