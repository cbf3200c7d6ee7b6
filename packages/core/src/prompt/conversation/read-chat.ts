import { type ChecksOf, checkOptionsOf, isAnything } from '../../base/errors/check-options.ts'
import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictGet, isDict } from '../../base/python/index.ts'
import type { Source } from '../../base/text/index.ts'
import type { Chat, ChatMessage } from './chat-message.ts'
import type { Conversation, Tool } from './conversation.ts'
import { asChatMessage } from './document-message.ts'
import type { Trust } from './message-fields.ts'
import { readMessage } from './read-message.ts'

const trustChecks = { trustsIds: isAnything } satisfies ChecksOf<Trust>

/**
 * Reads a chat in OpenAI's shape into the conversation that every format renders. The chat is not changed. Its `token_ids` are read only if
 * the caller says so (`{ trustsIds: true }`): a chat may come from anywhere.
 *
 * @example
 * const conversation = readChat({ messages: [{ role: 'user', content: '1+1=?' }] })
 * conversation.kind // => 'dialogue'
 */
export function readChat({ messages, tools }: Chat, trust: Trust = {}): Conversation {
  checkOptionsOf(trust, trustChecks, 'readChat › options')
  const { trustsIds = false } = trust
  if (!Array.isArray(messages)) {
    throw new PromptError('bad-message', {
      where: 'messages',
      problem: 'this is not a list of messages',
      fix: 'write [{ role: "user", content: … }]',
    })
  }
  const notes: Note[] = []
  const isTrusted = typeof trustsIds === 'function' ? trustsIds : () => trustsIds
  const items = messages.map((given: unknown, index) => {
    const message = asChatMessage(given)
    const role = isDict(message) ? dictGet(message, 'role') : undefined
    const isResult = role === 'tool' || role === 'function' || role === 'environment'
    const source: Source = { by: isResult ? 'tool' : 'message', path: `messages[${index}]` }
    return readMessage(message, source, { notes, trustsIds: isTrusted(given as ChatMessage) })
  })
  return { kind: 'dialogue', sections: [{ kind: 'chat', items }], notes, ...readTools(tools ?? [], 'tools') }
}

/** The tools that are described to a model. */
export type Tools = { tools?: readonly Tool[]; interpreter?: { path: string } }

/** Reads a list of tools, wrapped as in OpenAI's API or bare; the interpreter may be among them. */
export function readTools(tools: readonly unknown[], place: string): Tools {
  const given = tools.map((tool, index) => ({ tool, path: `${place}[${index}]` }))
  const interpreter = given.find(({ tool }) => isInterpreter(tool))
  const read = given.filter(({ tool }) => !isInterpreter(tool)).map(readTool)
  return { ...(read.length === 0 ? {} : { tools: read }), ...(interpreter ? { interpreter: { path: interpreter.path } } : {}) }
}

function isInterpreter(tool: unknown): boolean {
  return isDict(tool) && dictGet(tool, 'type') === 'code_interpreter'
}

function readTool({ tool, path }: { tool: unknown; path: string }): Tool {
  const inner = isDict(tool) ? dictGet(tool, 'function') : undefined
  const schema = isDict(inner) ? inner : tool
  const name = isDict(schema) ? dictGet(schema, 'name') : undefined
  if (!isDict(schema) || typeof name !== 'string') {
    throw new PromptError('bad-tool', {
      where: path,
      problem: 'the tool has no name',
      fix: 'write { name, description, parameters } or { type: "function", function: { … } }',
    })
  }
  return { name, schema, path }
}
