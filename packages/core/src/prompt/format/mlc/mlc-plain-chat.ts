import type { PlainChat } from '../plain-chat.ts'
import type { MlcConversation, NewConversation, OldConversation } from './mlc-conversation.ts'

/** How a template writes plain chats; undefined if more than roles and texts matters. */
export function mlcPlainChat(conversation: MlcConversation): PlainChat | undefined {
  return conversation.generation === 'old' ? oldPlainChat(conversation) : newPlainChat(conversation)
}

function oldPlainChat(conversation: OldConversation): PlainChat | undefined {
  const { system, roles, history, leftOut = 0, seps, style, roleMessageSep, roleEmptySep } = conversation
  if (style !== 'chat' || leftOut > 0) return undefined
  const own = system.before + system.text + system.after
  const past = history
    .map(({ role, text }, index) => (text === undefined ? role + roleEmptySep : role + roleMessageSep + text + seps[index % seps.length]!))
    .join('')
  const begin = (role: string) => (role === 'user' ? roles[0] : roles[1]) + roleMessageSep
  return {
    roles: ['user', 'assistant'],
    alternates: true,
    period: seps.length,
    system: 'slot',
    start(given, first) {
      const written = given === undefined ? own : system.before + given + system.after
      return (written === '' ? '' : written + seps[0]!) + past + begin(first)
    },
    begin,
    end: (index) => seps[(history.length + index) % seps.length]!,
    reply: roles[1] + roleEmptySep,
  }
}

function newPlainChat(conversation: NewConversation): PlainChat | undefined {
  const { systemTemplate, systemMessage, roles, roleTemplates, history, seps, roleContentSep, roleEmptySep } = conversation
  if (history.length > 0 || conversation.stripReasoningInHistory) return undefined
  const templates = [systemTemplate, ...Object.values(roleTemplates)]
  if (templates.some((template) => template.includes('{function_string}')) || systemMessage.includes('{function_string}')) return undefined
  const around = new Map(Object.entries(roleTemplates).map(([role, template]) => [role, template.split(`{${role}_message}`)]))
  const known = Object.keys(roles).filter((role) => around.get(role)?.length === 2)
  const begin = (role: string) => roles[role]! + roleContentSep + around.get(role)![0]!
  return {
    roles: known,
    alternates: false,
    period: 1,
    system: systemTemplate.includes('{system_message}') ? 'slot' : 'none',
    start(given, first) {
      const system = systemTemplate.split('{system_message}').join(given ?? systemMessage)
      const withoutRole = system !== '' && !conversation.addRoleAfterSystemMessage
      return system + (withoutRole ? around.get(first)![0]! : begin(first))
    },
    begin,
    end: (_, role) => around.get(role)![1]! + seps[role === 'assistant' ? seps.length - 1 : 0]!,
    reply: (roles.assistant ?? '') + roleEmptySep,
  }
}
