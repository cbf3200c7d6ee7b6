import { check } from '../base/errors/check.ts'
import { PromptError } from '../base/errors/prompt-error.ts'
import { quirksOf } from '../base/fidelity/quirks.ts'
import * as z from '../base/schema/schema.ts'
import { compileLoadedFormat, type UncheckedFormatSettings } from '../prompt/format/compile-loaded-format.ts'
import type { Format } from '../prompt/format/format.ts'
import { formatDetailFields } from '../prompt/format/format-detail-fields.ts'
import { type FormatKey, formatKeys, namesFormat } from '../prompt/format/format-keys.ts'
import type { FormatSettings } from '../prompt/format/format-schema.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import type { ReplySyntax, SyntaxName } from '../reply/index.ts'
import type { Model } from './model.ts'

/** What describes a model: one of the formats, and what belongs to it. What is written inside a format keeps the words of its document. */
export type ModelDefinition = {
  /** For errors and notes. */
  name?: string
  /** The source of a Hugging Face chat template. */
  chatTemplate?: string
  /** The chat template's special tokens, `bos_token`, `eos_token`, …, as text or as tokenizer_config.json has them. */
  specialTokens?: Readonly<Record<string, string | { readonly content: string } | null | undefined>>
  /** Template variables of every prompt, such as `enable_thinking`; `renderPrompt` takes those of one prompt. */
  variables?: Readonly<Record<string, unknown>>
  /**
   * A built-in format by name (`chatml`, `plain`, `moss`, `messages`), or a compiled format. After `import '@rolecall/core/all-formats'` also
   * those of InternLM2 and MLC (`internlm2`, `vicuna_v1.1`).
   */
  format?: string | Format
  /** A meta template, as OpenCompass describes it. */
  metaTemplate?: FormatSettings['meta_template']
  /** An MLC conversation template, by name or written out; needs `all-formats`. */
  convTemplate?: FormatSettings['conv_template']
  /** Changes to `convTemplate`, or a complete conversation template. */
  convConfig?: FormatSettings['conv_config']
  /** The contents of an mlc-chat-config.json; needs `all-formats`. */
  mlcConfig?: FormatSettings['mlc_config']
  /** The text of an Ollama Modelfile, or only of its TEMPLATE; needs `all-formats`. */
  ollamaTemplate?: string
  /** Options of the format `internlm2`. */
  formatOptions?: FormatSettings['format_options']
  /** What happens to messages that the chat template does not write: `auto` places them elsewhere, with a note for each step; by default they are as it takes them. Needs `all-formats`. */
  roles?: FormatSettings['roles']
  /** If the chat template rejects or leaves out a system message: an error (the default), prepended to the user's message, or dropped. */
  systemPolicy?: FormatSettings['system_policy']
  /** Consecutive messages of one role, if the chat template requires alternation: merged (the default), or an error. */
  neighboursPolicy?: FormatSettings['neighbours_policy']
  /** Whether arguments given as JSON text are parsed and null contents become empty, as in servers; true by default. */
  normalizeMessages?: boolean
  /** The reasoning of earlier turns: removed, or kept if the chat template can; by default the template decides. */
  earlierReasoning?: FormatSettings['earlier_reasoning']
  /** Text of the conversation that the chat template does not write: a note (the default), or an error. */
  lostTextPolicy?: FormatSettings['lost_text_policy']
  /** The serving stack that prepares contents for the chat template, e.g. `vllm`; by default contents are as the template itself takes them. Needs `all-formats`. */
  parts?: FormatSettings['parts']
  /** For conversation templates that write only the last user text: write all turns, joined by this text. */
  joinTurns?: string
  /** Whether the model takes messages instead of text; by default it does if a role of its meta template has an `api_role`. */
  isApi?: boolean
  /** The model's tokenizer (`readTokenizer`), for token ids. */
  tokenizer?: Tokenizer
  /** How replies are written: the name of a family (`hermes`, `internlm2`, …), a syntax, or `responseSyntax(template)`; by default it is derived from the format. */
  replySyntax?: SyntaxName | ReplySyntax
}

/** The setting of a config that an option of a definition stands for. */
const settings = {
  format: 'format',
  metaTemplate: 'meta_template',
  convTemplate: 'conv_template',
  convConfig: 'conv_config',
  mlcConfig: 'mlc_config',
  chatTemplate: 'chat_template',
  ollamaTemplate: 'ollama_template',
  formatOptions: 'format_options',
  specialTokens: 'special_tokens',
  variables: 'chat_template_kwargs',
  roles: 'roles',
  systemPolicy: 'system_policy',
  neighboursPolicy: 'neighbours_policy',
  normalizeMessages: 'normalize_messages',
  earlierReasoning: 'earlier_reasoning',
  lostTextPolicy: 'lost_text_policy',
  parts: 'parts',
  joinTurns: 'join_turns',
  isApi: 'is_api',
} as const satisfies { readonly [Key in keyof ModelDefinition]?: FormatKey }

