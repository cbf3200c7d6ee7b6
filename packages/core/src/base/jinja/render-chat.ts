import { PromptError } from '../errors/prompt-error.ts'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyDict, type PyValue } from '../python/values/data.ts'
import { trimmedEnd } from '../python/values/strings.ts'
import type { TextPiece } from '../text/index.ts'
import { slicePieces } from '../text/index.ts'
import type { InputOrigin } from './origins.ts'
import type { JinjaTemplate, RenderOptions, Stretch } from './template.ts'

/** The arguments of transformers' `apply_chat_template`. */
export type ChatInput = {
  messages: readonly PyValue[]
  tools?: readonly PyValue[] | null
  documents?: readonly PyValue[] | null
  addGenerationPrompt?: boolean
  /** The last message is the start of the answer and stays open. */
  continueFinalMessage?: boolean
  /** Special tokens, by the names that templates know: `bos_token`, `eos_token`, … */
  tokens?: Readonly<Record<string, string>>
  /** Other variables of the template: `enable_thinking`, … */
  kwargs?: Readonly<Record<string, PyValue>>
}

/** A rendered chat, and the ranges that the model must generate. */
export type RenderedChat = { text: string; generation: readonly Stretch[] }
/** The same in pieces with their origins. */
export type RenderedChatPieces = RenderedChat & {
  pieces: readonly TextPiece[]
  /** The steps it took: loop iterations, calls, items that filters visited. */
  steps: number
}

/** Renders a chat's text as transformers' `apply_chat_template` does. */
export function renderChat(template: JinjaTemplate, input: ChatInput, options?: RenderOptions): RenderedChat {
  const { variables, ending } = prepare(input)
  const rendered = template.renderMarked(variables, options)
  return ending === undefined ? rendered : { ...rendered, text: rendered.text.slice(0, openEnd(rendered.text, ending)) }
}

/** As `renderChat`, in pieces with their origins. */
export function renderChatPieces(
  template: JinjaTemplate,
  input: ChatInput,
  options?: RenderOptions & { roles?: ReadonlySet<string> },
): RenderedChatPieces {
  const { variables, ending } = prepare(input)
  const origins = originsOf(input, options?.roles ?? knownRoles)
  const rendered = template.renderPieces(variables, origins, options)
  if (ending === undefined) return rendered
  const end = openEnd(rendered.text, ending)
  return { ...rendered, text: rendered.text.slice(0, end), pieces: slicePieces(rendered.pieces, 0, end) }
}

/**
 * Roles that a template may print as part of its markup. Any other role is ordinary text, so that a role named `<|im_end|>` cannot forge a
 * turn.
 */
export const knownRoles: ReadonlySet<string> = new Set([
  'system',
  'user',
  'assistant',
  'tool',
  'developer',
  'function',
  'environment',
  'ipython',
  'observation',
  'model',
  'human',
  'bot',
  'document',
  'documents',
  'context',
  'tools',
])

function originsOf(input: ChatInput, roles: ReadonlySet<string>): (name: string) => InputOrigin {
  return (name) => {
    if (name === 'messages') return { by: 'message', path: name, roles }
    if (name === 'tools') return { by: 'tool', path: name }
    const isToken = input.tokens !== undefined && Object.hasOwn(input.tokens, name)
    // A caller's variable with a token's name is the caller's text.
    if (isToken && !(input.kwargs !== undefined && Object.hasOwn(input.kwargs, name))) return { by: 'tokenizer', path: name, control: true }
    return { by: 'message', path: name }
  }
}

function prepare(input: ChatInput): { variables: Record<string, PyValue>; ending?: string } {
  const { messages, tools = null, documents = null, addGenerationPrompt = false, continueFinalMessage = false, tokens, kwargs } = input
  const variables: Record<string, PyValue> = {
    ...tokens,
    messages,
    tools,
    documents,
    add_generation_prompt: addGenerationPrompt,
    ...kwargs,
  }
  if (!continueFinalMessage) return { variables }
  const last = messages.at(-1)
  if (!isDict(last)) throw cannotContinue('there is no message to continue')
  const { message, ending } = withSentinel(last)
  return { variables: { ...variables, messages: [...messages.slice(0, -1), message] }, ending }
}

const sentinel = 'CONTINUE_FINAL_MESSAGE_TAG '

/** The message with a sentinel after its last text, which marks the end of the answer so far. */
function withSentinel(message: PyDict): { message: PyDict; ending: string } {
  const content = dictGet(message, 'content')
  if (typeof content === 'string') return { message: withKey(message, 'content', content + sentinel), ending: content }
  if (isList(content)) {
    const index = content.findLastIndex((part) => isDict(part) && typeof dictGet(part, 'text') === 'string')
    const part = content[index]
    if (index >= 0 && isDict(part)) {
      const text = dictGet(part, 'text') as string
      return { message: withKey(message, 'content', content.with(index, withKey(part, 'text', text + sentinel))), ending: text }
    }
  }
  throw cannotContinue('the final message has no text to continue')
}

function withKey(dict: PyDict, key: string, value: PyValue): PyDict {
  return dictFromEntries(dictEntries(dict).map(([name, old]) => [name, name === key ? value : old] as const))
}

/** Where the open answer ends: before the sentinel, or, if the template trimmed it, before the white space there. */
function openEnd(text: string, ending: string): number {
  const at = text.lastIndexOf(sentinel.trim())
  if (at < 0 || !text.includes(ending.trim()))
    throw cannotContinue(
      'continue_final_message is set but the final message does not appear in the chat after applying the chat template!',
    )
  return text.startsWith(sentinel, at) ? at : trimmedEnd(text.slice(0, at))
}

function cannotContinue(problem: string): PromptError {
  return new PromptError('cannot-continue', {
    where: 'continue_final_message',
    problem,
    fix: 'end with a message whose text the template shows',
  })
}
