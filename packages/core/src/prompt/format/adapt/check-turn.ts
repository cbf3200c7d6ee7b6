import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Turn } from '../../conversation/conversation.ts'
import type { Traits } from './traits.ts'

/** Nothing is dropped silently: unsupported fields of a message are noted, calls and parts may be refused. */
export function checkTurn(turn: Turn, { names = false, fields, partsOf, refusesCalls = false }: Traits, notes: Note[]): void {
  if (isPlain(turn)) return
  if (refusesCalls) refuseCalls(turn)
  if (turn.parts && partsOf && !partsOf.includes(turn.role)) throw noParts(turn)
  const { extra, name, reasoning, path } = turn
  if (fields === undefined) return
  const unused = Object.keys(extra ?? {}).filter((key) => key !== 'reasoning_content' && !fields.includes(key))
  if (isSaid(reasoning) && !fields.includes('reasoning_content')) unused.push('reasoning_content')
  if (name !== undefined && !names) unused.push('name')
  if (unused.length === 0) return
  notes.push({ code: 'message-fields-unused', where: path, text: `this format has no place for ${unused.join(', ')} of the message` })
}

/** Most turns are only a role and a text, and every turn is checked. */
function isPlain({ extra, name, reasoning, calls, callId, parts }: Turn): boolean {
  return extra === undefined && name === undefined && reasoning === undefined && calls === undefined && callId === undefined && !parts
}

function isSaid(reasoning: Turn['reasoning']): boolean {
  return reasoning?.some((piece) => !('text' in piece) || piece.text !== '') ?? false
}

/** Conversation templates cannot express calls, which would be lost; call ids belong to results. */
function refuseCalls({ calls, callId, role, path }: Turn): void {
  if (callId !== undefined && role !== 'tool') {
    throw new PromptError('bad-message', {
      where: `${path}.tool_call_id`,
      problem: `a message of the role "${role}" answers no call`,
      fix: 'leave it out, or make it the result of a tool (role "tool")',
    })
  }
  if (!calls) return
  throw new PromptError('calls-not-supported', {
    where: `${path}.tool_calls`,
    problem: 'conversation templates have no place for tool calls',
    fix: 'write the call into content as the model would, or use a format that knows calls',
  })
}

function noParts({ role, path }: Turn): PromptError {
  return new PromptError('parts-not-supported', {
    where: `${path}.content`,
    problem: `the content of the role "${role}" is a list of parts, but only the user's may be`,
    fix: 'write its content as a string',
  })
}
