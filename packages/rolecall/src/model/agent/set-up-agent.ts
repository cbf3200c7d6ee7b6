import { type ChatMaker, chatMaker, compileChat, promptCounter } from '@rolecall/core/internal/compile'
import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { check, PromptError } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import type { Model } from '@rolecall/core/internal/model'
import { syntaxAfter } from '@rolecall/core/internal/reply'
import type { ModelSettings } from '../model-types/model-settings.ts'
import { replySyntaxOf } from '../model-types/reply-syntax-of.ts'
import { type AgentOptions, agentOptionsSchema } from './agent-options.ts'
import { type AgentTool, toolSchema } from './agent-tool.ts'
import { fitHistory } from './fit-history.ts'
import { fitMlcHistory } from './fit-mlc-history.ts'
import type { CallResult } from './run-calls.ts'

/** The set-up of a run: the format, the call syntax, and the tools, including the one that runs code. */
export function setUpAgent(options: AgentOptions) {
  check(agentOptionsSchema, options, 'runAgent › options › ')
  const {
    model,
    format: given = 'model' in model ? model.model : undefined,
    tools = [],
    interpreter,
    syntax: named,
    maxTurns = 10,
    generation = {},
    history = {},
    trustsIds = false,
  } = options
  const { maker, replySyntax } = writerOf(given)
  const { format } = maker
  const isNative = format.traits.interpreter === true
  const codeTool = interpreter && !isNative ? pythonTool : undefined
  const schemas = [...tools, ...(codeTool ? [codeTool] : [])].map(toolSchema)
  const offered = [...schemas, ...(interpreter && isNative ? [{ type: 'code_interpreter' }] : [])]
  const generated = new Set<ChatMessage>()
  const isTrusted = (message: ChatMessage) => generated.has(message) || (typeof trustsIds === 'function' ? trustsIds(message) : trustsIds)
  const render = (messages: readonly ChatMessage[]): Prompt =>
    maker.render({ messages, ...(offered.length > 0 ? { tools: offered } : {}) }, {}, { trustsIds: isTrusted })
  const window = history.window ?? model.context
  const count = window === undefined ? undefined : promptCounter(model.tokenizer, format)
  const maxTokens = generation.maxTokens ?? 1024

  return {
    model,
    format,
    /** How calls are written after this prompt: `roles` may have written its tools as text. */
    syntaxAfter: ({ notes }: Prompt) => syntaxAfter(format, notes, named ?? replySyntax),
    schemas,
    tools,
    maxTurns,
    codeTool: codeTool?.name,
    generation: { ...generation, maxTokens },
    /** The model generated this in this run, so its ids are sent back unchanged. */
    heard(message: ChatMessage): ChatMessage {
      generated.add(message)
      return message
    },
    fit(messages: readonly ChatMessage[], dropped: number) {
      if (window === undefined || count === undefined) return { prompt: render(messages), dropped, notes: [] }
      const reserve = Math.min(history.reserve ?? Math.floor(window / 4), maxTokens)
      const leaveOut = history.shift === 'mlc' ? fitMlcHistory : fitHistory
      return leaveOut(messages, { window, reserve, fill: history.fill ?? 0.75, dropped, render, count })
    },
    resultMessage(result: CallResult, messages: readonly ChatMessage[]): ChatMessage {
      const message = asMessage(result, format)
      // A template may refuse a result without a call, e.g. that of a broken call: then it is sent as a user message.
      return canRender(render, [...messages, message]) ? message : { role: 'user', content: message.content! }
    },
  }
}

const pythonTool: AgentTool = {
  name: 'python',
  description: 'Runs Python code in a notebook: what is printed and the value of the last expression come back, and variables are kept.',
  parameters: { type: 'object', properties: { code: { type: 'string', description: 'The code.' } }, required: ['code'] },
}

function asMessage({ id, name, isCode, content = '' }: CallResult, format: Format): ChatMessage {
  const message = { role: 'tool', tool_call_id: id, content }
  if (format.kind === 'chat') return message
  // In document 004 `interpreter` is the role that answers code; a tool with this name is one of the plugins.
  const speaker = format.traits.interpreter ? (isCode ? 'interpreter' : name === 'interpreter' ? 'plugin' : name) : isCode ? 'python' : name
  return { ...message, ...(speaker === '' ? {} : { name: speaker }) }
}

function canRender(render: (messages: readonly ChatMessage[]) => Prompt, messages: readonly ChatMessage[]): boolean {
  try {
    render(messages)
    return true
  } catch (error) {
    if (error instanceof PromptError) return false
    throw error
  }
}

/** What writes the chat, and how the model's replies are written, where that is given. */
function writerOf(given: AgentOptions['format']): { maker: ChatMaker; replySyntax: AgentOptions['syntax'] } {
  if (given === undefined)
    throw new PromptError('no-format', {
      where: 'runAgent › options › format',
      problem: 'nothing says how the model expects a chat',
      fix: 'give the format, or a model of openServer or openLocalModel, which has one',
    })
  if (typeof given === 'string') return { maker: compileChat(given), replySyntax: undefined }
  if (isFormat(given)) return { maker: chatMaker(given), replySyntax: undefined }
  if (isModel(given)) return { maker: chatMaker(given.format), replySyntax: given.replySyntax }
  return { maker: compileChat(given), replySyntax: replySyntaxOf(given) }
}

function isFormat(given: object): given is Format {
  return 'render' in given && typeof given.render === 'function'
}

function isModel(given: Model | ModelSettings): given is Model {
  return typeof given.format === 'object'
}
