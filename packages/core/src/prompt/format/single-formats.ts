import { type ChecksOf, checkOptionsOf, isString } from '../../base/errors/check-options.ts'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import type { Format } from './format.ts'
import { apiFormat } from './meta/api-format.ts'
import { messagesMetaFormat } from './meta/messages-meta-format.ts'
import { metaFormat } from './meta/meta-format.ts'
import { plainFormat } from './plain-format.ts'

type Where = { where?: string }

function placeIn(options: Where): string {
  checkOptionsOf(options, { where: isString } satisfies ChecksOf<Where>, 'options')
  return options.where ?? 'meta_template'
}

/**
 * The format of a language model by its meta template.
 *
 * @example
 * const format = metaTemplateFormat({ round: [{ role: 'HUMAN', begin: 'Q: ', end: '\n' }, { role: 'BOT', begin: 'A: ', generate: true }] })
 * renderPrompt(defineModel({ format }), [{ role: 'user', content: 'Hi' }]).text // => 'Q: Hi\nA: '
 */
export function metaTemplateFormat(metaTemplate: unknown, options: Where = {}): Format {
  const where = placeIn(options)
  return metaFormat(metaTemplate, { where, quirks: quirksOf(undefined), api: false })
}

/** The format of an API model by its meta template, roles with an `api_role` or a list of messages: prompts are messages. */
export function apiTemplateFormat(metaTemplate: unknown, options: Where = {}): Format {
  const settings = { where: placeIn(options), quirks: quirksOf(undefined), api: true }
  return Array.isArray(metaTemplate) ? messagesMetaFormat(metaTemplate, settings) : apiFormat(metaTemplate, settings)
}

/** No format: turns as consecutive plain text, for base models. */
export function plainTextFormat(): Format {
  return plainFormat(quirksOf(undefined))
}
