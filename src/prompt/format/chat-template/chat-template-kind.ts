import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Quirks } from '../../../base/fidelity/quirks.ts'
import type { PyValue } from '../../../base/python/index.ts'
import type { Format } from '../format.ts'
import { chatTemplateFormat } from './chat-template-format.ts'
import { type Compiled, compiledBy } from './compiled-by.ts'

/** What a model's config says about its chat template. */
export type ChatTemplateSettings = {
  chat_template?: string
  special_tokens?: Readonly<Record<string, string>>
  chat_template_kwargs?: Readonly<Record<string, unknown>>
  system_policy?: 'error' | 'fold'
  neighbours_policy?: 'merge' | 'error'
  normalize_messages?: boolean
  earlier_reasoning?: 'strip' | 'keep'
} & Compiled

type Side = ChatTemplateSettings & { chat_template: string; abbr?: string; format?: string; meta_template?: unknown }

/** The format of a model whose config has a chat template. */
export function configuredChatTemplate(model: Side, quirks: Quirks): Format {
  const where = `${model.abbr === undefined ? '' : `${model.abbr} › `}chat_template`
  const other = model.format !== undefined ? 'format' : model.meta_template ? 'meta_template' : undefined
  if (other !== undefined)
    throw new PromptError('two-formats', { where, problem: `the model has both a chat_template and a ${other}`, fix: 'keep one of them' })
  if (isPath(model.chat_template))
    throw new PromptError('unread-template', {
      where,
      problem: `"${model.chat_template}" is a path, and it was not read`,
      fix: 'load the config with the command line, or read the file and give its text',
    })
  const { special_tokens: specialTokens, chat_template_kwargs: kwargs, system_policy: system } = model
  return chatTemplateFormat(model.chat_template, {
    where,
    quirks,
    specialTokens,
    compile: model[compiledBy],
    ...(kwargs === undefined ? {} : { kwargs: kwargs as Readonly<Record<string, PyValue>> }),
    system,
    earlierReasoning: model.earlier_reasoning,
    ...(model.neighbours_policy === undefined ? {} : { neighbours: model.neighbours_policy }),
    ...(model.normalize_messages === undefined ? {} : { normalizeMessages: model.normalize_messages }),
  })
}

/** A template has tags; what has none and one line is where a template is to be found. */
export function isPath(chatTemplate: string): boolean {
  return !/\{[{%#]|\n/.test(chatTemplate) && chatTemplate !== ''
}
