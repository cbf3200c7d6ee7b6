import { type ChatMaker, compileChat, promptCounter } from '@rolecall/core/internal/compile'
import type { Constraint } from '@rolecall/core/internal/constrain'
import type { Chat, ChatMessage } from '@rolecall/core/internal/conversation'
import type { Prompt } from '@rolecall/core/internal/format'
import { promptText } from '@rolecall/core/internal/format'
import { dictGet, isDict, type PyValue } from '@rolecall/core/internal/python'
import {
  endOfCall,
  forcedCall,
  hasCalls,
  offeredSyntax,
  openingOf,
  plainReplies,
  type ReplySyntax,
  syntaxOfReply,
} from '@rolecall/core/internal/reply'
import { textOf } from '@rolecall/core/internal/text'
import { chatGenerationOf } from '../../evaluation/run/ask/generation.ts'
import { fitMlcHistory } from '../../model/agent/fit-mlc-history.ts'
import { historyOf } from '../../model/agent/history-of.ts'
import type { LaterConstraint } from '../../model/language-model/later-constraint.ts'
import { refuseMedia } from '../../model/language-model/refuse-media.ts'
import { badField } from '../api-error.ts'
import { exactFields } from '../exact-fields.ts'
import type { PromptModel } from '../served-model.ts'
import type { ChatSettings } from './chat-request.ts'
import { withCurrentFields } from './current-fields.ts'
import { customAsFunctions, customCallsAsFunctions } from './custom-calls.ts'
import { withPlainParts } from './plain-parts.ts'
import { type Thinking, thinkingKwargs } from './thinking-kwargs.ts'

/** The prompt of a chat, and how to parse the reply. */
export type ChatPrompt = {
  prompt: Prompt
  /** Text of the format before the reply; it may open a thought or a call that the reply continues. */
  opening: string
  syntax: ReplySyntax
  /** A tool call in this format. */
  example: string | undefined
  /** The tools given to the model. */
  tools: readonly object[]
  /** The piece of the prompt with which a forced call begins. */
  forcedFrom?: number
  /** The tool of the forced call. */
  forcedTool?: string
  constraint?: Constraint
  /** What a reply without calls should be; a reply that is not is reported. */
  expected?: Constraint
  /** A constraint on tool calls, if the reply contains any. */
  later?: LaterConstraint
  /** The reply consists of the arguments of a call; this text closes the call. */
  endOfArguments?: string
  /** Fields for an upstream server that gets messages. */
  forwarded?: object
  /** One prompt per tool, each with a call of that tool begun, if the model has to choose one. */
  candidates?: readonly ChatPrompt[]
}

/** The parts of a request that appear verbatim in the prompt. */
export type ExactChat = Chat & { chat_template_kwargs?: object; thinking?: Thinking }

/** The exact chat in a body in OpenAI's shape. */
export function exactChatOf(body: PyValue): ExactChat {
  // Callers have checked the body against a schema with `chatFields`; Python's values have other types than zod's.
  const { messages = [], tools, ...chat } = exactFields(body, ['messages', 'tools', 'chat_template_kwargs'])
  const converted = { ...chat, messages: customCallsAsFunctions(messages as readonly PyValue[]) }
  return (tools === undefined ? converted : { ...converted, tools: customAsFunctions(tools as readonly PyValue[]) }) as ExactChat
}

/** The settings of a request that determine how its chat is rendered. */
export type RenderSettings = Pick<ChatSettings, 'tool_choice' | 'reasoning_effort' | 'continue_final_message'> & {
  /** False: the prompt ends behind the last message. */
  add_generation_prompt?: boolean | null | undefined
}

/** A rendered chat, and the text before its reply. */
export type OpenedPrompt = Pick<ChatPrompt, 'prompt' | 'opening'>

