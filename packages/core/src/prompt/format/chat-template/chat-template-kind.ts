import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { PyValue } from '../../../base/python/index.ts'
import { type FormatKind, placeIn } from '../format-kind.ts'
import { type RolesSetting, rolesPolicy } from '../roles/roles-setting.ts'
import { chatTemplateFormat } from './chat-template-format.ts'
import { compiledBy, type WithCompiler } from './compiled-by.ts'
import { type PartsSetting, partsOptions } from './parts-setting.ts'

/** A model's chat-template settings. */
export type ChatTemplateSettings = {
  chat_template?: string
  special_tokens?: Readonly<Record<string, string>>
  chat_template_kwargs?: Readonly<Record<string, unknown>>
  roles?: RolesSetting
  system_policy?: 'error' | 'fold' | 'drop'
  neighbours_policy?: 'merge' | 'error'
  normalize_messages?: boolean
  earlier_reasoning?: 'strip' | 'keep'
  lost_text_policy?: 'note' | 'error'
  parts?: PartsSetting
  /** How the model's makers read its replies; it comes and goes with the template, which it says nothing about. */
  response_template?: Readonly<Record<string, unknown>>
} & WithCompiler

/** Hugging Face chat templates. */
export const chatTemplateKind = {
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
      roles: rolesPolicy(model.roles, system),
      parts: partsOptions(model.parts, placeIn(model, 'parts')),
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
