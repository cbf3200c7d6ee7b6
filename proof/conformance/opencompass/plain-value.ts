import type { Piece } from '../../../packages/core/src/base/text/index.ts'
import { chatRole } from '../../../packages/core/src/prompt/format/adapt/role-names.ts'
import { sentParts } from '../../../packages/core/src/prompt/format/flatten.ts'
import { textOf } from '../../../packages/rolecall/src/formats.ts'
import type { ApiMessage, Prompt } from '../../../packages/rolecall/src/index.ts'

/** A prompt as plain JSON: its text (token ids as written in configs), or its messages. */
export function plainValue(prompt: Prompt): unknown {
  if (prompt.kind === 'chat') return prompt.messages.map(messageValue)
  return prompt.pieces.some((piece) => 'ids' in piece) ? textsAndIds(prompt.pieces) : textOf(prompt.pieces)
}

/** Neighbouring texts are one string, neighbouring ids one list. */
function textsAndIds(pieces: readonly Piece[]): (string | number[])[] {
  const parts: (string | number[])[] = []
  for (const piece of pieces) {
    const last = parts.at(-1)
    if ('ids' in piece) {
      if (Array.isArray(last)) last.push(...piece.ids)
      else parts.push([...piece.ids])
    } else if (typeof last === 'string') parts[parts.length - 1] = last + textOf([piece])
    else if (textOf([piece]) !== '') parts.push(textOf([piece]))
  }
  return parts
}

function messageValue({ role, content, name, extra, parts }: ApiMessage): unknown {
  return { role, content: parts ? sentParts(content, parts) : textOf(content), ...(name === undefined ? {} : { name }), ...extra }
}

export function expectedMessages(expected: unknown): unknown[] {
  if (typeof expected === 'string') return [{ role: 'user', content: expected }]
  if (Array.isArray(expected)) return expected.flatMap(expectedMessages)
  if (typeof expected !== 'object' || expected === null) return []
  const { role, prompt, content, ...others } = expected as { role: string; prompt?: string; content?: unknown; [key: string]: unknown }
  // The meta template's begin is passed on unchanged, with config keys; messages keep all their keys.
  return [{ role: chatRole(role), content: content ?? prompt ?? '', ...(content === undefined ? {} : others) }]
}
