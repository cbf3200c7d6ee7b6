import type { Layout } from './layout.ts'

/** How MLC writes the beginning of a turn: the role, then what stands between it and the words, or what stands there without words. */
export type RoleSeparators = {
  user: string
  assistant: string
  /** Between a role and its words. */
  content: string
  /** Behind the role of the model where it is to speak. */
  empty: string
  /** What is left in front of the assistant's words, where the two roles do not end alike. */
  inFrontOfAnswer: string
}

/** The beginnings of turns, split as MLC has them: what is common to a past answer and the reply is the role. */
export function roleSeparators({ turns, reply }: Layout): RoleSeparators {
  const [user, assistant] = [turns.user!.begin, turns.assistant!.begin]
  let length = 0
  while (length < Math.min(assistant.length, reply.length) && assistant[length] === reply[length]) length++
  const content = assistant.slice(length)
  const empty = reply.slice(length)
  const role = assistant.slice(0, length)
  const isCommon = [user, ...(turns.tool ? [turns.tool.begin] : [])].every((begin) => begin.endsWith(content))
  if (!isCommon) return { user, assistant: role, content: '', empty, inFrontOfAnswer: content }
  return { user: user.slice(0, user.length - content.length), assistant: role, content, empty, inFrontOfAnswer: '' }
}
