import * as z from '../../../base/schema/schema.ts'
import { type CamelCase, camelCase } from '../../../base/text/camel-case.ts'

const tokenIds = z.array(z.int().check(z.nonnegative()))

/** `separator_style` by number (0 chat, 1 code completion, 2 language model) or by the name in the code. */
export const separatorStyles = ['kSepRoleMsg', 'kCodeCompletion', 'kLM'] as const

const oldShape = {
  name: z.string().check(z.describe('The name of the template.')),
  system: z.string().check(z.describe('The text before the first turn, markup included; `seps[0]` follows it. Empty: nothing is written.')),
  roles: z.array(z.string()).check(z.describe('The names of the user and the model in the prompt, in this order.')),
  messages: z
    .array(z.array(z.string()).check(z.minLength(1), z.maxLength(2)))
    .check(z.describe('History that every conversation starts with: [role, text], or [role] for an empty turn.')),
  offset: z.int().check(z.describe('How many of `messages` are kept; all of them by default.')),
  separator_style: z
    .union([z.literal([0, 1, 2]), z.enum(separatorStyles)])
    .check(z.describe('0 or kSepRoleMsg: a chat; 1 or kCodeCompletion, 2 or kLM: only the last user text is written.')),
  seps: z
    .array(z.string())
    .check(z.minLength(1), z.describe('What follows a message: the first after the user’s, the second after the model’s, by position.')),
  role_msg_sep: z.string().check(z.describe('Between the role and its message.')),
  role_empty_sep: z.string().check(z.describe('After the role of the model where generation starts.')),
  stop_str: z.string().check(z.describe('Stop sequence; empty: none.')),
  stop_tokens: tokenIds.check(z.describe('Stop token ids.')),
  add_bos: z.boolean().check(z.describe('Whether a new conversation starts with BOS.')),
  prefix_tokens: tokenIds.check(z.describe('Token ids before a new conversation, before BOS.')),
}

/** `conv_config` of document 003. Which keys are optional depends on whether it changes a template. */
export const oldConversationSchema = z
  .partial(z.looseObject(oldShape))
  .check(z.describe('A conversation template in the old style, as in _How to Customize Conversation_ of MLC-LLM.'))

const partSchema = z.record(z.string(), z.unknown())
const newShape = {
  name: z.nullable(z.string()).check(z.describe('The name of the template.')),
  system_template: z.string().check(z.describe('What is written before the first turn; `{system_message}` stands for the text.')),
  system_message: z.string().check(z.describe('The text of the system prompt, if no system turn gives another.')),
  system_prefix_token_ids: z.nullable(tokenIds).check(z.describe('Token ids before a new conversation, including BOS.')),
  add_role_after_system_message: z.boolean().check(z.describe('false: the first turn after a system text is written without its role.')),
  roles: z.record(z.string(), z.string()).check(z.describe('The names of user, assistant and tool in the prompt.')),
  role_templates: z
    .record(z.string(), z.string())
    .check(z.describe('What is written around a message; `{user_message}` and the like stand for it.')),
  messages: z
    .array(z.tuple([z.string(), z.nullable(z.union([z.string(), z.array(partSchema)]))]))
    .check(z.describe('History that every conversation starts with: [role, text].')),
  seps: z.array(z.string()).check(z.describe('What follows a message: the second after the model’s, the first after all others.')),
  role_content_sep: z.string().check(z.describe('Between the role and its message.')),
  role_empty_sep: z.string().check(z.describe('After the role of the model where generation starts.')),
  stop_str: z.array(z.string()).check(z.describe('Stop sequences.')),
  stop_token_ids: tokenIds.check(z.describe('Stop token ids.')),
  strip_reasoning_in_history: z.boolean().check(z.describe('Whether the reasoning of past replies, up to `</think>`, is left out.')),
  function_string: z.string().check(z.describe('The tools as text, for `{function_string}` in the templates.')),
  use_function_calling: z.boolean().check(z.describe('Whether the tools of a request are shown.')),
}

/** `conv_template` as an object, the present generation. */
export const newConversationSchema = z.partial(z.looseObject(newShape)).check(z.describe('A conversation template in the new style.'))

export const oldKeys = Object.keys(oldShape)
export const newKeys = Object.keys(newShape)

