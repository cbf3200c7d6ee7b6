import { dictGet, isDict } from '../../../base/python/index.ts'
import { textOf } from '../../../base/text/index.ts'
import type { Constraint } from '../../../model/constrain/index.ts'
import type { LaterConstraint } from '../../../model/language-model/later-constraint.ts'
import { offeredSyntax, openingOf, plainReplies, type ReplySyntax } from '../../../model/reply/index.ts'
import { hasCalls } from '../../../model/reply/syntax.ts'
import { type ChatMaker, compileChat } from '../../../prompt/compile/compile-chat.ts'
import type { Chat } from '../../../prompt/conversation/chat-message.ts'
import type { Prompt } from '../../../prompt/format/format.ts'
import { promptText } from '../../../prompt/format/prompt-text.ts'
import { ApiError } from '../api-error.ts'
import { exactFields } from '../read-body.ts'
import type { FormatPlaces } from '../response-format.ts'
import type { ServedModel } from '../served-model.ts'
import type { ChatFields } from './chat-request.ts'
import { fitChat } from './fit-chat.ts'
import { endOfCall, forcedCall } from './forced-call.ts'
import { type Thinking, thinkingKwargs } from './thinking-kwargs.ts'

/** A chat as the model is asked, and how its reply is to be read. */
export type ChatPrompt = {
  prompt: Prompt
  /** What the format wrote before the reply: it may have opened a thought or a call that the reply goes on with. */
  opening: string
  syntax: ReplySyntax
  /** A call as the format writes it. */
  example: string | undefined
  /** The tools that the model was told of. */
  tools: readonly object[]
  /** The reply was begun for the model, with this piece of the prompt. */
  forcedFrom?: number
  /** The tool whose call was begun. */
  forcedTool?: string
  /** What the reply has to be. */
  constraint?: Constraint
  /** What its calls have to be, where it makes some. */
  later?: LaterConstraint
  /** The reply is the arguments of a call and nothing else: this closes the call behind them. */
  endOfArguments?: string
  /** The same begun with the call of each tool, where the model is to choose one. */
  candidates?: readonly ChatPrompt[]
}

/** What of a request stands in the prompt, to the digit. */
export type ExactChat = Chat & { chat_template_kwargs?: object; thinking?: Thinking; formatPlaces?: FormatPlaces }

/** The exact chat in the body of a request of OpenAI's shape. */
export function exactChatOf(body: string): ExactChat {
  return exactFields(body, ['messages', 'tools', 'chat_template_kwargs']) as unknown as ExactChat
}

/** Writes a chat in the model's format. */
export function chatPrompt(served: ServedModel, request: ChatFields, exact: ExactChat): ChatPrompt {
  const choice = request.tool_choice ?? 'auto'
  const tools = choice === 'none' ? [] : (exact.tools ?? [])
  const effort = exact.thinking ?? { effort: request.reasoning_effort ?? undefined }
  const { kwargs, notes } = thinkingKwargs(served, exact.chat_template_kwargs, effort)
  const maker = makerFor(served, kwargs)
  const want = request.continue_final_message ? 'continue' : 'generate'
  const render = (messages: Chat['messages']) => maker.render({ messages, ...(tools.length === 0 ? {} : { tools }) }, { want })
  const written = want === 'generate' ? fitChat(served, exact.messages, render) : render(exact.messages)
  const rendered = notes.length === 0 ? written : { ...written, notes: [...written.notes, ...notes] }
  // A reply that was begun in the chat goes on inside whatever its last turn has open.
  const opening = want === 'continue' && rendered.kind === 'completion' ? promptText(rendered) : openingOf(rendered)
  const syntax = readable(served, request, tools)
  const asked: ChatPrompt = { prompt: rendered, opening, syntax, example: served.example, tools }
  const named = typeof choice === 'object' ? choice.function.name : undefined
  const single = named !== undefined || request.parallel_tool_calls === false ? withEnd(asked, served) : asked
  return choice === 'required' || named !== undefined ? forced(single, request, named, served) : single
}

