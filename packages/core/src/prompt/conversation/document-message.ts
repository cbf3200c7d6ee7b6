import { dictEntries, dictGet, dictHas, isDict, type PyValue } from '../../base/python/index.ts'

/** The roles of documents 000 to 002, as chat messages call them. */
const chatRoles: Readonly<Record<string, string>> = { HUMAN: 'user', BOT: 'assistant', SYSTEM: 'system' }

/**
 * A chat message: an entry of a PromptList (documents 001 and 002: `dict(role='HUMAN', prompt='…')`) says the same in other
 * words. Whatever else it is, is given back as it is.
 *
 * @example
 * asChatMessage({ role: 'HUMAN', prompt: '1+1=?' }) // => { role: 'user', content: '1+1=?' }
 */
export function asChatMessage(message: unknown): unknown {
  if (!isDict(message)) return message
  const role = dictGet(message, 'role')
  const renamed = typeof role === 'string' && Object.hasOwn(chatRoles, role) ? chatRoles[role]! : undefined
  const isPrompt = !dictHas(message, 'content') && typeof dictGet(message, 'prompt') === 'string'
  if (renamed === undefined && !isPrompt) return message
  const entries = dictEntries(message).flatMap(([key, value]): [string, PyValue][] => {
    if (key === 'role') return [[key, renamed ?? value]]
    if (key === 'prompt' && isPrompt) return [['content', value]]
    // It names the role that speaks if a meta template has no other; chats have these three.
    return key === 'fallback_role' && isPrompt ? [] : [[key, value]]
  })
  return Object.fromEntries(entries)
}
