import type { Chat } from '@rolecall/core/internal/conversation'
import { readChat } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, PartsEngine } from '@rolecall/core/internal/format'
import { asEngine, asTemplateTakes, chatTemplateFormat } from '@rolecall/core/internal/format'
import { type JinjaTemplate, renderChatPieces, type TemplateCompiler, TemplateError } from '@rolecall/core/internal/jinja'
import type { PyDict, PyValue } from '@rolecall/core/internal/python'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import { writeConversation } from '../../workbench/convert/write-conversation.ts'
import type { OurRenderer, Switches } from '../../workbench/verify/index.ts'

/** Names of the switch for thinking in servers and templates. */
const switchNames = ['enable_thinking', 'thinking', 'think']

export type TemplateSource = { source: string; name: string; specialTokens: Readonly<Record<string, string>> }

/**
 * Renders chats exactly as a chat template does, without adapting them to it, except that contents which are lists of parts are prepared as
 * the serving stack prepares them.
 */
export function writingOfTemplate(
  { source, name, specialTokens }: TemplateSource,
  tokenizer: Tokenizer | undefined,
  compile: TemplateCompiler,
  engine?: PartsEngine,
): OurRenderer {
  const template = compile(source, { name })
  refuseEndless(template, specialTokens)
  const { markers, contents } = chatTemplateFormat(source, { where: name, specialTokens, compile })
  const bosToken = specialTokens.bos_token
  const prepared = ({ messages }: Chat): readonly PyValue[] => {
    const values = messages as readonly PyValue[]
    if (!messages.some(({ content }) => Array.isArray(content))) return values
    const given = values.map((message, number) => ({ message: message as PyDict, pieces: [], path: `messages[${number}]` }))
    const converted = engine === undefined ? asTemplateTakes(given, contents, []) : asEngine(engine, source).convert(given)
    return converted.map(({ message }) => message)
  }
  return {
    name,
    markers,
    switches: switchNames.filter((one) => template.names.includes(one)),
    bos: { ...(bosToken === undefined || bosToken === '' ? {} : { token: bosToken }), ...idOfBos(tokenizer) },
    write: (chat, switches) =>
      attempt(() => {
        const { text, pieces } = renderChatPieces(template, {
          messages: prepared(chat),
          tools: (chat.tools ?? null) as readonly PyValue[] | null,
          addGenerationPrompt: true,
          tokens: specialTokens,
          kwargs: switches,
        })
        const isWritten = bosToken !== undefined && bosToken !== '' && text.startsWith(bosToken)
        const prompt = { kind: 'completion', pieces, bos: isWritten ? 'in-prompt' : 'tokenizer', stop: [], notes: [] } as const
        return { text, ...(tokenizer ? { ids: tokenize(prompt, tokenizer, { markers }).ids } : {}) }
      }),
  }
}

/** Rejects an endless template early: every chat would run into the limit. */
function refuseEndless(template: JinjaTemplate, tokens: Readonly<Record<string, string>>): void {
  try {
    renderChatPieces(template, { messages: [{ role: 'user', content: 'Hi' }], addGenerationPrompt: true, tokens })
  } catch (error) {
    if (error instanceof TemplateError && error.type === 'LimitError') throw error
  }
}

/** Renders chats in one of our formats. */
export function writingOfFormat(format: Format, name: string, tokenizer: Tokenizer | undefined): OurRenderer {
  return {
    name,
    markers: format.markers,
    switches: [],
    bos: idOfBos(tokenizer),
    write: (chat: Chat, _: Switches) =>
      attempt(() => {
        const written = writeConversation(format, readChat(chat), 'generate')
        if ('refused' in written) return written
        return { text: written.text, ...(tokenizer ? { ids: tokenize(written.prompt, tokenizer, { markers: format.markers }).ids } : {}) }
      }),
  }
}

function idOfBos(tokenizer: Tokenizer | undefined): { id?: number } {
  return tokenizer?.bos === undefined ? {} : { id: tokenizer.bos }
}

function attempt<Written>(write: () => Written): Written | { refused: string } {
  try {
    return write()
  } catch (error) {
    if (error instanceof PromptError) return { refused: error.problem }
    throw error
  }
}