function makerFor({ maker, config, name }: ServedModel, kwargs: object | undefined): ChatMaker {
  if (kwargs === undefined || Object.keys(kwargs).length === 0) return maker
  if (config.chat_template !== undefined) {
    return compileChat({ ...config, chat_template_kwargs: { ...config.chat_template_kwargs, ...kwargs } })
  }
  throw new ApiError(400, {
    message: `chat_template_kwargs: ${name} has no chat template, so there are no variables to set`,
    param: 'chat_template_kwargs',
    code: 'unsupported',
  })
}

/** What is read in a reply is what the client asked for: without tools, what looks like a call is text. */
function readable({ syntax, maker: { format }, name }: ServedModel, request: ChatFields, tools: readonly object[]): ReplySyntax {
  const hasInterpreter = tools.some((tool) => isDict(tool) && dictGet(tool, 'type') === 'code_interpreter')
  const hasFunctions = tools.length > (hasInterpreter ? 1 : 0)
  if (hasFunctions && format.kind === 'completion' && !hasCalls(syntax)) {
    throw new ApiError(400, {
      message: `tools: it is not known how ${name} writes calls, so it cannot be given tools; leave them out, or ask another model`,
      param: 'tools',
      code: 'unsupported',
    })
  }
  if (request.tool_choice === 'required' && !hasFunctions) {
    throw new ApiError(400, {
      message: 'tool_choice: a call is required, but there are no tools',
      param: 'tool_choice',
      code: 'invalid_value',
    })
  }
  return format.kind === 'chat' ? plainReplies : offeredSyntax(syntax, { functions: hasFunctions, interpreter: hasInterpreter })
}

function withEnd(asked: ChatPrompt, { model: { tokenizer } }: ServedModel): ChatPrompt {
  const end = endOfCall(asked.syntax, tokenizer)
  return end === undefined ? asked : { ...asked, prompt: { ...asked.prompt, stop: [...asked.prompt.stop, end] } }
}

function forced(asked: ChatPrompt, { tools }: ChatFields, named: string | undefined, { name }: ServedModel): ChatPrompt {
  const known = (tools ?? []).flatMap((tool) => {
    const { name: own, function: inner } = tool as { name?: unknown; function?: { name?: unknown } }
    const found = inner?.name ?? own
    return typeof found === 'string' ? [found] : []
  })
  if (named !== undefined && !known.includes(named)) {
    throw new ApiError(400, {
      message: `tool_choice: "${named}" is not among the tools (${known.join(', ') || 'there are none'})`,
      param: 'tool_choice',
      code: 'invalid_value',
    })
  }
  // Of one tool it is clear which will be called.
  const wanted = named ?? (known.length === 1 ? known[0] : undefined)
  const begun = begin(asked, wanted) ?? (named === undefined ? begin(asked, undefined) : undefined)
  const candidates = wanted === undefined ? known.flatMap((one) => begin(asked, one) ?? []) : []
  const first = begun ?? candidates[0]
  if (first) return candidates.length === 0 ? first : { ...first, candidates }
  throw new ApiError(400, {
    message: `tool_choice: a call cannot be enforced with the format of ${name}; use "auto"`,
    param: 'tool_choice',
    code: 'unsupported',
  })
}

/** The prompt with the beginning of a call; undefined where the format has no way to begin one. */
function begin(asked: ChatPrompt, tool: string | undefined): ChatPrompt | undefined {
  const pieces = asked.prompt.kind === 'chat' ? undefined : forcedCall(asked.syntax, asked.opening, tool, asked.example)
  if (asked.prompt.kind === 'chat' || pieces === undefined) return undefined
  const written = [...asked.prompt.pieces, ...pieces]
  const prompt = { ...asked.prompt, pieces: written, answer: { start: written.length, end: written.length } }
  return {
    ...asked,
    prompt,
    opening: asked.opening + textOf(pieces),
    forcedFrom: asked.prompt.pieces.length,
    ...(tool === undefined ? {} : { forcedTool: tool }),
  }
}
