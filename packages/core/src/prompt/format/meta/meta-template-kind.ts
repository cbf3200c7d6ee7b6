import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type DeclaredFormat, type FormatKind, placeIn, rejectOptions } from '../format-kind.ts'
import { isApiClass } from '../model-class.ts'
import { apiFormat, asOneMessage } from './api-format.ts'
import { messagesMetaFormat } from './messages-meta-format.ts'
import { metaFormat } from './meta-format.ts'

/** Meta templates of OpenCompass and AISBench: of language models, and of models that take messages. */
export const metaTemplateKind = {
  // The documents: a base model's meta template may be empty.
  isChosen: ({ meta_template: meta }) => meta !== undefined && meta !== null && (typeof meta !== 'object' || Object.keys(meta).length > 0),
  compile(model, quirks) {
    rejectOptions(model)
    const { meta_template: meta } = model
    const api = isApiModel(model)
    const options = { where: placeIn(model, 'meta_template'), quirks, api }
    if (!Array.isArray(meta)) {
      if (api) return isRoundless(meta) ? asOneMessage(metaFormat(meta, { ...options, api: false }), options) : apiFormat(meta, options)
      return metaFormat(meta, options)
    }
    if (api) return messagesMetaFormat(meta, options)
    throw new PromptError('wrong-type', {
      where: options.where,
      problem: 'a list of messages is for API models, and this is a language model',
      fix: 'write an object with begin, round and end',
    })
  },
} satisfies FormatKind

/** Document 000: `round` is optional. Without it and without roles there are only texts around the dataset's own. */
function isRoundless(meta: unknown): boolean {
  if (typeof meta !== 'object' || meta === null) return false
  const { begin } = meta as { begin?: unknown }
  const beginsWithText = [begin ?? []].flat().every((entry) => typeof entry !== 'object')
  return beginsWithText && Object.keys(meta).every((key) => ['begin', 'end', 'eos_token_id', 'reserved_roles'].includes(key))
}

/** A model takes messages if its config says so, if its meta template has API roles or is a list, or by its class. */
export function isApiModel({ is_api: isApi, meta_template: meta, type, endpoint }: DeclaredFormat): boolean {
  if (isApi !== undefined) return isApi
  if (Array.isArray(meta)) return true
  const { round, reserved_roles: reserved } = (meta ?? {}) as { round?: unknown; reserved_roles?: unknown }
  const roles: unknown[] = [round, reserved].filter(Array.isArray).flat()
  if (roles.some((role) => typeof role === 'object' && role !== null && 'api_role' in role)) return true
  return roles.length === 0 && isApiClass(type) && endpoint !== 'completions'
}
