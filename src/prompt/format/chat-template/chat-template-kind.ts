import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { PyValue } from '../../../base/python/index.ts'
import * as z from '../../../base/schema/schema.ts'
import { type FormatKind, placeIn } from '../format-kind.ts'
import { chatTemplateFormat } from './chat-template-format.ts'
import { compiledBy, type WithCompiler } from './compiled-by.ts'

/** A model's chat-template settings. */
export type ChatTemplateSettings = {
  chat_template?: string
  special_tokens?: Readonly<Record<string, string>>
  chat_template_kwargs?: Readonly<Record<string, unknown>>
  system_policy?: 'error' | 'fold'
  neighbours_policy?: 'merge' | 'error'
  normalize_messages?: boolean
  earlier_reasoning?: 'strip' | 'keep'
  lost_text_policy?: 'note' | 'error'
} & WithCompiler

/** Hugging Face chat templates. */
export const chatTemplateKind = {
  chosenBy: {
    chat_template: z
      .optional(z.string())
      .check(
        z.describe(
          'A Hugging Face chat template, or the path of a tokenizer_config.json, .jinja or .gguf file or of the folder it is in, or the name of a model on a hub.',
        ),
      ),
  },
  details: {
    special_tokens: z
      .optional(z.record(z.string(), z.string()))
      .check(z.describe("The template's special tokens, e.g. bos_token; by default those of the tokenizer_config.json.")),
    chat_template_kwargs: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('Other variables of the template, e.g. enable_thinking.')),
    system_policy: z
      .optional(z.enum(['error', 'fold']))
      .check(z.describe('If the chat template rejects a system turn: an error, or prepended to the user message.')),
    neighbours_policy: z
      .optional(z.enum(['merge', 'error']))
      .check(z.describe('Consecutive turns of one role, if the chat template requires alternation: merged, or an error.')),
    normalize_messages: z
      .optional(z.boolean())
      .check(z.describe('Whether arguments given as JSON text are parsed and null contents become empty, as in servers; true by default.')),
    earlier_reasoning: z
      .optional(z.enum(['strip', 'keep']))
      .check(z.describe('The reasoning of earlier turns: removed, or kept if the chat template can; by default the template decides.')),
    lost_text_policy: z
      .optional(z.enum(['note', 'error']))
      .check(
        z.describe(
          'Text of the conversation that the chat template does not write: a note, or an error; by default an error only if it belongs to an example.',
        ),
      ),
  },
  isChosen: ({ chat_template: template }) => template !== undefined,
  compile(model, quirks) {
    const template = model.chat_template!
    const where = placeIn(model, 'chat_template')
    const other = model.format !== undefined ? 'format' : model.meta_template ? 'meta_template' : undefined
    if (other !== undefined)
      throw new PromptError('two-formats', { where, problem: `the model has both a chat_template and a ${other}`, fix: 'keep one of them' })
    if (isPath(template))
      throw new PromptError('unread-template', {
        where,
        problem: `"${template}" is a path, and it was not read`,
        fix: 'load the config with the command line, or read the file and give its text',
      })
    const { special_tokens: specialTokens, chat_template_kwargs: kwargs, system_policy: system } = model
    return chatTemplateFormat(template, {
      where,
      quirks,
      specialTokens,
      compile: model[compiledBy],
      ...(kwargs === undefined ? {} : { kwargs: kwargs as Readonly<Record<string, PyValue>> }),
      system,
      earlierReasoning: model.earlier_reasoning,
      ...(model.lost_text_policy === undefined ? {} : { lostText: model.lost_text_policy }),
      ...(model.neighbours_policy === undefined ? {} : { neighbours: model.neighbours_policy }),
      ...(model.normalize_messages === undefined ? {} : { normalizeMessages: model.normalize_messages }),
    })
  },
} satisfies FormatKind<ChatTemplateSettings>

/** Whether a chat_template is a path: it is one line without tags. */
export function isPath(chatTemplate: string): boolean {
  return !/\{[{%#]|\n/.test(chatTemplate) && chatTemplate !== ''
}
