import type { Chat } from '@rolecall/core/internal/conversation'
import { readChat } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PartsOptions, Prompt } from '@rolecall/core/internal/format'
import { chatTemplateFormat } from '@rolecall/core/internal/format'
import { compileTemplate, renderChatPieces, type TemplateCompiler } from '@rolecall/core/internal/jinja'
import type { PyValue } from '@rolecall/core/internal/python'
import type { Side } from './diff-prompts.ts'

export type TemplateToWrite = {
  source: string
  tokens?: Readonly<Record<string, string>>
  compile?: TemplateCompiler
  /** The serving stack that prepares the messages; by default they are passed unchanged. */
  parts?: PartsOptions | undefined
}

/** The fixed time for both sides. */
const clock = new Date(2024, 6, 26, 12)

/**
 * Renders chats with a chat template as a server does: messages are passed unchanged, so that dropped and rejected parts show.
 * (Rolecall's own prompts are an error if something would be dropped.)
 */
export function writeTemplate({ source, tokens = {}, compile = compileTemplate, parts }: TemplateToWrite): (chat: Chat) => Side {
  const format = chatTemplateFormat(source, { specialTokens: tokens, compile, clock, lostText: 'note', parts })
  const template = compile(source)
  const { stop, bos } = traitsOf(format)
  return (chat) => {
    try {
      if (parts !== undefined) return { prompt: format.render(readChat(chat), { want: 'generate' }), conversation: readChat(chat) }
      const input = { messages: chat.messages as readonly PyValue[], tools: (chat.tools ?? null) as readonly PyValue[] | null }
      const { pieces } = renderChatPieces(template, { ...input, addGenerationPrompt: true, tokens }, { clock })
      return { prompt: { kind: 'completion', pieces, bos, stop, notes: [] }, conversation: readChat(chat) }
    } catch (error) {
      if (error instanceof PromptError) return { refusal: error.problem }
      throw error
    }
  }
}

/** Stops and BOS of a template; defaults if it cannot render a question. */
function traitsOf(format: ReturnType<typeof chatTemplateFormat>): Pick<Prompt & { kind: 'completion' }, 'stop' | 'bos'> {
  try {
    const prompt = format.render(readChat({ messages: [{ role: 'user', content: 'qz' }] }), { want: 'generate' })
    return prompt.kind === 'completion' ? prompt : { stop: [], bos: 'none' }
  } catch (error) {
    if (error instanceof PromptError) return { stop: [], bos: 'none' }
    throw error
  }
}
