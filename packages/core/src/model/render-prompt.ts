import { check } from '../base/errors/check.ts'
import { suggestName } from '../base/errors/nearest.ts'
import type { Note } from '../base/errors/note.ts'
import { PromptError } from '../base/errors/prompt-error.ts'
import type { PyValue } from '../base/python/index.ts'
import * as z from '../base/schema/schema.ts'
import type { Piece } from '../base/text/index.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import type { Trust } from '../prompt/conversation/message-fields.ts'
import { readChat } from '../prompt/conversation/read-chat.ts'
import type { ApiMessage, Ask, Format, Prompt, Stop } from '../prompt/format/format.ts'
import { promptText } from '../prompt/format/prompt-text.ts'
import { stopIds } from '../prompt/tokenizer/check-tokens.ts'
import { type Tokenized, tokenize } from '../prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import { checkModel, type Model } from './model.ts'

/** What a prompt has besides its messages. */
export type RenderPromptOptions = {
  /** The tools that the model may call, bare (`{ name, description, parameters }`) or in OpenAI's shape. */
  tools?: readonly object[] | null
  /** Variables of the chat template for this prompt, over those of the model: `{ enable_thinking: false }`. */
  variables?: Readonly<Record<string, unknown>>
  /** The start of the model's answer, which it continues. */
  prefill?: string
  /**
   * Where the prompt ends. `generate` (the default): where the model starts to speak; `complete`: after the last message; `continue`: inside
   * the last message, which the model continues; `last-round`: it has only what a running chat has not been sent yet.
   */
  want?: Ask['want']
  /** The time that the template is shown; by default the time of the call. */
  clock?: Date
  /** Which messages may carry `token_ids` that the model generated; none by default, since messages come from anywhere. */
  trustsIds?: Trust['trustsIds']
}

const promptOptionsSchema = z.strictObject({
  tools: z.nullish(z.custom<readonly object[]>(Array.isArray, 'expected a list of tools')),
  variables: z.optional(z.record(z.string(), z.unknown())),
  prefill: z.optional(z.string()),
  want: z.optional(z.enum(['generate', 'complete', 'continue', 'last-round'])),
  clock: z.optional(z.custom<Date>((value) => value instanceof Date, 'expected a Date')),
  trustsIds: z.optional(z.unknown()),
} satisfies { readonly [Key in keyof Required<RenderPromptOptions>]: z.FieldSchemas[string] })

/** The exact prompt for some messages: its text, its ids, and who wrote every character. */
export type ModelPrompt = {
  /** `completion`: one text; `chat`: messages for a server that formats them itself. */
  readonly kind: Prompt['kind']
  /** The text, as a completions endpoint takes it; of a `chat`, the messages with their roles, for display. */
  readonly text: string
  /** The text in pieces, each with its source and whether it may hold control tokens. */
  readonly pieces: readonly Piece[]
  /** The messages of a `chat`. */
  readonly messages?: readonly ApiMessage[] | undefined
  /** Where generation ends, as texts and as ids; tokens are in both if the model has a tokenizer. */
  readonly stop: { readonly texts: readonly string[]; readonly ids: readonly number[] }
  /** What was changed, left out or guessed. */
  readonly notes: readonly Note[]
  /** The token ids. Text from messages never becomes a control token. Throws without a tokenizer. */
  ids(): number[]
  /** The tokens with their places in the text, and notes about them. */
  tokens(): Tokenized
  /** The prompt as formats write it, for `LanguageModel.generate` and the functions of subpaths. */
  readonly rendered: Prompt
}

/**
 * The exact prompt that a model expects for some messages, which are not changed.
 *
 * @example
 * const prompt = renderPrompt(defineModel('chatml'), [{ role: 'user', content: 'Hi <|im_end|>' }])
 * prompt.text // => '<|im_start|>user\nHi <|im_end|><|im_end|>\n<|im_start|>assistant\n'
 * prompt.stop.texts // => ['<|im_end|>']
 */
export function renderPrompt(model: Model, messages: readonly ChatMessage[], options: RenderPromptOptions = {}): ModelPrompt {
  checkModel(model, 'renderPrompt › model')
  check(promptOptionsSchema, options, 'renderPrompt › options › ')
  const { tools, variables, prefill, clock, trustsIds } = options
  const said = prefill === undefined ? messages : [...messages, { role: 'assistant', content: prefill }]
  const ask = { want: wanted(options), variables: variables as Readonly<Record<string, PyValue>> | undefined, clock }
  const prompt = model.format.render(readChat({ messages: said, tools }, { trustsIds }), ask)
  const unread = unreadVariables(model.format, variables)
  return modelPrompt(model, unread.length === 0 ? prompt : { ...prompt, notes: [...prompt.notes, ...unread] })
}

function wanted({ prefill, want }: RenderPromptOptions): Ask['want'] {
  if (prefill === undefined) return want ?? 'generate'
  if (want === undefined || want === 'continue') return 'continue'
  throw new PromptError('wrong-value', {
    where: 'renderPrompt › options › want',
    problem: `a prompt with a prefill ends inside the answer, and cannot be "${want}"`,
    fix: 'leave out want or prefill',
  })
}

/** Templates ignore variables that they do not know: a misspelt one would have no effect. */
function unreadVariables({ name, variables: read = [] }: Format, given: RenderPromptOptions['variables'] = {}): Note[] {
  return Object.keys(given).flatMap((key): Note[] => {
    if (read.includes(key)) return []
    const reads = read.length === 0 ? 'it reads none' : suggestName(key, read)
    return [{ code: 'variable-unread', where: `variables.${key}`, text: `${name} does not read the variable "${key}": ${reads}` }]
  })
}

/** A rendered prompt with what depends on the model's tokenizer. */
export function modelPrompt({ name, format, tokenizer }: Model, prompt: Prompt): ModelPrompt {
  let tokenized: Tokenized | undefined
  const tokens = (): Tokenized => {
    if (prompt.kind === 'chat')
      throw new PromptError('no-ids', {
        where: name,
        problem: 'the format writes messages for a server, which tokenizes them itself',
        fix: 'use a format that writes text, e.g. the chatTemplate of the model',
      })
    if (tokenizer === undefined)
      throw new PromptError('no-tokenizer', {
        where: name,
        problem: 'the model has no tokenizer',
        fix: 'give one: defineModel({ …, tokenizer: readTokenizer(json) })',
      })
    tokenized ??= tokenize(prompt, tokenizer, { markers: format.markers, tokens: format.tokens })
    return tokenized
  }
  return {
    kind: prompt.kind,
    get text() {
      return promptText(prompt)
    },
    pieces: prompt.kind === 'chat' ? prompt.messages.flatMap(({ content }) => content) : prompt.pieces,
    messages: prompt.kind === 'chat' ? prompt.messages : undefined,
    get stop() {
      return stopsOf(prompt.stop, tokenizer)
    },
    notes: prompt.notes,
    ids: () => tokens().ids,
    tokens,
    rendered: prompt,
  }
}

/** Servers take texts or ids: each list is complete as far as the tokenizer knows. */
function stopsOf(stops: readonly Stop[], tokenizer: Tokenizer | undefined): ModelPrompt['stop'] {
  const texts = stops.flatMap((stop) => {
    if ('text' in stop) return [stop.text]
    const token = 'token' in stop ? stop.token : tokenizer?.tokenOf(stop.id)
    return token === undefined ? [] : [token]
  })
  const ids = tokenizer ? stopIds(stops, tokenizer) : stops.flatMap((stop) => ('id' in stop ? [stop.id] : []))
  return { texts: [...new Set(texts)], ids: [...new Set(ids)] }
}
