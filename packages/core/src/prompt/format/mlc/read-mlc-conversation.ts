import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isDict } from '../../../base/python/index.ts'
import type { MlcConversation } from './mlc-conversation.ts'
import { newKeys, oldKeys } from './mlc-schema.ts'
import { templateNamed } from './mlc-templates.ts'
import { plainConfig } from './parse-config.ts'
import { readNew } from './read-new.ts'
import { oldFromPreset, readOld } from './read-old.ts'

/** A conversation template as users give it: a name or an object, changes to it, or a whole one. */
export type ConversationSide = { conv_template?: unknown; conv_config?: unknown }

/**
 * Reads a conversation template of either generation: by name, as an object, and with changes to it.
 *
 * @example
 * const conversation = readMlcConversation({ conv_template: 'vicuna_v1.1', conv_config: { system: 'Answer briefly.' } })
 * conversation.generation // => 'old'
 */
export function readMlcConversation(side: ConversationSide, where = '', base?: MlcConversation): MlcConversation {
  const { conv_template: template, conv_config: config } = side
  const at = (key: string) => (where === '' || where.endsWith(' › ') ? `${where}${key}` : `${where}.${key}`)
  const start = template === undefined ? base : readTemplate(template, at('conv_template'))
  if (config === undefined) {
    if (start) return start
    throw new PromptError('missing', {
      where: at('conv_template'),
      problem: 'there is neither a "conv_template" nor a "conv_config"',
      fix: 'name a template, e.g. "vicuna_v1.1", or write one in conv_config',
    })
  }
  const given = plainConfig(config, at('conv_config'))
  if (!start) return readWhole(given, at('conv_config'))
  return start.generation === 'old' ? readOld(given, at('conv_config'), start) : readNew(given, at('conv_config'), start)
}

function readTemplate(template: unknown, where: string): MlcConversation {
  if (isDict(template)) return readWhole(plainConfig(template, where), where)
  if (typeof template !== 'string') {
    throw new PromptError('wrong-type', {
      where,
      problem: 'expected the name of a conversation template or an object',
      fix: 'write e.g. "vicuna_v1.1"',
    })
  }
  return namedConversation(template, where)
}

/** The named template, complete. */
export function namedConversation(name: string, where = 'conv_template'): MlcConversation {
  const found = templateNamed(name, where)
  if (found.generation === 'old') return oldFromPreset(found.key, found.preset, where)
  return readNew({ name: found.key, ...found.preset }, where)
}

/** An object's generation shows in the keys that only one of them has, and in the form of `roles`. */
function readWhole(given: Record<string, unknown>, where: string): MlcConversation {
  const has = (keys: readonly string[], others: readonly string[]) => keys.some((key) => !others.includes(key) && Object.hasOwn(given, key))
  const isNew = isDict(given.roles) || (!Array.isArray(given.roles) && has(newKeys, oldKeys) && !has(oldKeys, newKeys))
  return isNew ? readNew(given, where) : readOld(given, where)
}
