import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type MlcConversation, type NewConversation, type OldConversation, pathOf } from './mlc-conversation.ts'
import { plainRoleTemplates } from './read-new.ts'

/**
 * A template of the old generation converted to the present one: it writes the same for every conversation in which user and model
 * alternate. Throws if the present generation cannot express it.
 *
 * @example
 * const conversation = readMlcConversation({ conv_template: 'vicuna_v1.1' })
 * const converted = conversation.generation === 'old' ? toNewConversation(conversation) : conversation
 * converted.roles // => { user: 'USER', assistant: 'ASSISTANT' }
 */
export function toNewConversation(old: OldConversation, bosId = 1): NewConversation {
  if (old.style !== 'chat') throw cannot(old, 'separator_style', `the style "${old.style}" writes only the last user text`)
  if (old.seps.length > 2) throw cannot(old, 'seps', `there are ${old.seps.length} separators, and the present generation has one or two`)
  if (old.seps.length === 2 && old.history.length % 2 === 1)
    throw cannot(old, 'messages', 'an odd number of messages exchanges the separators of user and model')
  const history = old.history.map(({ role, text }, index) => {
    const side = old.roles.indexOf(role)
    // Separators of the present generation go by role, those of the old one by position.
    if (side < 0) throw cannot(old, 'messages', `message ${index} is from "${role}", which is not one of the roles`)
    if (old.seps.length === 2 && side !== index % 2) throw cannot(old, 'messages', `message ${index} breaks the turn of user and model`)
    return { role: side === 0 ? 'user' : 'assistant', content: text ?? null }
  })
  const { before, text, after } = old.system
  const hasSystem = before + text + after !== ''
  for (const [key, value] of [
    ['system', text],
    ['system', before],
    ['system', after],
  ] as const)
    refusePlaceholders(old, key, value)
  return {
    generation: 'new',
    name: old.name,
    systemTemplate: hasSystem ? `${before}{system_message}${after}${old.seps[0]!}` : '{system_message}',
    systemMessage: text,
    prefixIds: [...old.prefixIds, ...(old.addBos ? [bosId] : [])],
    addRoleAfterSystemMessage: true,
    roles: { user: old.roles[0], assistant: old.roles[1] },
    roleTemplates: plainRoleTemplates,
    history,
    seps: old.seps,
    roleContentSep: old.roleMessageSep,
    roleEmptySep: old.roleEmptySep,
    stopTexts: old.stopText === '' ? [] : [old.stopText],
    stopIds: old.stopIds,
    stripReasoningInHistory: false,
    functionString: '',
    useFunctionCalling: false,
    path: old.path,
    changes: old.changes,
  }
}

/** A template of the present generation converted to the old one; throws if document 003 cannot express it. */
export function toOldConversation(conversation: NewConversation): OldConversation {
  const { roles, roleTemplates, seps, stopTexts, history, systemTemplate, systemMessage } = conversation
  const { user, assistant } = roles
  if (user === undefined || assistant === undefined) throw cannot(conversation, 'roles', 'there is no user or no assistant')
  const others = Object.keys(roles).filter((role) => role !== 'user' && role !== 'assistant' && roles[role] !== user)
  if (others.length > 0) throw cannot(conversation, 'roles', `the old generation has two roles, and there is "${others[0]}"`)
  const wrapped = Object.entries(plainRoleTemplates).find(([role, plain]) => roles[role] !== undefined && roleTemplates[role] !== plain)
  if (wrapped) throw cannot(conversation, 'role_templates', `what the role "${wrapped[0]}" says is put in a template`)
  if (conversation.stripReasoningInHistory)
    throw cannot(conversation, 'strip_reasoning_in_history', 'past replies are written without their reasoning')
  if (stopTexts.filter((text) => text !== '').length > 1)
    throw cannot(conversation, 'stop_str', 'there are several stop texts, and the old generation has one')
  const parts = systemTemplate.split('{system_message}')
  if (parts.length > 2) throw cannot(conversation, 'system_template', 'the system text stands in it twice')
  if (systemTemplate.includes('{function_string}')) throw cannot(conversation, 'system_template', 'it shows tools')
  const system = systemOf(conversation, parts)
  if (system.text !== '' && !conversation.addRoleAfterSystemMessage)
    throw cannot(conversation, 'add_role_after_system_message', 'the first turn is written without its role')
  return {
    generation: 'old',
    name: conversation.name,
    system,
    roles: [user, assistant],
    history: history.map(({ role, content }, index) => {
      if (content !== null && typeof content !== 'string') throw cannot(conversation, 'messages', `message ${index} is more than text`)
      if (seps.length === 2 && (role === 'assistant') !== (index % 2 === 1))
        throw cannot(conversation, 'messages', `message ${index} breaks the turn of user and model`)
      return { role: roles[role] ?? user, ...(content === null ? {} : { text: content }) }
    }),
    style: 'chat',
    seps,
    roleMessageSep: conversation.roleContentSep,
    roleEmptySep: conversation.roleEmptySep,
    stopText: stopTexts.find((text) => text !== '') ?? '',
    stopIds: conversation.stopIds,
    addBos: false,
    prefixIds: conversation.prefixIds,
    path: conversation.path,
    changes: conversation.changes,
  }

  /** The old generation writes `seps[0]` after a system text, so here it must be at its end. */
  function systemOf(from: NewConversation, [before = '', after = '']: readonly string[]): OldConversation['system'] {
    const whole = parts.length === 1 ? systemTemplate : before + systemMessage + after
    if (whole === '') return { before: '', text: '', after: '' }
    if (!whole.endsWith(seps[0]!))
      throw cannot(from, 'system_template', `the system text does not end with the separator ${JSON.stringify(seps[0])}`)
    if (parts.length === 1) return { before: '', text: whole.slice(0, whole.length - seps[0]!.length), after: '' }
    if (after.endsWith(seps[0]!)) return { before, text: systemMessage, after: after.slice(0, after.length - seps[0]!.length) }
    return { before: '', text: whole.slice(0, whole.length - seps[0]!.length), after: '' }
  }
}

function refusePlaceholders(conversation: OldConversation, key: string, text: string): void {
  const found = /\{(system_message|function_string)\}/.exec(text)
  if (found) throw cannot(conversation, key, `${found[0]} stands in it, which the present generation would replace`)
}

function cannot(conversation: MlcConversation, key: string, problem: string): PromptError {
  return new PromptError('not-convertible', {
    where: pathOf(conversation, key),
    problem: `${problem}, which the other generation cannot express`,
    fix: 'keep this generation, or change the template',
  })
}
