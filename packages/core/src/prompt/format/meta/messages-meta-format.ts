import { check } from '../../../base/errors/check.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { control } from '../../../base/text/index.ts'
import { isMessages } from '../../conversation/conversation.ts'
import type { ApiMessage, Format } from '../format.ts'
import { handOn, oneMessage } from './api-format.ts'
import { messagesMetaTemplateSchema } from './meta-template-schema.ts'
import type { ReadOptions } from './read-meta-template.ts'

/** A meta template that is a list of messages: they are merged into the messages of the prompt (API models only). */
export function messagesMetaFormat(config: unknown, { where }: ReadOptions): Format {
  const meta = check(messagesMetaTemplateSchema, config, where).map(
    ({ role, content }, index): ApiMessage => ({ role, content: [control(content, { by: 'format', path: `${where}[${index}].content` })] }),
  )
  return {
    name: 'the meta template',
    kind: 'chat',
    traits: {
      formatName: 'the meta template',
      roles: ['system', 'user', 'assistant'],
      userRole: 'user',
      looseText: 'error',
      tools: true,
      readsContent: false,
    },
    markers: [],
    render(conversation, ask) {
      if (conversation.kind === 'text') return oneMessage(conversation.content, conversation.notes, ask)
      if (!isMessages(conversation)) {
        throw new PromptError('wrong-meta-template', {
          where,
          problem: 'a list of messages merges only with a `messages` template, and this dataset has a dialogue',
          fix: 'write the meta template with round and api_role',
        })
      }
      return handOn(conversation, ask, (messages) => (messages.length === 0 ? [] : mergeMessages(meta, messages)))
    },
  }
}

/**
 * Walks both lists: entries of the same role are joined; a role that occurs later in the prompt waits for it; a role that does not is
 * inserted.
 */
function mergeMessages(meta: readonly ApiMessage[], messages: readonly ApiMessage[]): ApiMessage[] {
  const merged: ApiMessage[] = []
  let next = 0
  for (const addition of meta) {
    const found = messages.findIndex((message, index) => index >= next && message.role === addition.role)
    if (found < 0) {
      merged.push(addition)
      continue
    }
    const message = messages[found]!
    if (message.parts) {
      throw new PromptError('bad-message', {
        where: addition.content[0]!.source.path,
        problem: `its text cannot be joined with a message that is a list of parts`,
        fix: 'write that message as a string',
      })
    }
    merged.push(...messages.slice(next, found), { ...message, content: [...addition.content, ...message.content] })
    next = found + 1
  }
  return [...merged, ...messages.slice(next)]
}
