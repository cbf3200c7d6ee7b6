import { presets } from '../presets/index.ts'
import { oldTemplates } from '../presets/mlc-old.ts'
import type { NewConversationConfig, OldConversationConfig } from './mlc-schema.ts'
import { findTemplate, namedTemplates } from './mlc-templates.ts'
import { namedConversation } from './read-mlc-conversation.ts'
import { writeNew } from './read-new.ts'
import { writeOld } from './read-old.ts'

/** A named conversation template, for lists. */
export type TemplateSummary = {
  /** The value for `conv_template`; with its generation if a bare name means something else. */
  name: string
  generation: 'old' | 'new'
  roles: readonly string[]
  system: string
  template: OldConversationConfig | NewConversationConfig
}

/**
 * A named conversation template of MLC, complete, as `conv_config` (old) or `conv_template` (new) of a mlc-chat-config.json.
 *
 * @example
 * mlcTemplate('vicuna_v1.1').roles // => ['USER', 'ASSISTANT']
 */
export function mlcTemplate(name: string): TemplateSummary {
  const conversation = namedConversation(name)
  const { key, generation } = findTemplate(name)!
  // A bare name means a shipped format first, then a template of the old generation.
  const isTaken = Object.hasOwn(presets, key) || (generation === 'new' && Object.hasOwn(oldTemplates, key))
  const common = { name: isTaken ? `${generation}/${key}` : key, generation }
  if (conversation.generation === 'old')
    return { ...common, roles: conversation.roles, system: conversation.system.text, template: writeOld(conversation) }
  return { ...common, roles: Object.values(conversation.roles), system: conversation.systemMessage, template: writeNew(conversation) }
}

/** All named conversation templates, those of document 003's generation first. */
export function mlcTemplates(): TemplateSummary[] {
  return namedTemplates.map(({ key, generation }) => mlcTemplate(`${generation}/${key}`))
}