/** What a chat is rendered from: the format with the variables of the request, its tools and its messages. */
export function chatToRender(served: PromptModel, settings: RenderSettings, exact: ExactChat) {
  const tools = toolsOf(settings, exact)
  const effort = exact.thinking ?? { effort: settings.reasoning_effort ?? undefined }
  const { kwargs, notes } = thinkingKwargs(served, exact.chat_template_kwargs, effort)
  const maker = makerFor(served, kwargs)
  // Messages that are forwarded keep what an upstream server may read.
  const messages = maker.format.kind === 'chat' ? exact.messages : withPlainParts(withCurrentFields(exact.messages))
  return { maker, messages, ...(tools.length === 0 ? {} : { tools }), notes }
}

/** Renders a chat in the model's format. */
export function renderForChat(
  served: PromptModel,
  settings: RenderSettings,
  exact: ExactChat,
  { maker, messages, tools, notes } = chatToRender(served, settings, exact),
): OpenedPrompt {
  const want = settings.continue_final_message ? 'continue' : settings.add_generation_prompt === false ? 'complete' : 'generate'
  const render = (messages: Chat['messages']) => maker.render({ messages, ...(tools && { tools }) }, { want, media: 'placeholder' })
  const written = want === 'generate' ? fitChat(served, messages, render) : render(messages)
  // Before the request waits for its turn, and while its paths are those of the client.
  if (written.kind === 'completion') refuseMedia(written.pieces, served.name)
  const prompt = notes.length === 0 ? written : { ...written, notes: [...written.notes, ...notes] }
  // A continued reply may be inside a thought or a call of its own turn.
  return { prompt, opening: want === 'continue' && prompt.kind === 'completion' ? promptText(prompt) : openingOf(prompt) }
}

/** Adds to a rendered chat what the request wants of its reply. */
export function buildChatPrompt(
  served: PromptModel,
  request: ChatSettings,
  exact: ExactChat,
  rendered = renderForChat(served, request, exact),
): ChatPrompt {
  const choice = request.tool_choice ?? 'auto'
  const tools = toolsOf(request, exact)
  const { syntax, example } = syntaxOfReply(served.maker.format, rendered.prompt.notes) ?? served
  const chatPrompt: ChatPrompt = { ...rendered, syntax: requestedSyntax({ ...served, syntax }, request, tools), example, tools }
  if (rendered.prompt.kind === 'chat' && served.model.forward) return { ...chatPrompt, forwarded: choiceToForward(request, tools) }
  const named = typeof choice === 'object' ? choice.function.name : undefined
  const single = named !== undefined || request.parallel_tool_calls === false ? stopAfterCall(chatPrompt, served) : chatPrompt
  return choice === 'required' || named !== undefined ? forceCall(single, request, named, served) : single
}

function toolsOf({ tool_choice: choice }: RenderSettings, { tools }: ExactChat): readonly object[] {
  return choice === 'none' ? [] : (tools ?? [])
}

function makerFor({ maker, config, name }: PromptModel, kwargs: object | undefined): ChatMaker {
  if (kwargs === undefined || Object.keys(kwargs).length === 0) return maker
  if (config.chat_template !== undefined) {
    return compileChat({ ...config, chat_template_kwargs: { ...config.chat_template_kwargs, ...kwargs } })
  }
  throw badField('chat_template_kwargs', `${name} has no chat template, so there are no variables to set`, 'unsupported')
}

/** The upstream server chooses and forces calls itself. */
function choiceToForward({ tool_choice: choice, parallel_tool_calls: parallel }: ChatSettings, tools: readonly object[]): object {
  return {
    ...(choice === 'required' || typeof choice === 'object' ? { tool_choice: choice ?? undefined } : {}),
    ...(parallel === false && tools.length > 0 ? { parallel_tool_calls: false } : {}),
  }
}

/** Without tools in the request, what looks like a call is text. */
function requestedSyntax({ syntax, maker: { format }, name }: PromptModel, request: ChatSettings, tools: readonly object[]): ReplySyntax {
  const hasInterpreter = tools.some((tool) => isDict(tool) && dictGet(tool, 'type') === 'code_interpreter')
  const hasFunctions = tools.length > (hasInterpreter ? 1 : 0)
  if (hasFunctions && format.kind === 'completion' && !hasCalls(syntax)) {
    throw badField('tools', `the tool-call syntax of ${name} is unknown; remove the tools, or use another model`, 'unsupported')
  }
  if (request.tool_choice === 'required' && !hasFunctions) {
    throw badField('tool_choice', 'a call is required, but there are no tools')
  }
  return format.kind === 'chat' ? plainReplies : offeredSyntax(syntax, { functions: hasFunctions, interpreter: hasInterpreter })
}