// Every setting of a format has its option. A response template is a reply syntax here, `responseSyntax(template)`: pages without one do not load its parser.
type Unmapped = Exclude<FormatKey, (typeof settings)[keyof typeof settings] | 'response_template'>
formatKeys satisfies Unmapped extends never ? readonly FormatKey[] : never

const specialToken = z.union([z.string(), z.looseObject({ content: z.string() })])
const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** What formats do not check themselves when they are compiled. */
const definitionSchema = z.strictObject({
  name: z.optional(z.string()),
  chatTemplate: z.optional(z.string()),
  specialTokens: z.optional(z.record(z.string(), z.nullish(specialToken))),
  variables: z.optional(z.record(z.string(), z.unknown())),
  format: z.optional(z.union([z.string(), z.custom<Format>(isObject, 'expected the name of a format or a compiled format')])),
  metaTemplate: z.optional(z.unknown()),
  convTemplate: z.optional(z.unknown()),
  convConfig: z.optional(z.unknown()),
  mlcConfig: z.optional(z.unknown()),
  ollamaTemplate: z.optional(z.string()),
  formatOptions: z.optional(z.unknown()),
  roles: formatDetailFields.roles,
  systemPolicy: formatDetailFields.system_policy,
  neighboursPolicy: formatDetailFields.neighbours_policy,
  normalizeMessages: formatDetailFields.normalize_messages,
  earlierReasoning: formatDetailFields.earlier_reasoning,
  lostTextPolicy: formatDetailFields.lost_text_policy,
  parts: formatDetailFields.parts,
  joinTurns: formatDetailFields.join_turns,
  isApi: formatDetailFields.is_api,
  tokenizer: z.optional(z.custom<Tokenizer>(isObject, 'expected a tokenizer')),
  replySyntax: z.optional(z.union([z.string(), z.custom<ReplySyntax>(isObject, 'expected the name of a syntax or a syntax')])),
} satisfies { readonly [Key in keyof Required<ModelDefinition>]: z.FieldSchemas[string] })

/**
 * Defines a model by its chat template, its meta template or the name of a format, and compiles it once for many prompts. A string is the
 * name of a format.
 *
 * @example
 * const model = defineModel({ chatTemplate: "{% for m in messages %}{{ bos_token }}{{ m.content }}{% endfor %}", specialTokens: { bos_token: '<s>' } })
 * renderPrompt(model, [{ role: 'user', content: 'Hi' }]).text // => '<s>Hi'
 */
export function defineModel(definition: ModelDefinition | string): Model {
  const given: ModelDefinition = typeof definition === 'string' ? { format: definition } : definition
  check(definitionSchema, given, 'defineModel › ')
  const { name, tokenizer, replySyntax, format } = given
  const model = { tokenizer, replySyntax }
  if (format !== undefined && typeof format !== 'string') {
    refuseOthers(given)
    return { name: name ?? format.name, format, ...model }
  }
  const chosen = settingsOf(given)
  if (!namesFormat(chosen)) throw noFormat()
  const compiled = compileLoadedFormat({ ...chosen, abbr: name } as UncheckedFormatSettings, quirksOf(undefined))
  return { name: name ?? compiled.name, format: compiled, ...model }
}

/** The same in the words of configs, whose values formats check. */
function settingsOf(given: ModelDefinition): { [Key in FormatKey]?: unknown } {
  const chosen: { [Key in FormatKey]?: unknown } = {}
  for (const [option, key] of Object.entries(settings) as [keyof typeof settings, FormatKey][])
    if (given[option] !== undefined) chosen[key] = option === 'specialTokens' ? tokenTexts(given.specialTokens) : given[option]
  return chosen
}

/** tokenizer_config.json may have tokens as objects, and null for those that a model lacks. */
function tokenTexts(tokens: ModelDefinition['specialTokens'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tokens).flatMap(([name, token]) =>
      token === null || token === undefined ? [] : [[name, typeof token === 'string' ? token : token.content]],
    ),
  )
}

/** A compiled format has its settings already. */
function refuseOthers(given: ModelDefinition): void {
  const option = Object.keys(settings).find((key) => key !== 'format' && given[key as keyof typeof settings] !== undefined)
  if (option === undefined) return
  throw new PromptError('unused-options', {
    where: `defineModel › ${option}`,
    problem: 'the format is already compiled, so this option has no effect',
    fix: 'give it to the function that compiles the format, or leave it out',
  })
}

function noFormat(): PromptError {
  return new PromptError('no-format', {
    where: 'defineModel',
    problem: 'the definition has no format, so nothing says how the model expects a chat',
    fix: 'give one of: chatTemplate, format, metaTemplate, convTemplate, convConfig, mlcConfig, ollamaTemplate',
  })
}