/** The range of a number in a `mlc-chat-config.json`. MLC checks only the penalties, and uses other values unchecked. */
export type MlcRange = { least: number; most?: number; fix: string }

/** How MLC samples: each setting with its default, its range and what it means. */
const samplingKeys = {
  temperature: {
    default: 0.7,
    range: { least: 0, fix: 'use 0 for greedy decoding, or more' },
    doc: 'Divides the logits before sampling; 0.7 by default.',
  },
  repetition_penalty: {
    default: 1,
    range: { least: Number.MIN_VALUE, fix: 'use 1.0 for no penalty' },
    doc: 'Repetition penalty; 1.0 (none) by default.',
  },
  top_p: {
    default: 0.95,
    range: { least: 0, most: 1, fix: 'use 0 to 1' },
    doc: 'Sampling chooses from the smallest set of tokens whose probabilities reach this sum; 0.95 by default.',
  },
  presence_penalty: {
    default: 0,
    range: { least: -2, most: 2, fix: 'use -2 to 2' },
    doc: 'Subtracted from the logits of tokens that were already generated; 0 by default.',
  },
  frequency_penalty: {
    default: 0,
    range: { least: -2, most: 2, fix: 'use -2 to 2' },
    doc: 'Subtracted from a logit once for each time its token was generated; 0 by default.',
  },
} as const satisfies Record<string, { default: number; range: MlcRange; doc: string }>

export type MlcSamplingName = keyof typeof samplingKeys

/** The names of the sampling settings in a `mlc-chat-config.json`, as in the configs of models. */
export const mlcSamplingNames = Object.keys(samplingKeys) as readonly MlcSamplingName[]

/** Sampling settings of MLC in TypeScript. */
export type MlcSampling = Record<CamelCase<MlcSamplingName>, number>

/** The sampling settings of MLC, each with a value that is chosen by its name in the file. */
export function mlcSamplingOf(toValue: (name: MlcSamplingName) => number): MlcSampling {
  return Object.fromEntries(mlcSamplingNames.map((name) => [camelCase(name), toValue(name)])) as MlcSampling
}

export const mlcSamplingDefaults = mlcSamplingOf((name) => samplingKeys[name].default)
export const mlcSamplingRanges = Object.fromEntries(mlcSamplingNames.map((name) => [name, samplingKeys[name].range]))

const settingsShape = {
  ...(Object.fromEntries(mlcSamplingNames.map((name) => [name, z.number().check(z.describe(samplingKeys[name].doc))])) as {
    [Name in MlcSamplingName]: z.Schema<number>
  }),
  mean_gen_len: z.int().check(z.describe('Expected length of a reply in tokens, kept free in the context window; 128 by default.')),
  max_gen_len: z.int().check(z.describe('Maximum number of tokens of a reply; 512 by default.')),
  shift_fill_factor: z
    .number()
    .check(z.describe('How much of the context window the history may fill after it has overflowed; 0.3 by default.')),
  max_window_size: z.int().check(z.describe('Size of the context window in tokens.')),
  context_window_size: z.int().check(z.describe('The same in the new style.')),
  bos_token_id: z.int().check(z.nonnegative(), z.describe('The id of BOS, for `add_bos`; 1 by default.')),
}

/** `mlc-chat-config.json`. The many keys for other parts of MLC (quantisation, model shapes) are ignored. */
export const mlcConfigSchema = z
  .partial(
    z.looseObject({
      ...settingsShape,
      model_lib: z.string().check(z.describe('The compiled model; not used here.')),
      local_id: z.string().check(z.describe('The name of the model’s folder; not used here.')),
      conv_template: z
        .union([z.string(), z.record(z.string(), z.unknown())])
        .check(z.describe('A conversation template by name, or one as an object.')),
      conv_config: z.record(z.string(), z.unknown()).check(z.describe('A conversation template, or changes to `conv_template`.')),
      tokenizer_files: z.array(z.string()).check(z.describe('The files of the tokenizer, in the folder of the config.')),
      vocab_size: z.int().check(z.describe('The number of entries of the vocabulary; not used here.')),
    }),
  )
  .check(z.describe('mlc-chat-config.json, in the old or new style.'))

export type OldConversationConfig = z.ShapeInput<typeof oldShape>
export type NewConversationConfig = z.ShapeInput<typeof newShape>
export type MlcConfig = z.input<typeof mlcConfigSchema>