function stopAfterCall(chatPrompt: ChatPrompt, { model: { tokenizer } }: PromptModel): ChatPrompt {
  const end = endOfCall(chatPrompt.syntax, tokenizer)
  return end === undefined ? chatPrompt : { ...chatPrompt, prompt: { ...chatPrompt.prompt, stop: [...chatPrompt.prompt.stop, end] } }
}

/** Each takes a prompt that the model scores. OpenAI's limit of tools, too. */
const mostCandidates = 128

function forceCall(chatPrompt: ChatPrompt, { tools }: ChatSettings, named: string | undefined, { name }: PromptModel): ChatPrompt {
  const known = (tools ?? []).flatMap((tool) => {
    const { name: topLevel, function: inner } = tool as { name?: unknown; function?: { name?: unknown } }
    const found = inner?.name ?? topLevel
    return typeof found === 'string' ? [found] : []
  })
  if (named !== undefined && !known.includes(named)) {
    throw badField('tool_choice', `"${named}" is not among the tools (${known.join(', ') || 'there are none'})`)
  }
  if (named === undefined && known.length > mostCandidates) {
    throw badField('tool_choice', `at most ${mostCandidates} tools can be chosen from, not ${known.length}; name one, or use "auto"`)
  }
  const wanted = named ?? (known.length === 1 ? known[0] : undefined)
  const begun = beginCall(chatPrompt, wanted) ?? (named === undefined ? beginCall(chatPrompt, undefined) : undefined)
  const candidates = wanted === undefined ? known.flatMap((one) => beginCall(chatPrompt, one) ?? []) : []
  const first = begun ?? candidates[0]
  if (first) return candidates.length === 0 ? first : { ...first, candidates }
  throw badField('tool_choice', `a call cannot be enforced with the format of ${name}; use "auto"`, 'unsupported')
}

/** Appends the beginning of a call; undefined if the format does not support it. */
function beginCall(chatPrompt: ChatPrompt, tool: string | undefined): ChatPrompt | undefined {
  const pieces = chatPrompt.prompt.kind === 'chat' ? undefined : forcedCall(chatPrompt.syntax, chatPrompt.opening, tool, chatPrompt.example)
  if (chatPrompt.prompt.kind === 'chat' || pieces === undefined) return undefined
  const written = [...chatPrompt.prompt.pieces, ...pieces]
  const prompt = { ...chatPrompt.prompt, pieces: written, answer: { start: written.length, end: written.length } }
  return {
    ...chatPrompt,
    prompt,
    opening: chatPrompt.opening + textOf(pieces),
    forcedFrom: chatPrompt.prompt.pieces.length,
    ...(tool === undefined ? {} : { forcedTool: tool }),
  }
}

/**
 * Renders a chat; for models with an mlc-chat-config.json, drops the oldest messages if the prompt and the expected reply exceed the window,
 * as MLC and `rolecall chat` do. For other models, clients have to shorten the chat.
 */
function fitChat(
  { model, maker, config }: PromptModel,
  messages: readonly ChatMessage[],
  render: (messages: readonly ChatMessage[]) => Prompt,
): Prompt {
  const history = historyOf(config)
  const window = history.window ?? model.context
  const count = promptCounter(model.tokenizer, maker.format)
  if (history.shift !== 'mlc' || window === undefined || count === undefined) return render(messages)
  const { maxTokens = window } = chatGenerationOf(config)
  const { prompt, notes } = fitMlcHistory(messages, {
    window,
    reserve: Math.min(history.reserve ?? 0, maxTokens),
    fill: history.fill ?? 1,
    dropped: 0,
    render,
    count,
  })
  return notes.length === 0 ? prompt : { ...prompt, notes: [...prompt.notes, ...notes] }
}
