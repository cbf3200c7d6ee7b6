import type { Conversation } from '../../../prompt/conversation/conversation.ts'
import { conversationLines } from '../../../prompt/conversation/conversation-lines.ts'
import { colors, printable } from '../terminal.ts'

/** The conversation before the format renders it. */
export function showConversation(conversation: Conversation): string[] {
  const lines = conversationLines(conversation)
  return [colors.dim('the conversation, before the format writes it:'), ...lines.map((line) => `  ${printable(line)}`)]
}
