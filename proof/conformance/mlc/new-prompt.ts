import { dictKeys, isList } from '../../../packages/core/src/base/python/index.ts'
import type { Piece } from '../../../packages/core/src/base/text/index.ts'
import { readChat } from '../../../packages/core/src/prompt/conversation/read-chat.ts'
import { readContent } from '../../../packages/core/src/prompt/conversation/read-content.ts'
import { functionString } from '../../../packages/core/src/prompt/format/mlc/function-string.ts'
import type { NewConversation } from '../../../packages/core/src/prompt/format/mlc/mlc-conversation.ts'
import { mlcFormat } from '../../../packages/core/src/prompt/format/mlc/mlc-format.ts'
import { type NewMessage, newSegments } from '../../../packages/core/src/prompt/format/mlc/new-segments.ts'
import { plainConfig } from '../../../packages/core/src/prompt/format/mlc/parse-config.ts'
import { namedConversation } from '../../../packages/core/src/prompt/format/mlc/read-mlc-conversation.ts'
import { readNew } from '../../../packages/core/src/prompt/format/mlc/read-new.ts'
import { newHistory } from '../../../packages/core/src/prompt/format/mlc/write-new.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

/** `as_prompt` of the current generation, and how the server gets there from a request. */
export function newPromptSubject(vector: MlcVector): Omit<MlcSubject, 'again'> {
  const { expected, mode, use_function_calling: useFunctions } = vector
  const isRequest = mode === 'request'
  return {
    vector,
    // An empty string between two images is not a text.
    expected: isList(expected)
      ? { prompt: expected.filter((part) => part !== ''), ...(useFunctions === undefined ? {} : { useFunctions }) }
      : undefined,
    produce: () =>
      isRequest
        ? request(vector)
        : { prompt: joined(newSegments(newConversation(vector), saidIn(vector), { from: 'start', ...thoughtIn(vector) }).flat()) },
  }
}

export function newConversation({ template, config }: MlcVector): NewConversation {
  const changes = plainConfig(config, 'conv_template')
  if (template === null) return readNew(changes, 'conv_template')
  const named = namedConversation(`new/${template}`)
  if (named.generation !== 'new') throw new Error('not of the new generation')
  return dictKeys(config).length === 0 ? named : readNew(changes, 'conv_config', named)
}

export function saidIn(vector: MlcVector): NewMessage[] {
  const said = vector.messages.map(({ role, content }, index): NewMessage => {
    const path = `messages[${index}]`
    if (content === null) return { role, path }
    const inParts = typeof content === 'string' ? {} : { inParts: true as const }
    return { role, path, content: readContent(content, { by: 'message', path: `${path}.content` }).content, ...inParts }
  })
  return [...newHistory(newConversation(vector)), ...said]
}

/** The thought that WebLLM writes for `enable_thinking: false`. */
export function thoughtIn({ empty_thinking: thought }: MlcVector): { thought?: string } {
  return thought === undefined ? {} : { thought }
}

function request(vector: MlcVector): unknown {
  const { messages, tools, tool_choice: choice } = vector
  const chat = readChat({ messages: messages as never, ...(tools ? { tools } : {}) })
  const functions = functionString(tools ? (chat.kind === 'dialogue' ? (chat.tools ?? []) : []) : undefined, choice ?? 'auto')
  const conversation = newConversation(vector)
  const format = mlcFormat(functions === undefined ? conversation : { ...conversation, functionString: functions })
  const withoutTools = { ...chat, tools: undefined } as typeof chat
  const prompt = format.render(withoutTools, { want: 'generate' })
  if (prompt.kind !== 'completion') throw new Error('not a completion')
  return { prompt: joined(prompt.pieces), ...(vector.use_function_calling === undefined ? {} : { useFunctions: functions !== undefined }) }
}

/** Merges adjacent texts into one string; ids and images separate them. */
export function joined(pieces: readonly Piece[]): unknown[] {
  const parts: unknown[] = []
  for (const piece of pieces) {
    if ('ids' in piece) parts.push(piece.ids)
    else if ('media' in piece) parts.push({ image_url: piece.media.url })
    else if (piece.text !== '' && typeof parts.at(-1) === 'string') parts[parts.length - 1] += piece.text
    else if (piece.text !== '') parts.push(piece.text)
  }
  return parts
}
