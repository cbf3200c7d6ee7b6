import type { Note } from '@rolecall/core/internal/errors'
import { noteRow } from '../../node/notes/all-notes.ts'
import { isForClient, type OpenedChat } from '../chat/requested-chat.ts'
import { describeRewrite } from './describe-rewrite.ts'

/**
 * Follows the conversation of a chat that is about to be answered: logs what was changed in its prompt, once for each kind, and returns
 * where its previous prompt was rewritten.
 */
export function followSession({ server, served, requested, chatPrompt }: OpenedChat): Promise<readonly string[]> | undefined {
  const { rewritten, isNews } = served.sessions.follow(server.client, requested.exact.messages, chatPrompt)
  const log = (kind: string, text: string) => {
    if (isNews(kind)) server.note(`${served.name}: ${text} (${kind})`)
  }
  for (const note of chatPrompt.prompt.notes.filter(isForClient)) logNote(note, log)
  for (const problem of requested.stabilized ?? []) log('stable-prefix', problem)
  if (!rewritten) return undefined
  const { kept, of } = rewritten
  log('prefix-rewritten', `the prompt of a conversation is rewritten: a prefix cache keeps ${kept} of ${of} characters`)
  return describeRewrite(rewritten, served, server).then((text) => [text])
}

/** By the words of the table: those of a note may quote the conversation. */
function logNote({ code, where }: Note, log: (kind: string, text: string) => void): void {
  const words = noteRow(code)?.en ?? code
  log(code, where === undefined ? words : `${where}: ${words}`)
}
