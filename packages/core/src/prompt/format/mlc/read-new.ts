import { check } from '../../../base/errors/check.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { PyFloat } from '../../../base/python/index.ts'
import { checkKeys, requireKeys, writtenAt } from './check-keys.ts'
import type { NewConversation } from './mlc-conversation.ts'
import { type NewConversationConfig, newConversationSchema, newKeys, oldKeys } from './mlc-schema.ts'

/** The message unchanged; templates that wrap it name only their changes. */
export const plainRoleTemplates: Readonly<Record<string, string>> = {
  user: '{user_message}',
  assistant: '{assistant_message}',
  tool: '{tool_message}',
}

/** Reads a template of the present generation: a whole one, or changes to another. */
export function readNew(given: Record<string, unknown>, where: string, base?: NewConversation): NewConversation {
  checkKeys(given, newKeys, oldKeys, where)
  if (!base) requireKeys(given, ['roles', 'seps'], where, 'add it, or name a conv_template that this changes')
  const config = check(newConversationSchema, coerced(given), where)
  const start: NewConversation = base ?? emptyConversation
  const seps = config.seps ?? start.seps
  if (seps.length !== 1 && seps.length !== 2) {
    throw new PromptError('wrong-value', {
      where: `${where}.seps`,
      problem: `expected one or two separators, found ${seps.length}`,
      fix: 'write one for all messages, or one for what the user says and one for what the model says',
    })
  }
  return {
    generation: 'new',
    name: config.name ?? start.name,
    systemTemplate: config.system_template ?? start.systemTemplate,
    systemMessage: config.system_message ?? start.systemMessage,
    prefixIds: config.system_prefix_token_ids ?? (config.system_prefix_token_ids === null ? [] : start.prefixIds),
    addRoleAfterSystemMessage: config.add_role_after_system_message ?? start.addRoleAfterSystemMessage,
    roles: config.roles ?? start.roles,
    roleTemplates: config.role_templates === undefined ? start.roleTemplates : { ...plainRoleTemplates, ...config.role_templates },
    history: config.messages === undefined ? start.history : config.messages.map(([role, content]) => ({ role, content })),
    seps,
    roleContentSep: config.role_content_sep ?? start.roleContentSep,
    roleEmptySep: config.role_empty_sep ?? start.roleEmptySep,
    stopTexts: config.stop_str ?? start.stopTexts,
    stopIds: config.stop_token_ids ?? start.stopIds,
    stripReasoningInHistory: config.strip_reasoning_in_history ?? start.stripReasoningInHistory,
    functionString: config.function_string ?? start.functionString,
    useFunctionCalling: config.use_function_calling ?? start.useFunctionCalling,
    ...writtenAt(where, given, base),
  }
}

/** The whole template as the present generation writes it. */
export function writeNew(conversation: NewConversation): NewConversationConfig {
  return {
    name: conversation.name,
    system_template: conversation.systemTemplate,
    system_message: conversation.systemMessage,
    system_prefix_token_ids: conversation.prefixIds.length === 0 ? null : [...conversation.prefixIds],
    add_role_after_system_message: conversation.addRoleAfterSystemMessage,
    roles: { ...conversation.roles },
    role_templates: { ...conversation.roleTemplates },
    messages: conversation.history.map(({ role, content }) => [
      role,
      content === null || typeof content === 'string' ? content : [...content],
    ]),
    seps: [...conversation.seps],
    role_content_sep: conversation.roleContentSep,
    role_empty_sep: conversation.roleEmptySep,
    stop_str: [...conversation.stopTexts],
    stop_token_ids: [...conversation.stopIds],
    strip_reasoning_in_history: conversation.stripReasoningInHistory,
    function_string: conversation.functionString,
    use_function_calling: conversation.useFunctionCalling,
  }
}

const emptyConversation: NewConversation = {
  generation: 'new',
  name: '',
  systemTemplate: '{system_message}',
  systemMessage: '',
  prefixIds: [],
  addRoleAfterSystemMessage: true,
  roles: {},
  roleTemplates: plainRoleTemplates,
  history: [],
  seps: [],
  roleContentSep: '',
  roleEmptySep: '',
  stopTexts: [],
  stopIds: [],
  stripReasoningInHistory: false,
  functionString: '',
  useFunctionCalling: false,
  path: '',
}

/** The present generation accepts ids written as "2" or 2.0 and booleans written as words; the old one accepts neither. */
function coerced(given: Record<string, unknown>): Record<string, unknown> {
  const result = { ...given }
  for (const key of ['system_prefix_token_ids', 'stop_token_ids']) {
    const ids = result[key]
    if (Array.isArray(ids)) result[key] = ids.map(asId)
  }
  for (const key of ['add_role_after_system_message', 'strip_reasoning_in_history', 'use_function_calling'])
    result[key] = asBoolean(result[key])
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined))
}

function asId(id: unknown): unknown {
  if (typeof id === 'string' && /^\s*[+-]?\d+(\.0+)?\s*$/.test(id)) return Number(id)
  if (typeof id === 'boolean') return Number(id)
  return id instanceof PyFloat ? id.value : id
}

const truths = new Map<unknown, boolean>([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
  [1, true],
  [0, false],
])

function asBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.toLowerCase() : value instanceof PyFloat ? value.value : value
  return truths.get(word) ?? value
}
