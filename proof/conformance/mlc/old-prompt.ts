import { dictKeys } from '../../../packages/core/src/base/python/index.ts'
import { plain, textOf } from '../../../packages/core/src/base/text/index.ts'
import type { OldConversation } from '../../../packages/core/src/prompt/format/mlc/mlc-conversation.ts'
import { type OldMessage, oldHistory, oldMessage, oldSegments } from '../../../packages/core/src/prompt/format/mlc/old-segments.ts'
import { plainConfig } from '../../../packages/core/src/prompt/format/mlc/parse-config.ts'
import { readMlcConversation } from '../../../packages/core/src/prompt/format/mlc/read-mlc-conversation.ts'
import { readOld } from '../../../packages/core/src/prompt/format/mlc/read-old.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

/** `GetPromptArray` and `GetPromptArrayLastRound` of the old generation, and the ids that the runtime prepends. */
export function oldPromptSubject(vector: MlcVector): Omit<MlcSubject, 'again'> {
  const { expected, add_bos: addBos, prefix_tokens: prefix = [] } = vector
  return {
    vector,
    expected: expected === undefined ? undefined : { segments: expected, addBos, prefix },
    produce: () => {
      const conversation = oldConversation(vector)
      const segments = oldSegments(conversation, saidIn(vector, conversation), {
        from: vector.mode === 'last_round' ? 'last-round' : 'start',
        ...(vector.place ? { place: vector.place } : {}),
      })
      return { segments: segments.map(textOf), addBos: conversation.addBos, prefix: conversation.prefixIds }
    },
  }
}

/** The template, then the config's overrides; without a template the config must be complete. */
export function oldConversation({ template, config }: MlcVector): OldConversation {
  if (template === null) return readOld(plainConfig(config, 'conv_config'), 'conv_config')
  const read = readMlcConversation({ conv_template: `old/${template}`, ...(dictKeys(config).length > 0 ? { conv_config: config } : {}) })
  if (read.generation !== 'old') throw new Error('not of the old generation')
  return read
}

/** Appends a vector's messages to the template's; `drive: prefill` sends them through the runtime's entry point. */
export function saidIn(vector: MlcVector, conversation: OldConversation): OldMessage[] {
  const history = oldHistory(conversation)
  const message = (role: string, content: unknown) =>
    oldMessage(
      conversation,
      role === 'user' ? 'user' : 'assistant',
      typeof content === 'string' ? [plain(content, { by: 'message', path: 'content' })] : undefined,
    )
  if (vector.drive === undefined && vector.mode !== 'window')
    return [...history, ...vector.messages.map(({ role, content }) => message(role, content))]
  let messages = history
  for (const { role, content } of vector.messages) {
    if (role === 'user')
      messages = [...(conversation.style === 'chat' ? messages : history), message(role, content), message('assistant', null)]
    else if (content !== null) messages = [...messages.slice(0, -1), message(role, content)]
  }
  return messages
}
