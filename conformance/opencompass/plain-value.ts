import { type ApiMessage, type Prompt, textOf } from '../../src/index.ts'
import { chatRole } from '../../src/prompt/format/adapt/role-names.ts'

/** A prompt as plain JSON: its text (token ids as written in configs), or its messages. */
export function plainValue(prompt: Prompt): unknown {
  if (prompt.kind === 'chat') return prompt.messages.map(messageValue)
  if (prompt.pieces.some((piece) => 'ids' in piece)) return prompt.pieces.map((piece) => ('ids' in piece ? piece.ids : textOf([piece])))
  return textOf(prompt.pieces)
}

function messageValue({ role, content, name, extra, asParts }: ApiMessage): unknown {
  const parts = () =>
    content.map((piece) => ('image' in piece ? { type: 'image_url', image_url: piece.image } : { type: 'text', text: textOf([piece]) }))
  return { role, content: asParts ? parts() : textOf(content), ...(name === undefined ? {} : { name }), ...extra }
}

export function expectedMessages(expected: unknown): unknown[] {
  if (typeof expected === 'string') return [{ role: 'user', content: expected }]
  if (Array.isArray(expected)) return expected.flatMap(expectedMessages)
  if (typeof expected !== 'object' || expected === null) return []
  const { role, prompt, content, ...others } = expected as { role: string; prompt?: string; content?: unknown; [key: string]: unknown }
  // The meta template's begin is passed on unchanged, with config keys; messages keep all their keys.
  return [{ role: chatRole(role), content: content ?? prompt ?? '', ...(content === undefined ? {} : others) }]
}
