import { PromptError } from '../../base/errors/prompt-error.ts'
import { fillMessage, type MessagesBody, showsField } from './compile-messages.ts'
import type { Section } from './conversation.ts'
import type { FillContext } from './question.ts'

/** The messages of a template, with the examples in place of the ice token. */
export function fillMessages(body: MessagesBody, context: FillContext): Section[] {
  const { templates, question, fields, examples, notes } = context
  const { quirks, outputColumn } = templates
  const last = body.messages.at(-1)
  const answers =
    question.mode === 'gen' &&
    last?.kind === 'message' &&
    last.role === 'assistant' &&
    outputColumn !== undefined &&
    showsField(last, outputColumn)
  const asked = answers && !quirks.has('messages-unmasked') ? body.messages.slice(0, -1) : body.messages
  const sections = asked.flatMap((message): Section[] => {
    if (message.kind === 'ice') {
      const dropped = question.mode === 'ppl' && quirks.has('messages-examples-dropped')
      return examples.kind === 'sections' && !dropped ? examples.parts.filter((part) => 'items' in part) : []
    }
    const items = fillMessage(message, fields, quirks, notes)
    return items.length === 0 ? [] : [{ kind: 'chat', items, fields }]
  })
  if (sections.length > 0) return sections
  if (quirks.has('expand-column-ignored')) return [{ kind: 'chat', items: [], fields }]
  throw new PromptError('nothing-to-send', {
    where: `${templates.prompt.path}.messages`,
    problem: 'no message is left to send',
    fix: 'name a column that holds messages, or write a user message',
  })
}
